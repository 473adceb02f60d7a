import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("PackedRow")
struct PackedRowTests {
  @Test("a packed row stores every value of every type")
  func values() throws {
    let layout = try #require(try StoreModels.sampler().entities.first)
    for (name, values) in SampleValues.edges {
      let slot = try #require(layout.slotByName[name])
      for value in values {
        let row = try PackedRow.of(layout, [name: value], version: 7)
        let stored = StoredRow(layout: layout, key: 1, row: row)
        #expect(SampleValues.areSame(stored[name], value), "\(name)")
        #expect(row.version == 7)
        #expect(!row.hasTypeMismatch)
        #expect(!row.differs(layout, slot, from: value), "\(name)")
        #expect(row.differs(layout, slot, from: .null), "\(name)")
        #expect(stored.values.values.count { !$0.isNull } == 1)
      }
    }
  }

  @Test(
    "a packed row returns every text, of any length and with non-ASCII characters at any position")
  func texts() throws {
    let layout = try #require(try StoreModels.wide(3).entities.first)
    func read(_ bytes: [UInt8]) throws -> String {
      let row = try #require(
        PackedRow.make(entity: 0, slotCount: 3, version: 1) { writer in
          writer.set(0, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
          bytes.withUnsafeBytes { writer.set(1, bytes: $0) }
          writer.set(2, integer: -1)
        })
      return withExtendedLifetime(row) { PackedRowValues.text(row.base, 1) }
    }
    #expect(layout.columns.count == 3)
    for count in 0...40 {
      let ascii = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 % 128) }
      let text = try read(ascii)
      #expect(Array(text.utf8) == ascii)
      #expect(text == String(decoding: ascii, as: UTF8.self))
      #expect(text.hashValue == String(decoding: ascii, as: UTF8.self).hashValue)
      #expect((text + "!").utf8.count == count + 1)
      #expect(text.unicodeScalars.count == count)
      for place in 0..<count {
        var other = ascii
        other[place] = 0xe9
        // Invalid UTF-8 is repaired in the same way as by Swift.
        #expect(try read(other) == String(decoding: other, as: UTF8.self), "\(count), \(place)")
        if place + 1 < count {
          (other[place], other[place + 1]) = (0xc3, 0xa9)
          let accented = try read(other)
          #expect(Array(accented.utf8) == other, "\(count), \(place)")
          #expect(accented.contains("\u{e9}"))
        }
      }
    }
  }

  @Test(
    "a packed row has a null bit for every slot, for any number of slots",
    arguments: [1, 2, 62, 63, 64, 65, 127, 128, 129, 1990])
  func widths(count: Int) throws {
    let layout = try #require(try StoreModels.wide(count).entities.first)
    var values: [String: PropertyValue] = [:]
    for slot in 0..<count where slot % 3 != 1 { values["a\(slot)"] = wideValue(slot, "x") }
    let row = try PackedRow.of(layout, values)
    try expect(row, layout, has: values)

    // Every slot changes to a value, to a longer one, and to nil.
    for slot in Set([0, 1, 2, 61, 62, 63, 64, 65, 126, 127, 128, count - 1]) where slot < count {
      for value in [wideValue(slot, "a longer text than before"), .null] {
        var cells = [PropertyValue](repeating: .null, count: count)
        cells[slot] = value
        let new = cells.withUnsafeBufferPointer { cells in
          cells.baseAddress.flatMap {
            row.repacked(layout, with: $0, changed: SlotSet([slot], count: count), version: 2)
          }
        }
        var expected = values
        expected["a\(slot)"] = value
        try expect(try #require(new), layout, has: expected)
        #expect(new?.version == 2)
      }
    }
  }

  private func expect(_ row: PackedRow, _ layout: EntityLayout, has values: [String: PropertyValue])
    throws
  {
    let stored = StoredRow(layout: layout, key: 1, row: row)
    let wrong = layout.attributes.map(\.name).filter { stored[$0] != values[$0] ?? .null }
    #expect(wrong == [])
  }

  private func wideValue(_ slot: Int, _ text: String) -> PropertyValue {
    switch slot % 5 {
    case 0: .integer(Int64(slot))
    case 1: .string(text + "\(slot)")
    case 2: .double(Double(slot) + 0.5)
    case 3: .binary(Data(text.utf8))
    default: .decimal(Decimal(slot))
    }
  }

  @Test("a null in a packed row reads as zero, false, empty or the reference date")
  func nulls() throws {
    let layout = try #require(try StoreModels.sampler().entities.first)
    let row = try PackedRow.of(layout, [:])
    withExtendedLifetime(row) {
      for slot in layout.storedSlots {
        #expect(PackedRowValues.isNull(row.base, slot))
        #expect(PackedRowValues.integer(row.base, slot) == 0)
        #expect(PackedRowValues.typeMismatch(row.base, slot) == nil)
        #expect(PackedRowValues.bytes(row.base, slot).isEmpty)
      }
    }
  }

  @Test("a packed row keeps the mark of a type mismatch, also when it is packed again")
  func foreign() throws {
    let layout = try #require(try StoreModels.wide(70).entities.first)
    let kinds: [TypeMismatch] = [.integer, .real, .text, .blob, .null]
    let made = PackedRow.make(entity: 0, slotCount: 70, version: 1) { writer in
      for slot in 0..<70 { writer.set(slot, integer: 0) }
      for slot in 0..<70 where slot % 5 != 0 { writer.setNull(slot) }
      for (index, kind) in kinds.enumerated() { writer.setTypeMismatch(60 + index, kind) }
    }
    let row = try #require(made)
    #expect(row.hasTypeMismatch)
    let cells = [PropertyValue](repeating: .integer(5), count: 70)
    let new = cells.withUnsafeBufferPointer { cells in
      cells.baseAddress.flatMap {
        row.repacked(layout, with: $0, changed: SlotSet([0], count: 70), version: 2)
      }
    }
    for row in [row, try #require(new)] {
      #expect(row.hasTypeMismatch)
      for (index, kind) in kinds.enumerated() {
        #expect(PackedRowValues.typeMismatch(row.base, 60 + index) == kind)
        #expect(row.differs(layout, 60 + index, from: .null))
      }
      #expect(PackedRowValues.typeMismatch(row.base, 59) == nil)
    }
  }

  @Test("a packed row compares texts by bytes, and decimals by number")
  func differences() throws {
    let layout = try #require(try StoreModels.sampler().entities.first)
    let row = try PackedRow.of(
      layout, ["text": "\u{E9}", "amount": .decimal(1.1), "bytes": .binary(Data())])
    func differs(_ name: String, _ value: PropertyValue) throws -> Bool {
      row.differs(layout, try #require(layout.slotByName[name]), from: value)
    }
    #expect(try !differs("text", "\u{E9}"))
    #expect(try differs("text", "e\u{301}"))
    #expect(try !differs("amount", .decimal(try #require(Decimal(string: "1.10")))))
    #expect(try differs("bytes", .null))
    #expect(try differs("bytes", .binary(Data([0]))))
  }
}
