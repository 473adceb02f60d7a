public import CopalModel
public import Foundation

/// What went wrong with a store, a context or an object, as data.
///
/// Look at the `code`; the other properties say what it concerns. The sentence with its remedy is
/// `description`, and `Docs/Errors.md` has a heading for every code.
///
/// ```swift
/// do {
///   try context.save()
/// } catch let error as PersistenceError where error.code == .saveFailed {
///   for case let cause as PersistenceError in error.causes where cause.code == .uniqueConflict {
///     print(cause.objectID, "and", cause.otherID, "share", cause.attribute)
///   }
/// }
/// ```
///
/// Copal itself puts no value of a user's object into it. What a hook or a transformer of the program
/// throws is in `causes`, and in `found` of `save.custom`; it may contain values.
public struct PersistenceError: Error, Sendable {
  public var code: ErrorCode
  public var entity: String?
  /// The attribute concerned; several, of a constraint, are joined by commas.
  public var attribute: String?
  /// The object concerned.
  public var objectID: ManagedObjectID?
  /// The other object of a conflict.
  public var otherID: ManagedObjectID?
  /// The file concerned.
  public var path: String?
  /// What there is.
  public var found: String?
  /// What there should be.
  public var expected: String?
  /// The nearest good name.
  public var suggestion: String?
  /// SQLite's extended result code, where the error comes from there.
  public var sqliteCode: Int32?
  /// The errors behind this one: every failing object of a save, or what a transformer threw.
  public var causes: [any Error]

  public init(
    _ code: ErrorCode, entity: String? = nil, attribute: String? = nil,
    objectID: ManagedObjectID? = nil, otherID: ManagedObjectID? = nil, path: String? = nil,
    found: String? = nil, expected: String? = nil, suggestion: String? = nil,
    sqliteCode: Int32? = nil, causes: [any Error] = []
  ) {
    self.code = code
    self.entity = entity
    self.attribute = attribute
    self.objectID = objectID
    self.otherID = otherID
    self.path = path
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
    self.sqliteCode = sqliteCode
    self.causes = causes
  }
}

extension PersistenceError: CustomStringConvertible, LocalizedError {
  /// The sentence, the remedy, the code, and below them the first twenty causes.
  public var description: String {
    let head = self.head
    let shown = causes.prefix(20).map {
      "\n  - " + String(describing: $0).replacing("\n", with: "\n    ")
    }
    let rest = causes.count > 20 ? "\n  … and \(causes.count - 20) more" : ""
    return head + shown.joined() + rest
  }

  public var errorDescription: String? { description }

  /// The sentence, the remedy and the code.
  private var head: String { "\(ErrorWording.sentence(for: self)) [\(code)]" }

  /// What a log needs, on one line: what it concerns and what is wrong. The causes, which may be anybody's
  /// words, are not in it.
  package var logLine: String {
    let subject = ErrorWording.subject(of: self)
    let text = head.contains(subject) ? head : "\(subject): \(head)"
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
