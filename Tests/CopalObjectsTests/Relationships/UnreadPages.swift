import Copal
import CopalTestSupport
import Testing

/// Albums with three pages each, and a context that has the albums and no page.
struct UnreadPages {
  let test: TestStore
  let container: PersistentContainer
  let context: ManagedObjectContext
  let albums: [Album]

  init(_ kind: StoreKind, albums count: Int = 2) throws {
    test = try TestStore(kind)
    container = try test.catalog()
    try container.reading { context in
      for number in 0..<count {
        let album = Album(context: context, name: "\(number)")
        for page in 0..<3 {
          Page(context: context, number: Int64(number * 3 + page)).album = album
        }
      }
      try context.save()
    }
    context = container.makeContext()
    albums = try context.fetch(Album.self, sortedBy: \.name.ascending)
    _ = test.recorder.take()
  }

  /// The numbers of the pages that a new context finds.
  func stored() throws -> [Int64] {
    try container.reading {
      try $0.fetch(Page.self, sortedBy: \.number.ascending).map(\.number)
    }
  }

  /// Changes a page in another context.
  func elsewhere(_ number: Int64, _ body: (ManagedObjectContext, Page) throws -> Void) throws {
    try container.reading { other in
      try body(other, #require(try other.fetch(Page.self) { $0.number == number }.first))
      try other.save()
    }
  }
}
