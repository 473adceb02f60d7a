import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("A damaged log")
struct DamagedLogTests {
  /// The files of a store while a program has it open: most saves are in the log alone.
  private static func openFiles() throws -> (database: Data, log: Data) {
    let folder = try TemporaryFolder()
    let container = try NumberedSaves.container(in: folder.url)
    let context = container.makeContext()
    for number in 1...NumberedSaves.count { try NumberedSaves.save(number, context) }
    let file = folder.url.appending(path: "store.sqlite").path(percentEncoded: false)
    return try withExtendedLifetime(container) {
      (
        try Data(contentsOf: URL(filePath: file)),
        try Data(contentsOf: URL(filePath: file + "-wal"))
      )
    }
  }

  @Test("whatever a log has, a store shows whole saves, or throws a typed error", .modelAsIs)
  func mutations() async throws {
    let files = try Self.openFiles()
    try #require(files.log.count > 100_000)
    var seen: Set<Int> = []
    try await FaultCases.run("damaged logs", 40) { number, random in
      let folder = try TemporaryFolder()
      folder.allowsDamage()
      let file = folder.url.appending(path: "store.sqlite").path(percentEncoded: false)
      var log = [UInt8](files.log)
      let change = Self.damage(&log, &random)
      try files.database.write(to: URL(filePath: file))
      try Data(log).write(to: URL(filePath: file + "-wal"))
      // The index of the log is made again, whatever it has.
      if number.isMultiple(of: 3) {
        let noise = (0..<32_768).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(noise).write(to: URL(filePath: file + "-shm"))
      }
      do {
        let container = try NumberedSaves.container(in: folder.url)
        let context = container.makeContext()
        let saves = try NumberedSaves.last(context)
        seen.insert(saves)
        // Large values are in files, which are not there.
        let titles = try context.fetch(Negative.self).map(\.title)
        let expected = NumberedSaves.contents(after: saves)
        #expect(Set(titles) == Set(expected.keys), "\(number): \(change), \(saves) saves")
        #expect(titles.count == expected.count)
      } catch {
        #expect(error is PersistenceError, "\(number): \(change): \(error)")
      }
    }
    #expect(seen.count > 2)
  }

  private static func damage(_ log: inout [UInt8], _ random: inout SplitMix) -> String {
    let place = Int.random(in: 0..<log.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      log[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      return "a bit at \(place)"
    case 1:
      log.removeLast(log.count - place)
      return "cut at \(place)"
    case 2:
      let end = min(log.count, place + Int.random(in: 1...10_000, using: &random))
      for index in place..<end { log[index] = 0 }
      return "zeros from \(place) to \(end)"
    case 3:
      // A frame of the log is its page and 24 bytes.
      let (size, head) = (4096 + 24, 32)
      let last = (log.count - head) / size
      let (a, b) = (
        Int.random(in: 0..<last, using: &random), Int.random(in: 0..<last, using: &random)
      )
      for index in 0..<size { log.swapAt(head + a * size + index, head + b * size + index) }
      return "frames \(a) and \(b) exchanged"
    case 4:
      log[Int.random(in: 0..<32, using: &random)] ^= 0xFF
      return "the head"
    default:
      log += (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
      return "noise at the end"
    }
  }

  @Test("the log of another store is not mixed with the rows", .modelAsIs)
  func foreignLog() throws {
    let (first, second) = (try Self.openFiles(), try Self.openFiles())
    let folder = try TemporaryFolder()
    folder.allowsDamage()
    let file = folder.url.appending(path: "store.sqlite").path(percentEncoded: false)
    try first.database.write(to: URL(filePath: file))
    try second.log.write(to: URL(filePath: file + "-wal"))
    do {
      let context = try NumberedSaves.container(in: folder.url).makeContext()
      let saves = try NumberedSaves.last(context)
      let titles = try context.fetch(Negative.self).map(\.title)
      #expect(Set(titles) == Set(NumberedSaves.contents(after: saves).keys))
    } catch {
      #expect(error is PersistenceError)
    }
  }
}
