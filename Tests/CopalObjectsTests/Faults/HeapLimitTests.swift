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

@Suite("SQLite without memory")
struct HeapLimitTests {
  /// Limits the memory of SQLite in this process; 0 for no limit:
  /// <https://www.sqlite.org/c3ref/hard_heap_limit64.html>.
  private static func setLimit(_ bytes: Int64) {
    guard let symbol = dlsym(nil, "sqlite3_hard_heap_limit64") else { exit(9) }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int64) -> Int64).self)(bytes)
  }

  @Test(
    "a read and a save that get no memory throw a typed error, and the next ones work", .modelAsIs)
  func limits() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.url.path(percentEncoded: false) as String] in
      let folder = URL(filePath: path)
      let container = try NumberedSaves.container(in: folder)
      let context = container.makeContext()
      for number in 1...10 { try NumberedSaves.save(number, context) }
      var (number, refused) = (10, 0)
      for step in 0..<40 {
        HeapLimitTests.setLimit(Int64(20_000 * (step + 1)))
        do {
          let reader = container.makeContext()
          guard try NumberedSaves.found(reader) == NumberedSaves.contents(after: number) else {
            exit(2)
          }
          try NumberedSaves.save(number + 1, context)
          number += 1
        } catch is PersistenceError {
          refused += 1
          context.rollback()
        }
        HeapLimitTests.setLimit(0)
        guard try NumberedSaves.found(context) == NumberedSaves.contents(after: number) else {
          exit(3)
        }
        try NumberedSaves.save(number + 1, context)
        number += 1
      }
      guard refused > 0, try container.check().isEmpty else { exit(4) }
    }
    let context = try NumberedSaves.container(in: folder.url).makeContext()
    #expect(
      try NumberedSaves.found(context)
        == NumberedSaves.contents(after: try NumberedSaves.last(context)))
  }
}
