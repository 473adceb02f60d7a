import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

/// A program that saves, removes files, makes a backup and puts it back.
private struct Program {
  let folder: URL
  let isFull: Bool
  /// The saves before the backup, between backup and replacement, and behind it.
  let counts: [Int]
  /// After how many saves files are removed.
  let tidying: Int

  static func random(_ folder: URL, isFull: Bool, _ random: inout SplitMix) -> Self {
    Self(
      folder: folder, isFull: isFull,
      counts: [(5...40), (0...10), (0...10)].map { Int.random(in: $0, using: &random) },
      tidying: Int.random(in: 3...12, using: &random))
  }

  /// The least number of saves that a state must show, and whether it must have the backup.
  struct Mark {
    let saves: Int
    let hasBackup: Bool

    init(_ text: String?) {
      saves = text.flatMap { Int($0.prefix { $0 != "+" }) } ?? 0
      hasBackup = text?.hasSuffix("+") == true
    }
  }

  func run(record: URL) throws {
    IOFaults.record(folder, into: record)
    let backup = folder.appending(path: "backup.sqlite")
    do {
      let container = try NumberedSaves.container(in: folder, isFull: isFull)
      try save(1..<counts[0] + 1, container)
      try container.store.backup(to: backup.path(percentEncoded: false))
      IOFaults.mark("\(counts[0])+")
      try save(counts[0] + 1..<counts[0] + counts[1] + 1, container, "+")
    }
    // From now on, the contents of the backup are right, too.
    IOFaults.mark("\(counts[0])+")
    try NumberedSaves.store(in: folder, isFull: isFull).replace(with: .sqlite(at: backup))
    let container = try NumberedSaves.container(in: folder, isFull: isFull)
    try save(counts[0] + 1..<counts[0] + counts[2] + 1, container, "+")
  }

  private func save(
    _ numbers: Range<Int>, _ container: PersistentContainer, _ end: String = ""
  ) throws {
    let context = container.makeContext()
    for number in numbers {
      try NumberedSaves.save(number, context)
      IOFaults.mark("\(number)\(end)")
      if number.isMultiple(of: tidying) {
        try container.store.removeUnreferencedFiles(checkingAll: false)
      }
    }
  }
}

@Suite("Power loss", .enabled(if: IOFaults.isLoaded, "Scripts/test-faults runs it"))
struct PowerLossTests {
  /// The states for each run of the program.
  private static let stateCount = 25

  @Test(
    "whatever of the writes since the last sync is lost, each save is complete or not there, and an acknowledged one is there where durability is full",
    .modelAsIs, arguments: [true, false])
  func losses(isFull: Bool) async throws {
    let folder = try TemporaryFolder()
    var seen: Set<Int> = []
    try await FaultCases.run(
      "programs with \(Self.stateCount) losses of power each, \(isFull ? "full" : "normal")", 10
    ) { number, random in
      let place = folder.url.appending(path: "\(number)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let entries = try await Self.record(.random(place, isFull: isFull, &random))
      for state in 0..<Self.stateCount {
        let cut = Int.random(in: 1...entries.count, using: &random)
        var power = LostPower()
        for entry in entries.prefix(cut) { power.play(entry) }
        let loss = LostPower.Loss.allCases[state % LostPower.Loss.allCases.count]
        let left = place.appending(path: "state")
        try power.write(into: left, loss, &random)
        let title = "program \(number): \(loss) after \(cut) of \(entries.count)"
        seen.insert(try check(left, Program.Mark(power.mark), isFull: isFull, title))
        try FileManager.default.removeItem(at: left)
      }
      try FileManager.default.removeItem(at: place)
    }
    #expect(seen.count > 3)
  }

  /// What a program does, in a process of its own.
  private static func record(_ program: Program) async throws -> [IORecord.Entry] {
    let record = program.folder.appending(path: "record")
    await #expect(processExitsWith: .success) {
      [
        path = program.folder.path(percentEncoded: false) as String,
        recordPath = record.path(percentEncoded: false) as String,
        isFull = program.isFull as Bool, counts = program.counts as [Int],
        tidying = program.tidying as Int
      ] in
      let folder = URL(filePath: path).appending(path: "worker")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Program(folder: folder, isFull: isFull, counts: counts, tidying: tidying)
        .run(record: URL(filePath: recordPath))
    }
    let entries = try IORecord(Array(Data(contentsOf: record))).entries
    try #require(entries.contains { if case .mark = $0 { true } else { false } })
    return entries
  }

  /// Checks a state as the next program finds it.
  ///
  /// - Returns: the number of saves that it has.
  private func check(_ folder: URL, _ mark: Program.Mark, isFull: Bool, _ title: String) throws
    -> Int
  {
    do {
      let container = try NumberedSaves.container(in: folder, isFull: true)
      let context = container.makeContext()
      let saves = try NumberedSaves.last(context)
      if isFull { #expect(saves >= mark.saves, "\(title): \(saves) of \(mark.saves) saves") }
      #expect(try NumberedSaves.found(context) == NumberedSaves.contents(after: saves), "\(title)")
      #expect(try container.check().isEmpty, "\(title)")
      try checkBackup(folder, mark, title)
      try NumberedSaves.save(saves + 1, context)
      return saves
    } catch {
      Issue.record("\(title): \(error)")
      return -1
    }
  }

  /// A backup is complete or not there, whatever the durability is.
  private func checkBackup(_ folder: URL, _ mark: Program.Mark, _ title: String) throws {
    let backup = folder.appending(path: "backup.sqlite")
    guard FileManager.default.fileExists(atPath: backup.path(percentEncoded: false)) else {
      #expect(!mark.hasBackup, "\(title): the backup is lost")
      return
    }
    let context = try NumberedSaves.container(.sqlite(at: backup)).makeContext()
    let saves = try NumberedSaves.last(context)
    #expect(saves > 0)
    #expect(try NumberedSaves.found(context) == NumberedSaves.contents(after: saves), "\(title)")
  }
}
