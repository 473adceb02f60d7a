import CopalArchive
import CopalTestTools
import Testing

@Suite("Damaged archives")
struct ArchiveMutationTests {
  static let archives: [[UInt8]] = {
    let color = ArchivedValue.object(
      ArchivedObject(
        classNames: ["Tint", "NSObject"],
        fields: ["red": .float(0.5), "name": .string("Zinnober — 朱"), "made": .date(1e8)]))
    let value = ArchivedValue.array([
      color, .url("a/b", base: "file:///x/"), .uuid([UInt8](0..<16)), .set([.integer(7)]),
      .dictionary([ArchivedPair(key: .string("k"), value: .data([1, 2, 3]))]), color, .null,
    ])
    return [KeyedArchiveTests.color, KeyedArchive.bytes(of: value)]
  }()

  @Test("give a value or a typed error, whatever was changed", arguments: 0..<8)
  func mutations(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var (values, errors) = (0, Set<ArchiveError.Code>())
    for round in 0..<1500 {
      let bytes = Self.mutated(Self.archives[round % 2], &random)
      do throws(ArchiveError) {
        let archive = try KeyedArchive(bytes)
        _ = try archive.root(allowing: ["NSArray", "NSSet", "NSDictionary", "Tint", "NSColor"])
        values += 1
      } catch { errors.insert(error.code) }
    }
    // The checks inside were reached, and not only that of the first bytes.
    #expect(values > 20 && errors.count > 8, "\(values) \(errors)")
  }

  @Test("in XML give a value or a typed error, whatever was changed", arguments: 0..<4)
  func xml(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let text = Array(try PropertyListValue(Self.archives[1]).xml().utf8)
    var (values, errors) = (0, 0)
    for _ in 0..<300 {
      do {
        _ = try PropertyListValue(Self.mutated(text, &random))
        values += 1
      } catch { errors += 1 }
    }
    #expect(values > 5 && errors > 50, "\(values) \(errors)")
  }

  private static func mutated(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 3...4: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 5: bytes[place] = bytes[Int.random(in: 0..<bytes.count, using: &random)]
      case 6: bytes.remove(at: place)
      default: bytes.removeLast(Int.random(in: 0..<min(bytes.count, 40), using: &random))
      }
    }
    return bytes
  }
}
