import CopalEssentials
import CopalStore

/// The form of a file of records.
public enum RecordFormat: Sendable, Hashable {
  /// CSV with a header: RFC 4180, with another character between the fields if one is given.
  case csv(delimiter: Character = ",")
  /// A list of objects.
  case json
  /// An object on each line.
  case jsonLines
  /// Lines of a log.
  case lines(LineTemplate)
}

/// A record of a file.
struct ImportRecord {
  /// The line on which it begins.
  var line: Int
  /// The bytes, for the columns of problems.
  var bytes: ArraySlice<UInt8>
  var fields: [Field]

  struct Field {
    var name: String
    var content: Content
    /// The number of bytes of the record before it.
    var offset: Int
    /// The same of its name, if the record has one.
    var nameOffset: Int?
  }

  enum Content {
    /// A text; nil is no value.
    case text(String?)
    case json(JSONItem)

    /// Whether it is no value.
    var isNone: Bool {
      switch self {
      case .text(nil), .json(.null): true
      default: false
      }
    }
  }

  /// The number of characters before the record on its first line.
  var indent = 0

  func place(_ offset: Int) -> TextPlace {
    TextPlace(bytes, offset, line: line, indent: indent)
  }
}

/// Reads records, one by one.
enum RecordReader {
  case csv(CSVReader, header: [String], FieldRules)
  case lines(LineReader, LineTemplate, noValue: String?)
  case jsonLines(LineReader)
  case json(ElementReader)

  /// What the fields of CSV may be.
  struct FieldRules {
    /// The text of no value.
    var noValue: String?
    /// Whether fields at the end of a record may be missing.
    var mayBeMissing: Bool
  }

  /// - Returns: the reader, and the names of the columns; none where each record has its own.
  static func open(_ input: ByteInput, _ format: RecordFormat, _ options: RecordImport) throws
    -> (RecordReader, [String])
  {
    let comment = Array((options.commentMark ?? "").utf8)
    var lines = LineReader(input)
    lines.comment = comment
    switch format {
    case .csv(let delimiter):
      guard let byte = delimiter.asciiValue, byte != 0x22, byte != 0x0A, byte != 0x0D else {
        throw ImportError(
          ImportProblem(
            .header, found: "'\(delimiter)' cannot be between fields; use , ; or a tabulator"))
      }
      var reader = CSVReader(input, delimiter: byte)
      (reader.comment, reader.hasQuotationMarks) = (comment, options.hasQuotationMarks)
      guard let names = try options.columnNames ?? reader.next()?.fields.map(\.text) else {
        throw ImportError(
          ImportProblem(
            .header, line: 1, found: "the file is empty; its first line must name the columns"))
      }
      reader.keepsBlankLines = names.count == 1
      let rules = FieldRules(
        noValue: options.textOfNoValue, mayBeMissing: options.allowsShortRecords)
      return (.csv(reader, header: names, rules), names)
    case .json: return (.json(ElementReader(input)), [])
    case .jsonLines: return (.jsonLines(lines), [])
    case .lines(let template):
      return (.lines(lines, template, noValue: options.textOfNoValue), template.names)
    }
  }

  /// The next record; nil at the end.
  ///
  /// - Throws: ``RecordFailure`` for a record that cannot be read while others can;
  ///   ``ImportError`` where nothing more can be read.
  mutating func next() throws -> ImportRecord? {
    switch self {
    case .csv(var reader, let header, let rules):
      defer { self = .csv(reader, header: header, rules) }
      guard let record = try reader.next() else { return nil }
      let count = record.fields.count
      guard count == header.count || count < header.count && rules.mayBeMissing else {
        let hint =
          count < header.count ? "; write --short-records if the last ones may be missing" : ""
        throw RecordFailure(
          problem: ImportProblem(
            .fieldCount, line: record.line, found: count.counted("field"),
            expected: "\(header.count)\(hint)"))
      }
      var fields = zip(header, record.fields).map { name, field in
        let isNone = field.text.isEmpty && !field.isQuoted || field.text == rules.noValue
        return ImportRecord.Field(
          name: name, content: .text(isNone ? nil : field.text), offset: field.offset)
      }
      fields += header.dropFirst(count).map {
        ImportRecord.Field(name: $0, content: .text(nil), offset: record.bytes.count)
      }
      return ImportRecord(line: record.line, bytes: record.bytes, fields: fields)
    case .lines(var reader, let template, let noValue):
      defer { self = .lines(reader, template, noValue: noValue) }
      while let line = try reader.next() {
        if line.isEmpty { continue }
        do throws(JSONFailure) {
          let parts = try template.parts(of: line)
          let fields = zip(template.names, parts).compactMap { name, part in
            name.isEmpty
              ? nil
              : ImportRecord.Field(
                name: name,
                content: .text(part.text.isEmpty || part.text == noValue ? nil : part.text),
                offset: part.offset)
          }
          return ImportRecord(line: reader.line, bytes: line, fields: fields)
        } catch {
          throw RecordFailure(
            problem: ImportProblem(
              .templateMismatch, line: reader.line,
              column: TextPlace(line, error.offset, line: 1).column, found: error.found))
        }
      }
      return nil
    case .jsonLines(var reader):
      defer { self = .jsonLines(reader) }
      while let line = try reader.next() {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
        return try Self.record(line, reader.line)
      }
      return nil
    case .json(var reader):
      defer { self = .json(reader) }
      guard let (bytes, line, indent) = try reader.next() else { return nil }
      return try Self.record(bytes, line, indent)
    }
  }

  private static func record(_ bytes: ArraySlice<UInt8>, _ line: Int, _ indent: Int = 0) throws
    -> ImportRecord
  {
    let item: JSONItem
    do {
      item = try JSONScanner.value(bytes)
    } catch {
      let place = TextPlace(bytes, error.offset, line: line, indent: indent)
      throw RecordFailure(
        problem: ImportProblem(
          .notJSON, line: place.line, column: place.column, found: error.found))
    }
    guard case .object(let members) = item else {
      throw RecordFailure(
        problem: ImportProblem(
          .notJSON, line: line, column: indent + 1,
          found: "a record must be an object, and it is \(item.kind)"))
    }
    let fields = members.map {
      ImportRecord.Field(
        name: $0.name, content: .json($0.value.item), offset: $0.value.offset,
        nameOffset: $0.offset)
    }
    return ImportRecord(line: line, bytes: bytes, fields: fields, indent: indent)
  }
}

/// A record that cannot be read while others can.
struct RecordFailure: Error {
  var problem: ImportProblem
}

/// Reads the elements of a list of JSON, one by one.
struct ElementReader {
  private let input: ByteInput
  private var buffer: [UInt8] = []
  private var start = 0
  private var line = 1
  /// The number of characters of the line before the start.
  private var indent = 0
  private var state = State.before

  private enum State { case before, first, after, end }

  init(_ input: ByteInput) { self.input = input }

  /// The bytes of the next element, the line on which it begins, and the number of characters
  /// before it on the line; nil at the end.
  mutating func next() throws -> (ArraySlice<UInt8>, Int, Int)? {
    if state == .before {
      try begin()
      state = .first
    }
    if state == .end { return nil }
    guard let byte = try nextSign() else { throw failure("the list has no end") }
    if byte == UInt8(ascii: "]") {
      skip()
      state = .end
      if try nextSign() != nil { throw failure("something follows the list") }
      return nil
    }
    if state == .after {
      guard byte == UInt8(ascii: ",") else { throw failure("a comma is missing between records") }
      skip()
      guard try nextSign() != nil else { throw failure("the list has no end") }
    }
    state = .after
    return try element()
  }

  private mutating func begin() throws {
    while buffer.count < 3, !input.isAtEnd { buffer += try input.next() }
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    guard try nextSign() == UInt8(ascii: "[") else {
      throw failure(
        "it must be a list of objects; for an object on each line, use --format jsonl; of a dump, import what copal dump STORE ENTITY --format jsonl writes"
      )
    }
    skip()
  }

  /// Goes over a character.
  private mutating func skip() {
    start += 1
    indent += 1
  }

  /// The next byte that is no space; nil at the end.
  private mutating func nextSign() throws -> UInt8? {
    while true {
      while start < buffer.count {
        switch buffer[start] {
        case 0x0A:
          line += 1
          indent = -1
        case 0x20, 0x09, 0x0D: break
        default: return buffer[start]
        }
        skip()
      }
      if try !fill() { return nil }
    }
  }

  /// The element at the start: until its brackets and marks are closed.
  private mutating func element() throws -> (ArraySlice<UInt8>, Int, Int) {
    var place = start
    var depth = 0
    var isInText = false
    let first = line
    while true {
      while place < buffer.count {
        let byte = buffer[place]
        place += 1
        if isInText {
          if byte == UInt8(ascii: "\\") { place += 1 }
          if byte == UInt8(ascii: "\"") { isInText = false }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          if depth == 0 { return end(place, first) }
          if depth < 0 { return end(place - 1, first) }
        case UInt8(ascii: ",") where depth == 0: return end(place - 1, first)
        default: break
        }
      }
      let offset = place - start
      if try !fill() { throw failure("a record has no end") }
      place = start + offset
    }
  }

  private mutating func end(_ place: Int, _ first: Int) -> (ArraySlice<UInt8>, Int, Int) {
    let bytes = buffer[start..<min(place, buffer.count)]
    let before = indent
    let end = TextPlace(bytes, bytes.count, line: line, indent: indent)
    (line, indent, start) = (end.line, end.column - 1, place)
    return (bytes, first, before)
  }

  /// - Returns: whether there was more.
  private mutating func fill() throws -> Bool {
    buffer.removeFirst(min(start, buffer.count))
    start = 0
    let part = try input.next()
    buffer += part
    if buffer.count > LineReader.longest {
      throw ImportError(
        ImportProblem(.tooLong, line: line, found: "more than \(LineReader.longest >> 20) MB"))
    }
    return !part.isEmpty
  }

  private func failure(_ found: String) -> ImportError {
    ImportError(ImportProblem(.notJSON, line: line, found: found))
  }
}
