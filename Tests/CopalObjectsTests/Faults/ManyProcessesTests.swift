import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Many processes that begin at once")
struct ManyProcessesTests {
  @Test(
    "processes that open one store at the same moment all save, whether it is there or not",
    .modelAsIs)
  func open() async throws {
    let counts = [2, 4, 16]
    try await FaultCases.run("stores that 2 to 16 processes open at once", 6) { number, random in
      let folder = try TemporaryFolder()
      let count = number < 6 ? counts[number % 3] : Int.random(in: 2...16, using: &random)
      if number % 6 < 3 { _ = try NumberedSaves.container(in: folder.url) }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          group.addTask { await Self.run(number, of: count, in: folder.url) }
        }
      }
      let context = try NumberedSaves.container(in: folder.url).makeContext()
      let titles = try context.fetch(Negative.self).map(\.title)
      #expect(titles.sorted() == (0..<count).map { "\($0)" }.sorted(), "case \(number)")
    }
  }

  private static func run(_ number: Int, of count: Int, in folder: URL) async {
    await #expect(processExitsWith: .success) {
      [
        path = folder.path(percentEncoded: false) as String, number = number as Int,
        count = count as Int
      ] in
      // Each process says that it is there, and waits for the others; not for ever, because the
      // machine may be too busy to start all of them.
      let end = ContinuousClock.now + .seconds(10)
      let manager = FileManager.default
      _ = manager.createFile(atPath: path + "/ready-\(number)", contents: nil)
      while ContinuousClock.now < end,
        try manager.contentsOfDirectory(atPath: path).filter({ $0.hasPrefix("ready-") }).count
          < count
      {
        usleep(200)
      }
      let context = try NumberedSaves.container(in: URL(filePath: path)).makeContext()
      Negative(context: context, title: "\(number)").scan = bytes(3000, UInt8(number))
      try context.save()
    }
  }
}
