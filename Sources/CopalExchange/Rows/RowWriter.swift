import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// Writes rows in the format of a dump.
struct RowWriter {
  private let dump: RowDump
  private let session: RowSession
  private let names: [String]
  private let output: ByteOutput
  private let delimiter: UInt8
  private var count = 0
  /// The number of values that could not be read.
  let unreadable = UnreadableCount()
  /// The first rows of a table, until its widths are known.
  private var first: [[ShownValue]]? = []
  private var table: TextTable?

  /// The number of rows that say how wide the columns of a table are.
  private static let sample = 1000

  init(_ dump: RowDump, _ session: RowSession, _ names: [String], _ output: ByteOutput) {
    (self.dump, self.session, self.names, self.output) = (dump, session, names, output)
    delimiter = dump.delimiter.asciiValue ?? UInt8(ascii: ",")
  }

  mutating func begin() throws {
    switch dump.format {
    case .csv:
      try output.add { bytes in
        for (place, name) in names.enumerated() {
          if place > 0 { bytes.append(delimiter) }
          bytes.addCSV(name, delimiter: delimiter)
        }
        bytes.append(UInt8(ascii: "\n"))
      }
    case .json: try output.add("[")
    case .jsonLines, .table: break
    }
  }

  /// Writes a row whose columns need no others.
  mutating func write(_ key: Int64, _ row: PackedRow, _ values: RowValues) throws {
    guard dump.format == .csv else { return try write(values.values(key, row)) }
    count += 1
    try output.add { bytes in
      for (place, plan) in values.plan(of: row.entity).enumerated() {
        if place > 0 { bytes.append(delimiter) }
        addCSV(plan, key, row, values, &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Adds a value to CSV, without a copy of a text.
  private func addCSV(
    _ plan: CellPlan, _ key: Int64, _ row: PackedRow, _ values: RowValues, _ bytes: inout [UInt8]
  ) {
    withExtendedLifetime(row) {
      let base = row.base
      switch plan {
      case .id: bytes.add(key)
      case .integer(let slot) where !PackedRowValues.isNull(base, slot):
        bytes.add(PackedRowValues.integer(base, slot))
      case .real(let slot) where !PackedRowValues.isNull(base, slot):
        bytes += ExchangeText.text(PackedRowValues.real(base, slot)).utf8
      case .text(let slot) where !PackedRowValues.isNull(base, slot):
        bytes.addCSV(utf8: PackedRowValues.bytes(base, slot), delimiter: delimiter)
      default: addCSV(values.cell(plan, key, row), &bytes)
      }
    }
  }

  mutating func write(_ row: [CellValue]) throws {
    count += 1
    switch dump.format {
    case .csv: try writeCSV(row)
    case .json:
      try output.add(count == 1 ? "\n  " : ",\n  ")
      try writeObject(row)
    case .jsonLines:
      try writeObject(row)
      try output.add("\n")
    case .table:
      let cells = row.enumerated().map { place, value in
        shown(value, isAverage: dump.averages.contains(place))
      }
      guard first != nil else {
        if let table { try output.add(table.line(cells) + "\n") }
        return
      }
      first?.append(cells)
      if count == Self.sample { try writeFirst() }
    }
  }

  mutating func end() throws {
    switch dump.format {
    case .json: try output.add(count == 0 ? "]" : "\n]")
    case .table: try writeFirst()
    default: break
    }
  }

  private mutating func writeFirst() throws {
    guard let rows = first else { return }
    let table = TextTable(
      headings: names, rows: rows, width: dump.width, paints: dump.paintsColors)
    for line in table.head { try output.add(line + "\n") }
    for row in rows { try output.add(table.line(row) + "\n") }
    (self.table, first) = (table, nil)
  }

  // MARK: CSV

  private func writeCSV(_ row: [CellValue]) throws {
    try output.add { bytes in
      for (place, value) in row.enumerated() {
        if place > 0 { bytes.append(delimiter) }
        addCSV(value, &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  private func addCSV(_ value: CellValue, _ bytes: inout [UInt8]) {
    switch value {
    case .value(.null): break
    case .value(.string(let text)): bytes.addCSV(text, delimiter: delimiter)
    case .value(.binary(let data)):
      // No bytes are another value than none.
      bytes.addCSV(data.base64EncodedString(), delimiter: delimiter)
    case .value(let value): bytes += (ExchangeText.text(value) ?? "").utf8
    case .transformable:
      bytes.addCSV(transformed(value), delimiter: delimiter)
    case .list(let values): bytes.addCSV(list(values), delimiter: delimiter)
    case .hidden: bytes += ExchangeText.hidden.utf8
    case .unreadable: bytes += unreadable.next().utf8
    }
  }

  /// Texts with spaces between them; a list of JSON, if one of them has a space.
  private func list(_ values: [CellValue]) -> String {
    let before = unreadable.number
    let texts = values.map(text)
    let isPlain = texts.allSatisfy { text in
      !text.isEmpty && !text.contains(where: \.isWhitespace) && !text.hasPrefix("[")
    }
    if isPlain { return texts.joined(separator: " ") }
    // What is written instead counts its own.
    unreadable.number = before
    var bytes: [UInt8] = []
    addJSON(.list(values), &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func text(_ value: CellValue) -> String {
    switch value {
    case .value(let value): ExchangeText.text(value) ?? ""
    case .transformable: transformed(value)
    case .list(let values): values.map(text).joined(separator: " ")
    case .hidden: ExchangeText.hidden
    case .unreadable: unreadable.next()
    }
  }

  /// A transformable as a text: as people see it, or Base64 of its stored form.
  private func transformed(_ value: CellValue) -> String {
    guard case .transformable(_, _, let stored, _) = value else { return "" }
    if dump.showsStoredForms || !isKnown(value) { return ExchangeText.text(stored) ?? "" }
    return shown(value).text
  }

  private func isKnown(_ value: CellValue) -> Bool {
    guard case .transformable(let slot, let entity, _, _) = value else { return false }
    return session.transformers(of: entity).isKnown(slot)
  }

  // MARK: JSON

  private func writeObject(_ row: [CellValue]) throws {
    try output.add { bytes in
      bytes.append(UInt8(ascii: "{"))
      for (place, value) in row.enumerated() {
        if place > 0 { bytes += ", ".utf8 }
        bytes.addJSON(names[place])
        bytes += ": ".utf8
        addJSON(value, &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private func addJSON(_ value: CellValue, _ bytes: inout [UInt8]) {
    switch value {
    case .value(let value): bytes.addJSON(value)
    case .transformable(let slot, let entity, let stored, let version):
      if isKnown(value), !dump.showsStoredForms { return bytes.addJSON(shown(value).text) }
      let attribute = session.schema.entities[entity].attributes[slot]
      bytes.addStoredForm(stored, attribute.transformer?.rawValue, version)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { bytes += ", ".utf8 }
        addJSON(value, &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .hidden: bytes.addJSON(ExchangeText.hidden)
    case .unreadable: bytes.addJSON(unreadable.next())
    }
  }

  // MARK: Tables

  private func shown(_ value: CellValue, isAverage: Bool = false) -> ShownValue {
    switch value {
    case .value(let value): return ShownValue(value, isAverage: isAverage)
    case .list(let values): return ShownValue(values.map { shown($0).text }.joined(separator: " "))
    case .hidden: return ShownValue(ExchangeText.hidden)
    case .unreadable: return ShownValue(unreadable.next())
    case .transformable(let slot, let entity, let stored, let version):
      let transformers = session.transformers(of: entity)
      if dump.showsStoredForms || !transformers.isKnown(slot) { return ShownValue(stored) }
      guard let value = try? transformers.value(of: stored, version: version, slot) else {
        return ShownValue(unreadable.next())
      }
      return dump.style.show(value) ?? ShownValue("\(value)")
    }
  }
}

/// Counts the values that cannot be read.
final class UnreadableCount {
  var number = 0

  /// What stands for one more.
  func next() -> String {
    number += 1
    return ExchangeText.unreadable
  }
}

extension [UInt8] {
  /// Adds an integer.
  fileprivate mutating func add(_ number: Int64) {
    var rest = number.magnitude
    if number < 0 { append(UInt8(ascii: "-")) }
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }

  /// Adds the stored form of a transformable: its transformer, its version, and the form.
  mutating func addStoredForm(_ stored: PropertyValue, _ transformer: String?, _ version: Int?) {
    self += "{\"transformer\": ".utf8
    addJSON(transformer ?? "")
    if let version { self += ", \"version\": \(version)".utf8 }
    switch stored {
    case .binary(let data):
      self += ", \"base64\": ".utf8
      addJSON(data.base64EncodedString())
    default:
      self += ", \"value\": ".utf8
      addJSON(stored)
    }
    append(UInt8(ascii: "}"))
  }
}
