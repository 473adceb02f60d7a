import Copal
import Foundation

// The program of Docs/ChangingTheModel.md: the listings are its parts, in their order.

/// In place of standard output, so that a test compares what the program prints.
private func print(_ items: Any..., separator: String = " ", terminator: String = "\n") { Printed.add(items) }

func firstModel() throws -> ManagedObjectModel {
  try ManagedObjectModel(
    json: """
      {
        "copal": 1, "model": "Bookshop",
        "entities": {
          "Book": {
            "attributes": { "title": "string", "pages": "integer16", "shelf": "string?" }
          }
        }
      }
      """, file: "Bookshop-1.model.json")
}

func secondModel() throws -> ManagedObjectModel {
  try ManagedObjectModel(
    json: """
      {
        "copal": 1, "model": "Bookshop",
        "entities": {
          "Book": {
            "attributes": {
              "title": "string", "pages": "integer16", "shelf": "string?",
              "author": { "type": "string", "default": "unknown" }
            },
            "indexes": ["author"]
          }
        }
      }
      """, file: "Bookshop-2.model.json")
}

func copyBooks(from old: URL, to new: URL) throws {
  // An earlier copy may have been interrupted.
  for suffix in ["", "-wal", "-shm"] {
    let path = new.path(percentEncoded: false) + suffix
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }

  let source = try PersistentContainer(
    model: ModelBinding(secondModel()), store: .sqlite(at: old))
  let target = try PersistentContainer(model: .bookshop, store: .sqlite(at: new))
  let reading = source.makeContext()
  let writing = target.makeContext()

  let ids = try reading.fetchIDs(FetchRequest<ManagedObject>(entityName: "Book"))
  for start in stride(from: 0, to: ids.count, by: 1000) {
    let batch = try reading.objects(with: ids[start...].prefix(1000))
    try reading.fulfill(batch)
    for old in batch {
      guard let title = try old.value(of: "title", as: String.self),
        let pages = try old.value(of: "pages", as: Int16.self),
        let author = try old.value(of: "author", as: String.self)
      else { continue }
      // title becomes name, pages is wider, and shelf is dropped.
      let book = Book(context: writing, name: title, pages: Int(pages))
      book.author = author
    }
    try writing.save()
    // Memory for one batch is enough.
    writing.reset()
    reading.reset()
  }
}

func openBookshop(in folder: URL) throws -> PersistentContainer {
  let old = folder.appending(path: "Bookshop.sqlite")
  let new = folder.appending(path: "Bookshop-3.sqlite")
  if FileManager.default.fileExists(atPath: old.path(percentEncoded: false)) {
    try copyBooks(from: old, to: new)
    try FileManager.default.moveItem(
      at: old, to: folder.appending(path: "Bookshop-2.backup.sqlite"))
  }
  return try PersistentContainer(model: .bookshop, store: .sqlite(at: new))
}

func changingTheModelGuide() throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "bookshop-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let file = folder.appending(path: "Bookshop.sqlite")

  do {
    let container = try PersistentContainer(
      model: ModelBinding(firstModel()), store: .sqlite(at: file))
    let context = container.makeContext()
    let book = try context.insert("Book")
    try book.setValue("Emma", forKey: "title")
    try book.setValue(474, forKey: "pages")
    try context.save()
  }

  do {
    let container = try PersistentContainer(
      model: ModelBinding(secondModel()), store: .sqlite(at: file))
    let context = container.makeContext()
    for book in try context.fetch(FetchRequest<ManagedObject>(entityName: "Book")) {
      print(try book.value(of: "title", as: String.self) ?? "")
      print(try book.value(of: "author", as: String.self) ?? "")
    }
  }

  do {
    _ = try PersistentContainer(model: .bookshop, store: .sqlite(at: file))
  } catch let error as PersistenceError where error.code == .modelDiffers {
    print(error.found ?? "")
  }

  for _ in 1...2 {
    let container = try openBookshop(in: folder)
    let context = container.makeContext()
    for book in try context.fetch(Book.self) { print(book.name, book.pages, book.author) }
  }
  let names = try FileManager.default.contentsOfDirectory(
    atPath: folder.path(percentEncoded: false))
  print(names.sorted())

  try FileManager.default.removeItem(at: folder)
}
