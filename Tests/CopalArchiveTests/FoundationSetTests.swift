import CopalArchive
import Foundation
import Testing

@Suite("Sets that Foundation archives")
struct FoundationSetTests {
  private static func read(_ object: NSObject, _ allowed: String) throws -> ArchivedValue {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try KeyedArchive(data).root(allowing: [allowed])
  }

  @Test("an ordered set is read in its order", arguments: [0, 1, 2, 15])
  func ordered(_ count: Int) throws {
    let texts = (0..<count).map { "pigment \(count - $0)" }
    let elements = ArchivedValue.array(texts.map { .string($0) })
    #expect(try Self.read(NSOrderedSet(array: texts), "NSOrderedSet") == elements)
    #expect(try Self.read(NSMutableOrderedSet(array: texts), "NSOrderedSet") == elements)
  }

  @Test("a counted set is read with each element as often as it is in it")
  func counted() throws {
    let texts = ["red", "blue", "red", "white", "red"]
    for allowed in ["NSCountedSet", "NSSet"] {
      guard case .set(let elements) = try Self.read(NSCountedSet(array: texts), allowed) else {
        Issue.record("It is no set.")
        return
      }
      #expect(elements.compactMap(\.string).sorted() == texts.sorted())
    }
    #expect(try Self.read(NSCountedSet(), "NSCountedSet") == .set([]))
  }

  @Test("both are refused where their class is not allowed")
  func refused() {
    for set in [NSOrderedSet(array: ["red"]), NSCountedSet(array: ["red"])] {
      let error = #expect(throws: ArchiveError.self) { try Self.read(set, "NSArray") }
      #expect(error?.code == .classNotAllowed)
    }
  }
}
