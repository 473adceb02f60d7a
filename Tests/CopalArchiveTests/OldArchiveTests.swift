import CopalArchive
import Foundation
import Testing

/// `Scripts/make-fixtures` wrote each archive, with the code of its release.
@Suite("Archives that earlier releases wrote")
struct OldArchiveTests {
  @Test("have the values of each kind that they were given", arguments: ["0.9.0"])
  func values(version: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/\(version).archive")
    let archive = try KeyedArchive(Data(contentsOf: file))
    let root = try archive.root(allowing: ["Tint", "NSArray", "NSDictionary", "NSSet"])
    guard case .dictionary(let pairs) = root else {
      Issue.record("\(root)")
      return
    }
    let values = Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $0.value) })
    let tint = ArchivedValue.object(
      ArchivedObject(
        classNames: ["Tint", "NSObject"],
        fields: ["name": .string("Ultramarin é 🎨"), "red": .float(0.25), "alpha": .real(-1e300)]))
    let expected: [String: ArchivedValue] = [
      "boolean": .boolean(true), "least": .integer(.min), "greatest": .unsigned(.max),
      "data": .data(Array(0...255)), "date": .date(-1_000_000_000.25),
      "url": .url("b?c=d%20e", base: "https://example.com/a/"), "uuid": .uuid(Array(1...16)),
      "null": .null, "set": .set([.integer(1), .integer(2)]), "twice": .array([tint, tint]),
    ]
    #expect(values.count == expected.count)
    for (key, value) in expected { #expect(values[.string(key)] == value, "\(key)") }
  }
}
