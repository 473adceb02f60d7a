import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Transactions with large values in files", .modelAsIs)
struct TransactionFileTests {
  private struct Stop: Error {}
  private let files: NegativeFiles

  init() throws { files = try NegativeFiles() }

  private func insert(_ title: String, _ number: UInt8) throws -> Negative {
    let negative = Negative(context: files.context, title: title)
    negative.scan = bytes(5000, number)
    try files.context.save()
    return negative
  }

  @Test("the files of a transaction are kept at its end, and no one removes them before")
  func kept() throws {
    var first: Negative?
    try files.context.transaction {
      let negative = try insert("Poppies", 1)
      first = negative
      #expect(files.names().count == 1)
      // Another connection sees no row that has the file.
      #expect(try files.container.store.removeUnreferencedFiles(checkingAll: true) == 0)
      files.context.refreshAllObjects()
      #expect(negative.scan == bytes(5000, 1))
      negative.scan = bytes(5000, 2)
      try files.context.save()
      files.context.refreshAllObjects()
      #expect(negative.scan == bytes(5000, 2))
    }
    #expect(try files.scan(#require(first)) == bytes(5000, 2))
    #expect(try files.container.store.removeUnreferencedFiles(checkingAll: true) == 1)
    #expect(try files.names() == files.references())
    #expect(try files.scan(#require(first)) == bytes(5000, 2))
  }

  @Test("the files of a transaction that is undone are removed, and the former ones stay")
  func undone() throws {
    let negative = try insert("Poppies", 1)
    let name = files.names()
    #expect(throws: Stop.self) {
      try files.context.transaction {
        negative.scan = bytes(5000, 2)
        try files.context.save()
        _ = try insert("Ochre", 3)
        try files.context.transaction { _ = try insert("Umber", 4) }
        #expect(files.names().count == 4)
        throw Stop()
      }
    }
    #expect(files.names() == name)
    #expect(negative.scan == bytes(5000, 1))
    #expect(try files.container.store.removeUnreferencedFiles(checkingAll: true) == 0)
    #expect(try files.scan(negative) == bytes(5000, 1))
  }

  @Test("an inner transaction removes its own files")
  func inner() throws {
    try files.context.transaction {
      let negative = try insert("Poppies", 1)
      #expect(throws: Stop.self) {
        try files.context.transaction {
          negative.scan = bytes(5000, 2)
          try files.context.save()
          throw Stop()
        }
      }
      #expect(negative.scan == bytes(5000, 1))
      #expect(files.names().count == 1)
    }
    #expect(try files.names() == files.references())
  }
}
