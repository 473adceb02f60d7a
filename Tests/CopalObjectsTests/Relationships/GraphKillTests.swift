import Copal
import CopalTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Saves graphs until the process is killed. Each save makes one album whole, and removes an older
/// one.
private struct GraphWriter {
  static let pageCount = 12
  static let pictureCount = 4

  let context: ManagedObjectContext

  func run() throws {
    for number in 0... {
      let album = Album(context: context, name: "\(number)")
      let tag = Tag(context: context, name: "\(number)")
      for page in 0..<Self.pageCount {
        // From the back, so that each page but the first is inserted before another one.
        album.pages.insert(Page(context: context, number: Int64(Self.pageCount - 1 - page)), at: 0)
      }
      for _ in 0..<Self.pictureCount {
        let picture = Picture(context: context, title: album.name)
        album.pictures.append(picture)
        picture.tags.insert(tag)
        tag.examples.insert(picture)
      }
      if number % 3 == 2, let old = try context.fetch(Album.self).first {
        for picture in Array(old.pictures) { context.delete(picture) }
        context.delete(old)
      }
      try context.save()
    }
  }

  /// What is wrong with the graphs of a store.
  static func problems(_ context: ManagedObjectContext) throws -> [String] {
    let albums = try context.fetch(Album.self)
    var found: [String] = []
    for album in albums {
      if album.pages.map(\.number) != (0..<Int64(pageCount)).map({ $0 }) {
        found.append("album \(album.name) has the pages \(album.pages.map(\.number))")
      }
      if album.pictures.count != pictureCount
        || album.pictures.contains(where: { $0.tags.count != 1 })
      {
        found.append("album \(album.name) has \(album.pictures.count) pictures")
      }
    }
    if try context.count(Page.self) != albums.count * pageCount { found.append("pages") }
    if try context.count(Picture.self) != albums.count * pictureCount { found.append("pictures") }
    return found
  }
}

@Suite("Saves of graphs that are killed")
struct GraphKillTests {
  /// The number of kills.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_KILLS"].flatMap(Int.init) ?? 5

  @Test(
    "after a kill at any moment, each graph is whole and every reference leads to an object",
    .modelAsIs)
  func kills() async throws {
    let store = try TestStore()
    let path = store.file.path(percentEncoded: false)
    _ = try store.catalog()
    var random = SplitMix(seed: 9)
    for _ in 0..<Self.count {
      let microseconds = UInt32.random(in: 1_000..<120_000, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, microseconds = microseconds as UInt32] in
        let container = try PersistentContainer(
          model: .catalog, store: .sqlite(at: URL(filePath: path)))
        Thread.detachNewThread {
          usleep(microseconds)
          kill(getpid(), SIGKILL)
        }
        let context = container.makeContext()
        try GraphWriter(context: context).run()
      }
      let container = try store.catalog()
      let context = container.makeContext()
      #expect(try GraphWriter.problems(context) == [])
      #expect(try container.check().isEmpty)
    }
    #expect(try store.sqlite3("PRAGMA foreign_key_check") == "")
    #expect(try store.sqlite3("PRAGMA integrity_check") == "ok")
    let albums = try store.catalog().reading { try $0.count(Album.self) }
    #expect(albums > 0, "some saves were complete")
  }
}
