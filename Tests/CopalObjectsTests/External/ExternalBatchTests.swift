import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Large values in files: batches", .modelAsIs)
struct ExternalBatchTests {
  private let files: NegativeFiles

  init() throws { files = try NegativeFiles() }

  @Test("an inserted value is in a file, and goes with its object")
  func insertAndDelete() throws {
    try files.context.insertAll(Negative.self, from: ["Poppies", "Ochre"]) { negative, title in
      negative.title.set(to: title)
    }
    try files.context.insertAll("Negative", [["title": "Large", "scan": .binary(bytes(5000))]])
    let large = try #require(
      try files.context.fetch(Negative.self) { $0.title == "Large" }.first)
    #expect(large.scan == bytes(5000))
    #expect(files.names().count == 1)
    #expect(try files.context.deleteAll(Negative.self) == 3)
    try files.container.store.removeUnreferencedFiles(checkingAll: true)
    #expect(files.names().isEmpty)
  }

  @Test("nil removes the file, and another value is refused")
  func update() throws {
    let negative = Negative(context: files.context, title: "Poppies")
    negative.scan = bytes(5000)
    try files.context.save()
    let error = #expect(throws: PersistenceError.self) {
      try files.context.updateAll(
        "Negative", set: [BatchAssignment("scan", .constant(.binary(bytes(3))))])
    }
    #expect(error?.code == .batchNotAssignable)
    try files.context.updateAll("Negative", set: [BatchAssignment("scan", .constant(.null))])
    #expect(negative.scan == nil)
    try files.container.store.removeUnreferencedFiles(checkingAll: true)
    #expect(files.names().isEmpty)
  }
}
