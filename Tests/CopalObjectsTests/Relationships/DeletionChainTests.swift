import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("A very long chain of deletions")
struct DeletionChainTests {
  private static let count = 40_000

  @Test(
    "a deletion that goes through 40,000 objects deletes each, on the usual stack of a thread",
    .modelAsIs, arguments: ["parent", "next"])
  func chain(column: String) throws {
    let model = """
      { "copal": 1, "model": "Chain", "entities": { "Link": { "codegen": "none", "relationships": {
        "parent": { "type": "Link?", "inverse": "children" },
        "children": { "type": "[Link]", "inverse": "parent", "delete": "cascade" },
        "next": { "type": "Link?", "inverse": "previous", "delete": "cascade" },
        "previous": { "type": "[Link]", "inverse": "next" } } } } }
      """
    let test = try TestStore(.sqlite)
    let container = try PersistentContainer(
      model: ModelBinding(name: "Chain", json: model, classes: []),
      store: .sqlite(at: test.file))
    let context = container.makeContext()
    try context.insertAll("Link", Array(repeating: [:], count: Self.count))
    let step = column == "parent" ? "copal_id - 1" : "copal_id + 1"
    let rows = "(SELECT min(copal_id) FROM Link) AND copal_id < (SELECT max(copal_id) FROM Link)"
    #expect(
      try test.sqlite3(
        column == "parent"
          ? "UPDATE Link SET parent = \(step) WHERE copal_id > (SELECT min(copal_id) FROM Link)"
          : "UPDATE Link SET next = \(step) WHERE copal_id >= \(rows)") == "")
    let isFirst = column == "parent" ? "parent == nil" : "previous.@count == 0"
    var request = FetchRequest<ManagedObject>(
      entityName: "Link", predicate: try FetchPredicate(format: isFirst))
    request.limit = 2
    let firsts = try context.fetch(request)
    #expect(firsts.count == 1)
    context.delete(firsts[0])
    try context.save()
    #expect(try test.sqlite3("SELECT count(*) FROM Link") == "0")
  }
}
