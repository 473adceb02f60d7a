import Copal
import CopalExchange
import CopalTestSupport
import Foundation
import Testing

@Suite("Rows as tables, as CSV and as JSON")
struct RowDumpTests {
  /// Things with values of one attribute.
  private func container(_ attribute: String, _ values: [Any]) throws -> PersistentContainer {
    let container = try ExchangeWorld.container(.inMemory)
    let context = container.makeContext()
    for (number, value) in values.enumerated() {
      let thing = try context.insert("Thing")
      try thing.setValue("tag \(number)", forKey: "tag")
      try thing.setValue(value, forKey: attribute)
    }
    try context.save()
    return container
  }

  private func decimals(_ texts: String...) throws -> PersistentContainer {
    try container("exact", texts.map { try #require(Decimal(string: $0)) })
  }

  /// The lines of a dump of one attribute.
  private func lines(
    _ container: PersistentContainer, _ attribute: String, _ format: RowDump.Format
  ) throws -> [String] {
    var bytes: [UInt8] = []
    var dump = RowDump(container, FetchRequest<ManagedObject>(entityName: "Thing"))
    (dump.format, dump.columns) = (format, [attribute])
    try dump.run(to: ByteOutput { bytes += $0 })
    return lines(bytes)
  }

  /// The lines of groups, without those of the head.
  private func group(
    _ container: PersistentContainer, _ text: String, _ format: RowDump.Format
  ) throws -> [String] {
    var bytes: [UInt8] = []
    let columns = try ResultColumn.list(text)
    let request = ValueRequest(
      entityName: "Thing", columns: columns.map { .init($0.name, $0.expression) })
    var dump = GroupDump(container, request, columns)
    dump.format = format
    try dump.run(to: ByteOutput { bytes += $0 })
    return Array(lines(bytes).dropFirst(format == .table ? 2 : format == .csv ? 1 : 0))
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  @Test("decimals of groups are exact in every form", arguments: RowDump.Format.allCases)
  func exactGroups(format: RowDump.Format) throws {
    let container = try decimals("1234567890123456.785", "10", "0.333")
    let rows = try group(container, "min exact, max exact, sum exact", format).joined()
    for text in ["0.333", "1234567890123456.785", "1234567890123467.118"] {
      #expect(rows.contains(text), "\(rows)")
    }
    let values = try group(container, "exact", format).joined()
    #expect(values.contains("1234567890123456.785"), "\(values)")
  }

  @Test("groups read their table once, with the number of the values that cannot be read")
  func readOnce() throws {
    let test = try TestStore()
    let container = try ExchangeWorld.container(test.configuration())
    let context = container.makeContext()
    for number in 1...3 { try context.insert("Thing").setValue("tag \(number)", forKey: "tag") }
    try context.save()
    _ = try test.sqlite3("UPDATE Thing SET large = 'x' WHERE copal_id > 1")
    let columns = try ResultColumn.list("count, sum large, max large")
    let request = ValueRequest(
      entityName: "Thing", columns: columns.map { .init($0.name, $0.expression) })
    var dump = GroupDump(container, request, columns)
    var unreadable = 0
    dump.format = .csv
    dump.foundUnreadable = { unreadable += $0 }
    var bytes: [UInt8] = []
    let statements = try test.recorder.statements {
      try dump.run(to: ByteOutput { bytes += $0 })
    }
    #expect(lines(bytes) == ["count,sum large,max large", "3,0,‹unreadable›"])
    #expect(unreadable == 2)
    #expect(statements.filter { $0.contains("Thing") }.count == 1, "\(statements)")
  }

  @Test("the many digits of an average are cut in a table, with a mark, and nowhere else")
  func averages() throws {
    let thirds = try decimals("10", "0", "0")
    #expect(try group(thirds, "average exact", .table) == ["3.33…"])
    #expect(
      try group(thirds, "average exact", .csv) == ["3.3333333333333333333333333333333333333"])
    #expect(try group(decimals("0.0005", "0", "0"), "average exact", .table) == ["0.00016…"])
    #expect(try group(decimals("1.125", "1"), "average exact", .table) == ["1.0625"])
    let doubles = try container("real", [100.0, 0.0, 0.0])
    #expect(try group(doubles, "average real", .table) == ["33.33…"])
    #expect(try group(doubles, "average real", .csv) == ["33.333333333333336"])
  }

  @Test("a table shows numbers whole, and fills none with many zeros")
  func wholeNumbers() throws {
    let doubles = try container("real", [0.30000000000000004, 100.0 / 3, 1.0, 1e-7])
    let shown = try lines(doubles, "real", .table).dropFirst(2)
    #expect(
      shown.map { $0 } == ["0.30000000000000004", "33.333333333333336", "1.000000", "1e-07"])
    let decimals = try decimals("0.123456789012345678901234567891", "10", "2.5")
    #expect(
      try lines(decimals, "exact", .table).dropFirst(2).map { $0 }
        == ["0.123456789012345678901234567891", "10.000000", "2.500000"])
  }

  @Test("a float has the text of a float in every form, and reads back to the same one")
  func floats() throws {
    let floats: [Float] = [0.1, 16_777_216, 1e-5, .greatestFiniteMagnitude, -0.3, 0.5]
    let texts = ["0.1", "16777216.0", "1e-05", "3.4028235e+38", "-0.3", "0.5"]
    let container = try container("single", floats)
    #expect(try lines(container, "single", .csv).dropFirst().map { $0 } == texts)
    #expect(
      try lines(container, "single", .jsonLines) == texts.map { "{\"single\": \($0)}" })
    #expect(try group(container, "max single", .csv) == ["3.4028235e+38"])
    #expect(try group(self.container("single", [0.1 as Float]), "single", .table) == ["0.1"])
    var bytes: [UInt8] = []
    try StoreExport(container).run(to: ByteOutput { bytes += $0 })
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"single\": 0.1,"))
    let again = try ExchangeWorld.container(.inMemory)
    try StoreImport(ByteInput(bytes: bytes)).run(into: again)
    let read = try again.makeContext().fetchValues(
      ValueRequest(entityName: "Thing", columns: [.init("single", .property("single"))]))
    #expect(read.map { $0[0] } == floats.map { .double(Double($0)) })
  }

  @Test("a date outside the years 1 to 9999 in UTC is @ and the seconds since 2001")
  func farDates() throws {
    // Python: (datetime(1, 1, 1) - datetime(2001, 1, 1)).total_seconds(), and so on.
    let seconds = [252_423_993_599.0, 252_423_993_600, -63_113_904_000, -63_113_904_001]
    let container = try container(
      "time", seconds.map { Date(timeIntervalSinceReferenceDate: $0) })
    let texts = [
      "9999-12-31T23:59:59Z", "@252423993600.0", "0001-01-01T00:00:00Z", "@-63113904001.0",
    ]
    #expect(try lines(container, "time", .csv).dropFirst().map { $0 } == texts)
    #expect(try lines(container, "time", .jsonLines) == texts.map { "{\"time\": \"\($0)\"}" })
  }
}
