import CopalEssentials

/// What is wrong with a property list or an archive, as data.
///
/// Look at the `code`; the sentence with its remedy is `description`, and `Docs/Errors.md` has a
/// heading for every code. It carries positions, names of classes and keys, never the values.
public struct ArchiveError: Error, Sendable, Hashable {
  /// The kind of error.
  public var code: Code
  /// What was found.
  public var found: String?
  /// What was expected.
  public var expected: String?
  /// Where: the number of bytes before the mistake.
  public var position: Int?
  /// Where in a keyed archive: the number of the object in `$objects`.
  public var object: Int?
  /// The class of the object. For a class that is not allowed: only if it is a collection of
  /// Foundation.
  public var className: String?
  /// The key of the object at which the mistake is.
  public var key: String?

  /// An error as data. Copal makes the errors of archives; a program reads them, and throws its own
  /// from its classes.
  public init(
    _ code: Code, found: String? = nil, expected: String? = nil, position: Int? = nil,
    object: Int? = nil, className: String? = nil,
    key: String? = nil
  ) {
    self.code = code
    self.found = found
    self.expected = expected
    self.position = position
    self.object = object
    self.className = className
    self.key = key
  }
}

extension ArchiveError {
  /// What is wrong with a property list or an archive, such as `archive.cycle`.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, such as `archive.cycle`.
    public let rawValue: String
    /// The sentence of an error with this code.
    let sentence: SentenceTemplate

    /// The code with a name. It can be a name that this version does not know.
    public init(rawValue: String) {
      self.init(rawValue, Self.all.first { $0.rawValue == rawValue }?.sentence ?? "{found}")
    }

    init(_ name: String, _ sentence: SentenceTemplate) {
      (rawValue, self.sentence) = (name, sentence)
    }
    /// The name of the code: `archive.cycle`.
    public var description: String { rawValue }
  }
}

extension ArchiveError: CustomStringConvertible {
  /// The sentence, the remedy and the code.
  public var description: String { "\(sentence) [\(code)]" }

  private var sentence: String {
    let isCollection = className != nil
    let expected = expected ?? ""
    return code.sentence.filled(found: Self.short(found ?? ""), expected: expected) { place in
      switch place {
      case "place": position.map { " at byte \($0)" } ?? ""
      case "object": object.map { "the object \($0)" } ?? "an object"
      case "class": Self.short(className ?? "")
      case "key": Self.short(key ?? "")
      case "collections": expected == "1" ? "collection is" : "collections are"
      case "kind": isCollection ? "collection class" : "class"
      case "it": isCollection ? "a collection" : "it"
      case "allowed": expected.isEmpty ? "no class is allowed" : "allowed: \(expected)"
      case "restore": "restore the value from a backup"
      default: nil
      }
    }
  }

  /// A name from an archive, whose length is for an attacker to choose.
  static func short(_ name: String) -> String {
    name.utf8.count <= 200 ? name : name.prefix(200) + "…"
  }
}
