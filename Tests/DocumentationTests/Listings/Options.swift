import Copal
import Foundation

// The program of Docs/Options.md: the listings are its parts, in their order.

/// In place of standard output, so that a test compares what the program prints.
private func print(_ items: Any..., separator: String = " ", terminator: String = "\n") { Printed.add(items) }

final class StatementLog: @unchecked Sendable {
  private let lock = NSLock()
  private var statements: [String] = []

  func add(_ sql: String) { lock.withLock { statements.append(sql) } }

  /// The statements since the last call.
  func take() -> [String] {
    lock.withLock {
      defer { statements = [] }
      return statements
    }
  }
}

func optionsGuide(_ file: URL) throws {
  let log = StatementLog()
  var options = SQLiteStore.Options()
  options.busyTimeoutSeconds = 2
  options.durability = .full
  options.pageCacheKilobytes = 16_000
  options.onStatement = { sql in log.add(sql) }

  let container = try PersistentContainer(
    model: .bookshop, store: .sqlite(at: file, options: options))
  let context = container.makeContext()

  let emma = Book(context: context, name: "Emma", pages: 474)
  _ = Book(context: context, name: "Persuasion", pages: 249)
  try context.save()

  _ = log.take()
  print(try context.count(Book.self) { $0.pages > 100 })
  for statement in log.take() { print(statement) }

  var request = Book.fetchRequest()
    .filter { $0.pages > 100 }
    .sorted(by: \.name.ascending)
  request.limit = 20
  request.offset = 0
  request.returnsObjectsAsFaults = true
  request.faultBatchSize = 50
  request.refreshesObjects = true
  let books = try context.fetch(request)
  print(books.count)

  let ids = try context.fetchIDs(Book.self, sortedBy: \.pages.ascending) { $0.pages < 300 }
  print(ids.count)

  container.readFailureHandler = { error in
    log.add("\(error.code) \(error.entity ?? "") \(error.property ?? "")")
  }

  let id = emma.objectID
  let text = id.description
  print(text.hasPrefix("copal://\(container.storeIdentifier)/Book/p"))
  print(ManagedObjectID(uri: text) == id)

  let json = try JSONEncoder().encode(["favorite": id])
  let decoded = try JSONDecoder().decode([String: ManagedObjectID].self, from: json)
  print(decoded["favorite"] == id)

  print(SQLiteStore.defaultURL(named: "Bookshop").lastPathComponent)
}
