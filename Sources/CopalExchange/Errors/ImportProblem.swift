import CopalEssentials
import CopalStore

/// One thing in a file that an import refuses, as data: where it is, and what to do.
public struct ImportProblem: Sendable, Hashable {
  /// The kind of problem.
  public var code: Code
  /// The number of the line in the file, from 1; nil where no line is concerned.
  public var line: Int?
  /// The number of characters before it on the line, and 1; nil where the line as a whole is
  /// concerned.
  public var column: Int?
  /// The entity and the property concerned.
  public var entity: String?
  /// The property concerned.
  public var property: String?
  /// What was found. It has the text of the file, unless the attribute is `"private"`.
  public var found: String?
  /// What was expected.
  public var expected: String?
  /// The valid name that is most similar to a name that does not exist.
  public var suggestion: String?
  /// How the import can be told to read it; nil where the file has to change.
  public var remedy: ImportOption?
  /// The number of records that have it. A name that is no property is listed once, with the place
  /// of its first record; for every other problem it is 1.
  public var count = 1

  /// A problem as data.
  public init(
    _ code: Code, line: Int? = nil, column: Int? = nil, entity: String? = nil,
    property: String? = nil, found: String? = nil, expected: String? = nil,
    suggestion: String? = nil, remedy: ImportOption? = nil
  ) {
    self.code = code
    self.line = line
    self.column = column
    self.entity = entity
    self.property = property
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
    self.remedy = remedy
  }
}

extension ImportProblem {
  /// What is wrong, such as `import.wrongValue`.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, such as `import.wrongValue`.
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
    /// The name of the code: `import.wrongValue`.
    public var description: String { rawValue }

    /// The file is no CSV.
    public static let notCSV = Self("import.notCSV", "the file is no CSV: {found}")
    /// The file is no JSON.
    public static let notJSON = Self("import.notJSON", "the file is no JSON: {found}")
    /// The file has bytes that are no UTF-8.
    public static let notUTF8 = Self("import.notUTF8", "the file has {found}; save it as UTF-8")
    /// A line or a record is too long.
    public static let tooLong = Self("import.tooLong", "the line has {found}")
    /// A line does not have the form of the template.
    public static let templateMismatch = Self(
      "import.templateMismatch", "the line does not have the form of the template: {found}")
    /// A record has another number of fields than the header.
    public static let fieldCount = Self(
      "import.fieldCount", "the record has {found}, and there must be {expected}")
    /// The header or the map names no property.
    public static let unknownProperty = Self(
      "import.unknownProperty",
      SentenceTemplate("there is no property '{found}'{records}", otherwise: ""))
    /// The file has no header, or two columns for one property.
    public static let header = Self("import.header", "{found}{records}")
    /// A text is not a value of the type of its property.
    public static let wrongValue = Self(
      "import.wrongValue",
      SentenceTemplate("'{found}' is no value here; write {expected}", otherwise: ""))
    /// A value breaks a rule of the model.
    public static let brokenRule = Self(
      "import.brokenRule", SentenceTemplate("{found}", otherwise: ""))
    /// A required property has no value.
    public static let required = Self(
      "import.required", "a value is missing, and the property is required")
    /// An object with the value of a unique attribute does not exist.
    public static let missingObject = Self(
      "import.missingObject", "there is no object with the value '{found}'; import it first")
    /// Another object has the same values in a unique constraint.
    public static let notUnique = Self(
      "import.notUnique", "another object has the same value{value}")
    /// The store refuses the record for another reason.
    public static let refused = Self("import.refused", "{found}")
    /// The file is no export.
    public static let notAnExport = Self(
      "import.notAnExport",
      "the file is no export of a store: {found}; name an entity to import records, or import what an export of a store has written"
    )
    /// The export is of a later format.
    public static let newerFormat = Self(
      "import.newerFormat",
      "the export has the format {found}, and this version reads {expected}; use a newer version")
    /// The end of the export is missing.
    public static let cutOff = Self(
      "import.cutOff", "the export is cut off: {found}; export the store again")
    /// The store has another model than the export.
    public static let otherModel = Self(
      "import.otherModel",
      "the store has another model than the export: {found}; import into a new store")
    /// The store has objects already.
    public static let notEmpty = Self(
      "import.notEmpty", "the store has objects already; import into a new store")

    /// All codes.
    package static let all: [Self] = [
      .notCSV, .notJSON, .notUTF8, .tooLong, .templateMismatch, .fieldCount, .unknownProperty,
      .header, .wrongValue, .brokenRule, .required, .missingObject, .notUnique, .refused,
      .notAnExport, .newerFormat, .cutOff, .otherModel, .notEmpty,
    ]
  }
}

extension ImportProblem: CustomStringConvertible {
  /// The place, the sentence with its remedy, and the code: `12:7: Pigment.price: …`.
  public var description: String { place + text { "\($0)" } }

  /// The line and the column, with a colon behind each; empty for a problem without a line.
  package var place: String {
    guard let line else { return "" }
    return "\(line):" + (column.map { "\($0):" } ?? "") + " "
  }

  /// The sentence with its remedy, and the code.
  ///
  /// - Parameter words: the words for an option.
  package func text(_ words: (ImportOption) -> String) -> String {
    // These sentences already say what to write.
    let or = [.wrongValue, .notCSV].contains(code) ? ", or " : "; "
    return "\(subject)\(sentence)\(remedy.map { or + words($0) } ?? "") [\(code)]"
  }

  private var subject: String {
    let path = [entity, property].compactMap { $0 }.joined(separator: ".")
    return path.isEmpty ? "" : path + ": "
  }

  private var sentence: String {
    let found = found ?? "nothing"
    // An option for a name says what to write, as a similar name would.
    let similar = code == .unknownProperty && remedy != nil ? nil : suggestion
    return code.sentence.filled(
      found: found, expected: expected ?? "something else", suggestion: similar
    ) { place in
      switch place {
      case "records": count > 1 ? " (in \(count.counted("record")))" : ""
      case "value": found.isEmpty ? "" : " '\(found)'"
      default: nil
      }
    }
  }
}

/// The problems of an import. The first hundred are listed.
struct ImportProblems {
  private var all: [ImportProblem] = []
  private var hasMore = false

  var isEmpty: Bool { all.isEmpty }

  /// Adds a problem. A name that is none is listed once, with the number of its records.
  mutating func add(_ problem: ImportProblem) {
    if problem.code == .unknownProperty || problem.code == .header {
      let same = all.firstIndex {
        ($0.code, $0.entity, $0.found) == (problem.code, problem.entity, problem.found)
      }
      if let same {
        all[same].count += 1
        return
      }
    }
    if all.count < 100 { all.append(problem) } else { hasMore = true }
  }

  func throwIfAny() throws {
    if !all.isEmpty { throw ImportError(all, hasMore: hasMore) }
  }
}

extension String {
  /// The text as a word of a shell: with apostrophes, if it needs them.
  package var quotedForShell: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy {
        65...90 ~= $0 || 97...122 ~= $0 || 45...57 ~= $0 || $0 == 95
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}

/// Why an import was refused. Nothing of it is in the store.
public struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong: the first 100 problems that the file alone shows, or the first one that only
  /// the store shows.
  public let problems: [ImportProblem]
  /// Whether there are more problems.
  public let hasMore: Bool

  /// An error of some problems.
  public init(_ problems: [ImportProblem], hasMore: Bool = false) {
    (self.problems, self.hasMore) = (problems, hasMore)
  }

  init(_ problem: ImportProblem) { self.init([problem]) }

  /// The problems, one line each.
  public var description: String {
    problems.map(\.description).joined(separator: "\n") + (hasMore ? "\n… and more" : "")
  }
}
