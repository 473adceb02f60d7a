import CopalEssentials
import CopalModel
import CopalStore

/// A model for the records of a CSV file: an entity whose attributes have the types that all values
/// of their columns have. What the values do not decide is a comment, for a person to read.
///
/// An import of the same file accepts each value.
package struct ModelOfRecords {
  /// The model as JSON with comments.
  package let text: String
  /// The number of records.
  package let count: Int
  /// The options with which `copal import` reads the file.
  package let importOptions: [String]

  /// Reads a whole file. It keeps a number for each value of a column whose values all differ, and
  /// nothing else of the records. Files with tabs often have quotation marks inside fields: such a
  /// file is read twice, the second time with marks as they are.
  ///
  /// - Parameters:
  ///   - name: the name of the model and of the entity.
  ///   - open: opens the file at its beginning.
  /// - Throws: ``ImportError`` for a file that is no CSV; what the input throws.
  package static func reading(name: String, _ open: () throws -> ByteInput) throws -> Self {
    do {
      return try Self(open(), name, hasQuotationMarks: true)
    } catch let error as ImportError where error.problems.contains(where: { $0.code == .notCSV }) {
      let second = try Self(open(), name, hasQuotationMarks: false)
      return try second.isTabbed ? second : { throw error }()
    }
  }

  private let isTabbed: Bool

  private init(_ input: ByteInput, _ name: String, hasQuotationMarks: Bool) throws {
    var parts = [try input.next()]
    let hasComments = parts[0].first == UInt8(ascii: "#")
    let delimiter = Self.delimiter(of: parts[0], hasComments: hasComments)
    let all = ByteInput { try parts.popLast() ?? input.next() }
    isTabbed = delimiter == UInt8(ascii: "\t")
    var reader = CSVReader(all, delimiter: delimiter)
    reader.hasQuotationMarks = hasQuotationMarks
    if hasComments { reader.comment = [UInt8(ascii: "#")] }
    guard let header = try reader.next() else {
      throw ImportError(
        ImportProblem(
          .header, line: 1, found: "the file is empty; its first line must name the columns"))
    }
    let headers = header.fields.map(\.text)
    reader.keepsBlankLines = headers.count == 1
    var columns = zip(headers, Self.propertyNames(headers)).map {
      DraftedColumn(header: $0, name: $1)
    }
    var count = 0
    var isShort = false
    while let record = try reader.next() {
      count += 1
      if record.fields.count < columns.count { isShort = true }
      for place in columns.indices {
        let field = place < record.fields.count ? record.fields[place] : nil
        columns[place].add(field.flatMap { $0.text.isEmpty && !$0.isQuoted ? nil : $0.text })
      }
    }
    self.count = count
    // An import knows one text of no value, for all columns.
    let noValue = columns.lazy.compactMap(\.noValue).first
    if let noValue { for place in columns.indices { columns[place].settle(noValue) } }
    importOptions =
      Self.options(columns, delimiter) + (noValue.map { ["--nil '\($0)'"] } ?? [])
      + (hasQuotationMarks ? [] : ["--no-quotes"])
      + (isShort ? ["--short-records"] : [])
      + (hasComments ? ["--comment '#'"] : [])
    let lines = columns.enumerated().map { place, column in
      let (value, doubts) = column.result
      let comment = doubts.isEmpty ? "" : " // " + doubts.joined(separator: "; ")
      return "        \"\(column.name)\": \(value)\(place < columns.count - 1 ? "," : "")\(comment)"
    }
    text = """
      {
        "copal": 1,
        "model": "\(name)",
        "entities": {
          "\(name)": {
            "attributes": {
      \(lines.joined(separator: "\n"))
            }
          }
        }
      }

      """
  }

  /// A tabulator, or else the character that is most often in the first line, outside of quotation
  /// marks.
  private static func delimiter(of start: [UInt8], hasComments: Bool) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    let lines = start.split(separator: UInt8(ascii: "\n"))
    let first = lines.first { !hasComments || $0.first != UInt8(ascii: "#") } ?? []
    for byte in first {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      counts[byte, default: 0] += 1
    }
    if counts[UInt8(ascii: "\t")] != nil { return UInt8(ascii: "\t") }
    let known = [",", ";", "|"].map { UInt8(ascii: $0) }
    return known.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? known[0]
  }

  private static func options(_ columns: [DraftedColumn], _ delimiter: UInt8) -> [String] {
    var options = columns.filter { !ImportColumns.matches($0.name, $0.header, exactly: false) }.map
    {
      // An import leaves out a column without a name.
      "--map " + "\($0.header)=\($0.name)".quotedForShell
    }
    switch delimiter {
    case UInt8(ascii: ","): break
    case UInt8(ascii: "\t"): options.append("--delimiter tab")
    default: options.append("--delimiter '\(Character(UnicodeScalar(delimiter)))'")
    }
    return options
  }

  // MARK: Names

  /// The names of properties for the names of columns: `Unit price (net)` becomes `unitPrice`.
  private static func propertyNames(_ headers: [String]) -> [String] {
    var taken: Set<String> = []
    return headers.enumerated().map { place, header in
      let words = header.prefix { $0 != "(" }.split { !$0.isLetter && !$0.isNumber }.prefix(6)
      let base = words.enumerated().map { place, word in
        let isCapital = word.allSatisfy { !$0.isLowercase }
        if place > 0 { return word.prefix(1).uppercased() + word.dropFirst() }
        return isCapital ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
      }.joined()
      let number = "column\(place + 1)"
      let name = [base, base + "Value", number].first(where: isAllowed) ?? number
      var unique = name
      var next = 2
      while !taken.insert(unique).inserted {
        unique = "\(name)\(next)"
        next += 1
      }
      return unique
    }
  }

  /// Whether a model accepts a name of an attribute.
  private static func isAllowed(_ name: String) -> Bool {
    if name.isEmpty { return false }
    let item = FormattedName(name).json
    let model =
      "{ \"copal\": 1, \"model\": \"M\", \"entities\": { \"E\": { \"attributes\": { \(item): \"string\" } } } }"
    return (try? ManagedObjectModel(json: model, file: "")) != nil
  }

  private struct FormattedName {
    let json: String

    init(_ name: String) {
      var bytes: [UInt8] = []
      bytes.addJSON(name)
      json = String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// What the values of a column say about its type.
private struct DraftedColumn {
  let header: String
  let name: String
  private var candidates = Candidate.all
  private var valueCount = 0
  private var missingCount = 0
  /// The texts among the values that could stand for no value, and the one that does.
  private var candidatesOfNoValue: Set<String> = []
  private var settled: String?
  private var hasLeadingZeros = false
  private var isDigits = true
  private var isZeroOrOne = true
  private var fractionDigits = 0
  /// A number whose last digits a decimal does not keep, where not all have as many of them.
  private var shortened: String?
  private var hasEqualDigits = true
  private var isShortDouble = true
  private var dateForms = Self.otherForms
  /// The different values, until one is repeated.
  private var unique: Set<Int>? = []
  /// The different values, as long as they are few.
  private var few: [String]? = []

  init(header: String, name: String) { (self.header, self.name) = (header, name) }

  /// A type that the column can have.
  private struct Candidate {
    let type: AttributeType
    let reader: ValueReader
    /// The text that stands for no value, if it is the only one that the type does not accept.
    var noValue: String?
    var accepted = 0

    static let all = [AttributeType.boolean, .integer, .decimal, .double, .date, .uuid, .uri].map {
      Candidate(type: $0, reader: ValueReader(attribute: AttributeDescription("value", $0)))
    }

    /// - Returns: whether the column can still have the type.
    mutating func add(_ text: String) -> Bool {
      if fits(text) {
        accepted += 1
        return true
      }
      guard DraftedColumn.noValues.contains(text), noValue == nil || noValue == text else {
        return false
      }
      noValue = text
      return true
    }

    /// Stricter than an import: the text is what the type would write.
    private func fits(_ text: String) -> Bool {
      switch type {
      case .boolean: return text == "true" || text == "false"
      case .integer, .decimal, .double:
        let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
        if digits.hasPrefix("+") || digits.hasPrefix(".") { return false }
        if digits.count > 1, digits.hasPrefix("0"), !digits.hasPrefix("0.") { return false }
        if type == .decimal, text.contains(where: { $0 == "e" || $0 == "E" }) { return false }
      case .date: if text.hasPrefix("@") { return false }
      case .uri: if !text.contains("://") { return false }
      default: break
      }
      return (try? reader.value(of: text)) != nil
    }
  }

  private static let noValues: Set<String> = [
    "", "NA", "N/A", "n/a", "NULL", "Null", "null", "nil", "None", "none", "NaN", "nan", "-", "--",
    "?", "\\N", ".",
  ]

  private static let otherForms = [
    "dd.MM.yyyy", "d.M.yyyy", "MM/dd/yyyy", "dd/MM/yyyy", "M/d/yyyy", "yyyy/MM/dd", "yyyyMMdd",
    "dd.MM.yyyy HH:mm", "dd.MM.yyyy HH:mm:ss", "yyyy/MM/dd HH:mm:ss", "dd-MMM-yyyy", "d MMM yyyy",
  ].compactMap { try? DateTemplate($0) }

  private static let greatestFewCount = 8

  mutating func add(_ text: String?) {
    guard let text else {
      missingCount += 1
      return
    }
    valueCount += 1
    if Self.noValues.contains(text) { candidatesOfNoValue.insert(text) }
    candidates = candidates.compactMap {
      var candidate = $0
      return candidate.add(text) ? candidate : nil
    }
    dateForms.removeAll { $0.date(of: text) == nil }
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    isDigits = isDigits && digits.utf8.allSatisfy { 48...57 ~= $0 }
    hasLeadingZeros = hasLeadingZeros || digits.count > 1 && digits.hasPrefix("0")
    isZeroOrOne = isZeroOrOne && (text == "0" || text == "1")
    if let point = text.firstIndex(of: ".") {
      let digits = text.distance(from: point, to: text.endIndex) - 1
      if valueCount > 1, digits != fractionDigits { hasEqualDigits = false }
      if text.hasSuffix("0") { shortened = shortened ?? text }
      fractionDigits = max(fractionDigits, digits)
      isShortDouble = isShortDouble && Double(text).map { "\($0)" } == text
    } else if fractionDigits > 0 {
      hasEqualDigits = false
    }
    if unique?.insert(text.hashValue).inserted == false { unique = nil }
    if let known = few, !known.contains(text) {
      few = known.count < Self.greatestFewCount ? known + [text] : nil
    }
  }

  private var chosen: Candidate? {
    guard let first = candidates.first(where: { $0.accepted > 0 }) else { return nil }
    // Measurements have many digits, and prices have few.
    guard first.type == .decimal, fractionDigits > 4, isShortDouble else { return first }
    return candidates.first { $0.type == .double } ?? first
  }

  /// The text that stands for no value, if the column has a type only without it.
  var noValue: String? { chosen?.noValue }

  /// Another column has decided which text stands for no value in the file.
  mutating func settle(_ text: String) {
    candidates.removeAll { $0.noValue != nil && $0.noValue != text }
    if candidatesOfNoValue.contains(text) { settled = text }
  }

  /// The value of the attribute in the model, and what a person should look at.
  var result: (value: String, doubts: [String]) {
    let chosen = chosen
    let isOptional = missingCount > 0 || settled != nil
    let type = (chosen?.type ?? .string).rawValue + (isOptional || valueCount == 0 ? "?" : "")
    var doubts: [String] = []
    if !ImportColumns.matches(name, header, exactly: false) {
      doubts.append("the column '\(Self.shown(header))'")
    }
    if valueCount == 0 { doubts.append("no record has a value") }
    if let text = settled { doubts.append("'\(text)' is no value") }
    switch chosen?.type {
    case .integer where isZeroOrOne: doubts.append("only 0 and 1: boolean?")
    case .decimal where !hasEqualDigits:
      if let shortened { doubts.append("'\(shortened)' loses its last zeros: string?") }
    case .double where fractionDigits > 0: doubts.append("decimal, if these are amounts")
    case nil where isDigits && hasLeadingZeros:
      doubts.append("digits that begin with 0 are kept as text")
    case nil where valueCount > 0:
      if let form = dateForms.first { doubts.append("date, with --date '\(form.text)'?") }
    default: break
    }
    let isName = chosen == nil || chosen?.type == .integer || chosen?.type == .uuid
    if isName, unique != nil, !isOptional, valueCount > 1 {
      doubts.append("all values differ: \"unique\"?")
    }
    if chosen == nil, let few, valueCount >= 4 * few.count, valueCount >= 16 {
      let values = few.sorted().map { "'\(Self.shown($0))'" }.joined(separator: ", ")
      doubts.append("only \(values): \"cases\"?")
    }
    return ("\"\(type)\"", doubts)
  }

  /// A text of the file in a comment: on one line, and short.
  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(40).map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "?"
      default: Character(scalar)
      }
    }
    return String(scalars) + (text.unicodeScalars.count > 40 ? "…" : "")
  }
}
