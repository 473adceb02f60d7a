import Copal
import CopalStoreConformance
import Testing

// The other listings of Docs/StoreAuthors.md, in their order.

/// In place of standard output, so that a test compares what the program prints.
private func print(_ items: Any..., separator: String = " ", terminator: String = "\n") { Printed.add(items) }

func storeAuthorsGuide() throws {
  let container = try PersistentContainer(model: .bookshop, store: .tables())
  let context = container.makeContext()
  _ = Book(context: context, name: "Emma", pages: 474)
  try context.save()
  print(try context.fetch(Book.self).map(\.name))

  let archive = try PersistentContainer(model: .bookshop, store: .tables(isReadOnly: true))
  let reader = archive.makeContext()
  _ = Book(context: reader, name: "Persuasion", pages: 249)
  do {
    try reader.save()
  } catch {
    print(error)
  }
}

@Suite("A store of tables")
struct TableStoreTests {
  @Test("The store meets every requirement", arguments: StoreConformance.requirements)
  func conforms(requirement: StoreConformance.Requirement) throws {
    try requirement.check(TableStore(StoreConformance.schema()))
  }
}
