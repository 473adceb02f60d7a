import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Opening while another program migrates", .modelAsIs)
struct OpeningDuringMigrationTests {
  private static func binding(_ entity: String, _ former: String) throws -> ModelBinding {
    ModelBinding(
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Library", "entities": { "\(entity)": { \(former)
            "attributes": { "title": "string" }, "unique": ["title"] } } }
          """, file: "Library"))
  }

  private static let old = Result { try binding("Book", "") }
  private static let new = Result { try binding("Volume", "\"renamedFrom\": [\"Book\"],") }

  /// Migrates a store once, when a number of statements has been announced.
  private final class Migrator: Sendable {
    private let state: Locked<(count: Int, moment: Int, hasRun: Bool)>
    private let file: URL
    private let model: ModelBinding

    init(_ file: URL, at moment: Int) throws {
      (self.file, model) = (file, try OpeningDuringMigrationTests.new.get())
      state = Locked((0, moment, false))
    }

    var count: Int { state.withLock { $0.count } }

    func note() {
      let isDue = state.withLock { state in
        state.count += 1
        let isDue = state.count == state.moment && !state.hasRun
        if isDue { state.hasRun = true }
        return isDue
      }
      guard isDue else { return }
      // The other program may be writing.
      _ = try? PersistentContainer(
        model: model,
        store: .sqlite(at: file, options: SQLiteStore.Options(busyTimeoutSeconds: 0.01)))
    }
  }

  @Test("a migration before any statement of an opening is no damage")
  func everyStatement() throws {
    var moment = 0
    var isLast = false
    while !isLast {
      moment += 1
      let test = try TestStore()
      let old = try Self.old.get()
      do {
        let made = try PersistentContainer(model: old, store: .sqlite(at: test.file))
        _ = try made.makeContext().insert("Book")
      }
      let migrator = try Migrator(test.file, at: moment)
      var options = SQLiteStore.Options()
      options.onStatement = { _ in migrator.note() }
      do {
        _ = try PersistentContainer(model: old, store: .sqlite(at: test.file, options: options))
      } catch let error as PersistenceError {
        #expect(
          [.modelDiffers, .newerModel].contains(error.code), "statement \(moment): \(error)")
      }
      isLast = migrator.count < moment
    }
    #expect(moment > 5, "\(moment)")
  }
}
