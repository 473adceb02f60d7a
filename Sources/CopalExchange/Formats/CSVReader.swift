import CopalEssentials

/// Reads records of CSV: <https://www.rfc-editor.org/rfc/rfc4180>. Fields are between commas, a
/// record ends with a line, and a field in quotation marks can have both, with its own marks
/// doubled.
///
/// Reading goes over the bytes once. Memory has one record and one part of the input.
struct CSVReader {
  /// A field: the text, and whether it was in quotation marks. An empty one without them is no
  /// value.
  struct Field {
    var text: String
    var isQuoted: Bool
    /// The number of bytes of the record before it.
    var offset: Int
  }

  struct Record {
    /// The line on which the record begins.
    var line: Int
    var fields: [Field]
    var bytes: ArraySlice<UInt8>
  }

  private let input: ByteInput
  private let delimiter: UInt8
  private var buffer: [UInt8] = []
  private var start = 0
  private var line = 1
  private var isFirst = true
  /// Whether a line without anything is a record with one field.
  var keepsBlankLines = false
  /// Whether quotation marks go around fields. Otherwise they are characters as all others, and
  /// each line is a record.
  var hasQuotationMarks = true
  /// What a line of comment begins with; none by default.
  var comment: [UInt8] = []

  private static let quote = UInt8(ascii: "\"")

  init(_ input: ByteInput, delimiter: UInt8 = UInt8(ascii: ",")) {
    self.input = input
    self.delimiter = delimiter
  }

  /// The next record; nil at the end.
  ///
  /// - Throws: ``ImportError`` for a text that is no CSV.
  mutating func next() throws -> Record? {
    if isFirst { try begin() }
    while true {
      let isComment = try beginsWithComment()
      let hasQuotes = hasQuotationMarks && !isComment
      guard let end = try findEnd(hasQuotes: hasQuotes) else { return nil }
      let bytes = buffer[start..<end.content]
      let record = line
      line += end.lineCount
      start = end.next
      if isComment || bytes.isEmpty && !keepsBlankLines { continue }
      return Record(line: record, fields: try fields(bytes, record), bytes: bytes)
    }
  }

  private mutating func begin() throws {
    isFirst = false
    while buffer.count < 3, !input.isAtEnd { buffer += try input.next() }
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    if buffer.starts(with: [0xFF, 0xFE]) || buffer.starts(with: [0xFE, 0xFF]) {
      throw ImportError(
        ImportProblem(.notUTF8, line: 1, found: "UTF-16; save the file as UTF-8"))
    }
  }

  private mutating func beginsWithComment() throws -> Bool {
    if comment.isEmpty { return false }
    while buffer.count - start < comment.count, !input.isAtEnd { buffer += try input.next() }
    return buffer[start...].starts(with: comment)
  }

  private struct End {
    /// The end of the record's bytes.
    var content: Int
    /// The start of the next record.
    var next: Int
    var lineCount: Int
  }

  /// The end of the record at the start; more bytes are read until there is one.
  private mutating func findEnd(hasQuotes: Bool) throws -> End? {
    var place = start
    var isInQuotes = false
    var lineCount = 1
    while true {
      let found = buffer.withUnsafeBufferPointer { bytes -> Int? in
        while place < bytes.count {
          let byte = bytes[place]
          if byte == Self.quote, hasQuotes {
            // Elsewhere in a field it is a mistake, which is found when the record is read.
            let before = place > start ? bytes[place - 1] : delimiter
            if isInQuotes || before == delimiter || before == Self.quote { isInQuotes.toggle() }
          } else if byte == 0x0A {
            if !isInQuotes { return place }
            lineCount += 1
          }
          place += 1
        }
        return nil
      }
      if let found {
        let hasReturn = found > start && buffer[found - 1] == 0x0D
        return End(content: hasReturn ? found - 1 : found, next: found + 1, lineCount: lineCount)
      }
      if input.isAtEnd {
        if start == buffer.count { return nil }
        if isInQuotes {
          throw ImportError(
            ImportProblem(
              .notCSV, line: line, found: "a quotation mark that begins in this record has no end"))
        }
        var content = buffer.count
        if buffer[content - 1] == 0x0D { content -= 1 }
        return End(content: max(content, start), next: buffer.count, lineCount: lineCount)
      }
      place -= start
      buffer.removeFirst(start)
      start = 0
      buffer += try input.next()
      if buffer.count > LineReader.longest {
        throw ImportError(
          ImportProblem(.tooLong, line: line, found: "more than \(LineReader.longest >> 20) MB"))
      }
    }
  }

  private func fields(_ record: ArraySlice<UInt8>, _ line: Int) throws -> [Field] {
    var fields: [Field] = []
    var place = record.startIndex
    while true {
      let offset = place - record.startIndex
      if hasQuotationMarks, place < record.endIndex, record[place] == Self.quote {
        let (text, end) = try quoted(record, place + 1, line)
        fields.append(Field(text: text, isQuoted: true, offset: offset))
        place = end
        guard place == record.endIndex || record[place] == delimiter else {
          throw problem(
            .notCSV, record, place, line,
            "a field goes on after its closing quotation mark; write \"\" for a mark inside")
        }
      } else {
        let end = record[place...].firstIndex(of: delimiter) ?? record.endIndex
        if hasQuotationMarks, let mark = record[place..<end].firstIndex(of: Self.quote) {
          throw problem(
            .notCSV, record, mark, line,
            "a quotation mark inside a field; put the whole field into quotation marks, and write \"\" for the mark",
            remedy: .hasQuotationMarks)
        }
        fields.append(
          Field(text: try text(record[place..<end], record, line), isQuoted: false, offset: offset))
        place = end
      }
      if place == record.endIndex { return fields }
      place += 1
    }
  }

  /// The text of a field in quotation marks, and the place after the closing one.
  private func quoted(_ record: ArraySlice<UInt8>, _ start: Int, _ line: Int) throws -> (
    String, Int
  ) {
    var bytes: [UInt8] = []
    var part = start
    var place = start
    while place < record.endIndex {
      guard record[place] == Self.quote else {
        place += 1
        continue
      }
      let next = place + 1
      if next < record.endIndex, record[next] == Self.quote {
        bytes += record[part...place]
        place += 2
        part = place
        continue
      }
      if bytes.isEmpty { return (try text(record[part..<place], record, line), next) }
      bytes += record[part..<place]
      return (try text(bytes[...], record, line), next)
    }
    throw problem(.notCSV, record, start - 1, line, "a quotation mark that is not closed")
  }

  private func text(_ bytes: ArraySlice<UInt8>, _ record: ArraySlice<UInt8>, _ line: Int) throws
    -> String
  {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem(.notUTF8, record, bytes.startIndex, line, "bytes that are not UTF-8")
    }
    return text
  }

  private func problem(
    _ code: ImportProblem.Code, _ record: ArraySlice<UInt8>, _ place: Int, _ line: Int,
    _ found: String, remedy: ImportOption? = nil
  ) -> ImportError {
    let position = TextPlace(record, place - record.startIndex, line: line)
    return ImportError(
      ImportProblem(
        code, line: position.line, column: position.column, found: found, remedy: remedy))
  }
}

/// A line and a column of a record.
struct TextPlace {
  let line: Int
  /// The number of characters before it on the line, and 1.
  let column: Int

  /// - Parameter indent: the number of characters before the record on its first line.
  init(_ record: ArraySlice<UInt8>, _ offset: Int, line: Int, indent: Int = 0) {
    let before = record.prefix(offset)
    let breaks = before.reduce(0) { $1 == 0x0A ? $0 + 1 : $0 }
    self.line = line + breaks
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
    column =
      String(decoding: before[start...], as: UTF8.self).count + 1 + (breaks == 0 ? indent : 0)
  }
}

/// Writes CSV.
extension [UInt8] {
  /// Adds a field: in quotation marks where it needs them. An empty text has them, so that it is
  /// another one than no value.
  mutating func addCSV(utf8 text: UnsafeRawBufferPointer, delimiter: UInt8) {
    let quote = UInt8(ascii: "\"")
    var isPlain = text.first.map { $0 != 0x20 && $0 != 0x09 } ?? false
    for byte in text where byte == quote || byte == delimiter || byte == 0x0A || byte == 0x0D {
      isPlain = false
    }
    if isPlain { return append(contentsOf: text) }
    append(quote)
    for byte in text {
      if byte == quote { append(quote) }
      append(byte)
    }
    append(quote)
  }

  /// Adds a field.
  mutating func addCSV(_ text: String, delimiter: UInt8) {
    var text = text
    text.withUTF8 { addCSV(utf8: UnsafeRawBufferPointer($0), delimiter: delimiter) }
  }
}
