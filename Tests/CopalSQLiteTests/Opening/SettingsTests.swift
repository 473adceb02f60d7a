import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalSQLite

@Suite("The settings of a connection")
struct SettingsTests {
  private let test: TestStore
  private var path: String { test.file.path(percentEncoded: false) }

  init() throws { test = try TestStore() }

  @Test(
    "a connection has the settings of the options",
    arguments: [
      (SQLiteStore.Options(), "PRAGMA cell_size_check", 0),
      (SQLiteStore.Options(checksPages: true), "PRAGMA cell_size_check", 1),
      (SQLiteStore.Options(securelyDeletes: true), "PRAGMA secure_delete", 1),
      (SQLiteStore.Options(), "PRAGMA journal_size_limit", 16 << 20),
    ] as [(SQLiteStore.Options, String, Int64)])
  func options(options: SQLiteStore.Options, pragma: String, value: Int64) throws {
    _ = try test.open(StoreModels.sampler())
    let connection = try Connection(path: path, options, createsFile: false)
    #expect(try connection.integer(pragma) == value)
  }

  @Test("an inspection checks each page that it reads")
  func inspection() throws {
    _ = try test.open(StoreModels.sampler())
    let connection = try Connection(
      path: path, .reading, busyTimeoutSeconds: 1, pageCacheKilobytes: 2000, onStatement: nil)
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
  }

  @Test("making a store waits for the disk, and its later commits do as the options say")
  func creation() throws {
    let connection = try Connection(path: path, SQLiteStore.Options(), createsFile: true)
    #expect(try connection.integer("PRAGMA synchronous") == 1)
    let level = try connection.withFullDurability { try connection.integer("PRAGMA synchronous") }
    #expect(level == 2)
    #expect(try connection.integer("PRAGMA synchronous") == 1)
  }
}
