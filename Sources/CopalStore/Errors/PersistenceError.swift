public import CopalEssentials
public import CopalModel

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
///     print(cause.objectID, "and", cause.otherID, "share", cause.property)
///   }
/// }
/// ```
///
/// Copal itself puts no value of a user's object into it, with two exceptions: the beginning of a
/// raw value that no case has, and the values of a unique constraint that another object has, where
/// they are not private. What a hook or a transformer of the program throws is in `causes`, and in
/// `found` of `save.validationFailed`; it may contain values.
public struct PersistenceError: Error, Sendable {
  /// The kind of error.
  public var code: Code
  /// The name of the entity concerned; nil when the error concerns no entity.
  public var entity: String?
  /// The attribute or relationship concerned; the names of a constraint with several are joined by
  /// ", ".
  public var property: String?
  /// The object concerned.
  public var objectID: ManagedObjectID?
  /// The other object of a conflict.
  public var otherID: ManagedObjectID?
  /// The path of the file concerned.
  public var path: String?
  /// What was found. Several findings are separated by line breaks.
  public var found: String?
  /// What was expected.
  public var expected: String?
  /// The valid name that is most similar to a name that does not exist.
  public var suggestion: String?
  /// The result code of the database that the store uses, such as an [extended result
  /// code](https://www.sqlite.org/rescode.html). Nil when the error does not come from there.
  public var backendCode: Int?
  /// The SQLSTATE of the database that the store uses: five letters and digits, such as `23505`.
  /// Nil when the error does not come from there, and for a database without such states.
  public var backendState: String?
  /// The number of the row of a batch, beginning with 1; nil where no row is concerned.
  public var row: Int?
  /// The errors behind this one: each of several errors of one operation, or the error that a hook,
  /// a transformer or the system threw. Empty when there is none.
  public var causes: [any Error]

  /// An error as data. Authors of stores make them; a program only reads them.
  public init(
    _ code: Code, entity: String? = nil, property: String? = nil,
    objectID: ManagedObjectID? = nil, otherID: ManagedObjectID? = nil, path: String? = nil,
    found: String? = nil, expected: String? = nil, suggestion: String? = nil,
    backendCode: Int? = nil, backendState: String? = nil, causes: [any Error] = [], row: Int? = nil
  ) {
    self.code = code
    self.entity = entity
    self.property = property
    self.objectID = objectID
    self.otherID = otherID
    self.path = path
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
    self.backendCode = backendCode
    self.backendState = backendState
    self.causes = causes
    self.row = row
  }

  /// One error for all errors of one operation: the error itself when there is one, else an error
  /// with the given code that has all of them in `causes`.
  ///
  /// - Precondition: there is at least one error.
  package static func combining(_ errors: [PersistenceError], as code: Code) -> PersistenceError {
    errors.count == 1 ? errors[0] : PersistenceError(code, causes: errors)
  }
}

extension PersistenceError {
  /// What went wrong, such as `save.conflict`.
  ///
  /// Codes are open: a store of another library declares its own, together with their sentences.
  ///
  /// ```swift
  /// extension PersistenceError.Code {
  ///   static let tokenExpired = Self("cloud.tokenExpired") { "\($0.subject): the token has expired; sign in" }
  /// }
  /// ```
  public struct Code: ErrorCode {
    /// The name of the code, such as `save.conflict`.
    public let rawValue: String
    /// The sentence of an error with this code; nil for a code that was made from its name alone.
    let sentence: (@Sendable (PersistenceError) -> String)?

    /// A code without a sentence, to compare others with.
    public init(rawValue: String) {
      self.rawValue = rawValue
      sentence = nil
    }

    /// A code with its sentence.
    ///
    /// - Parameters:
    ///   - name: the name of the code, with the name of its library or part before a dot.
    ///   - sentence: what happened to what, and what to do, on one line where possible.
    public init(_ name: String, sentence: @escaping @Sendable (PersistenceError) -> String) {
      rawValue = name
      self.sentence = sentence
    }

    public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
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

  /// The same text as ``description``, for Foundation's `localizedDescription`.
  public var errorDescription: String? { description }

  /// The sentence, the remedy and the code.
  private var head: String { "\(row.map { "row \($0): " } ?? "")\(sentence) [\(code)]" }

  private var sentence: String {
    if let sentence = code.sentence { return sentence(self) }
    // A code that was made from its name alone has no sentence, so the data is shown.
    return [hasSubject ? subject : "", found ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// One line for a log: what the error concerns and what is wrong. The causes are left out,
  /// because they may contain texts of other libraries.
  package var logLine: String {
    let text = head.contains(subject) ? head : "\(subject): \(head)"
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// The parts of sentences.
extension PersistenceError {
  /// What the error concerns, for its sentence: `Pigment p1`, `Pigment.price of Pigment p1` or
  /// `Pigment.price`; "the value" when nothing is known.
  public var subject: String {
    let path = propertyPath
    guard let id = objectID else { return path.isEmpty ? "the value" : path }
    return property == nil ? id.shortDescription : "\(path) of \(id.shortDescription)"
  }

  private var hasSubject: Bool { objectID != nil || !propertyPath.isEmpty }

  private var propertyPath: String {
    [entity ?? objectID?.entityName, property].compactMap { $0 }.joined(separator: ".")
  }

  /// The file or store concerned, for a sentence.
  package var storeText: String { path.map { "'\($0)'" } ?? "the store" }

  /// The name of the entity, for a sentence.
  package var entityText: String { entity ?? objectID?.entityName ?? "the entity" }

  package var foundText: String { found ?? "nothing" }
  package var expectedText: String { expected ?? "something else" }

  /// The lines of `found`, indented, on lines of their own.
  package var foundLines: String {
    foundText.split(separator: "\n").map { "\n  " + $0 }.joined()
  }

  /// The suggestion as a question; empty when there is none.
  package var hint: String { suggestion.map { "; did you mean '\($0)'?" } ?? "" }
}

extension ManagedObjectID {
  /// The id in a sentence: `Pigment p1`, or `the new Pigment t3`.
  package var shortDescription: String {
    isTemporary ? "the new \(entityName) t\(key.magnitude)" : "\(entityName) p\(key)"
  }
}
