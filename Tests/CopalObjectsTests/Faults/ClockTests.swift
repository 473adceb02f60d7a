import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("A clock that goes back", .enabled(if: IOFaults.isLoaded, "Scripts/test-faults runs it"))
struct ClockTests {
  @Test("saves, versions, merges and backups do not depend on the clock", .modelAsIs)
  func back() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let container = try NumberedSaves.container(in: folder.url)
      let (writer, reader) = (container.makeContext(), container.makeContext())
      reader.automaticallyMergesChanges = true
      // A day back in each step, and then ten years forward.
      for number in 1...20 {
        IOFaults.setClock(ahead: number == 20 ? 315_360_000 : -86_400 * number)
        try NumberedSaves.save(number, writer)
        reader.mergeChanges()
        try #require(
          try NumberedSaves.found(reader) == NumberedSaves.contents(after: number), "\(number)")
      }
      try await container.backup(to: folder.url.appending(path: "backup.sqlite"))
      try await container.removeUnreferencedFiles(checkingAll: true)
      let context = try NumberedSaves.container(in: folder.url).makeContext()
      try #require(try NumberedSaves.last(context) == 20)
      try #require(try NumberedSaves.found(context) == NumberedSaves.contents(after: 20))
      try #require(try container.check().isEmpty)
    }
  }
}
