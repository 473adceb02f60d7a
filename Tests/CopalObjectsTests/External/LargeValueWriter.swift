import Copal
import CopalTestSupport
import Foundation

/// Changes large values at random until the process is killed, and notes in a file what it does, so
/// that another process can say what the store must have.
struct LargeValueWriter {
  /// Begins the titles of its objects.
  let name: String
  let store: URL
  let journal: SaveJournal

  /// What an object has: the number of its value; 0 for none.
  typealias Versions = [String: Int]

  func run(seed: UInt64) throws -> Never {
    var random = SplitMix(seed: seed)
    let container = try PersistentContainer(
      model: .negatives, store: .sqlite(at: store), transformers: [NegativeNotes()])
    let context = container.makeContext()
    var version = try journal.versions().lastVersion
    while true {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: try container.store.removeUnreferencedFiles(checkingAll: Bool.random(using: &random))
      case 1: try rollBack(context)
      case 2: try refusedSave(context)
      case 3: try readAll(container)
      case 4: try backUp(container, &random)
      default: try save(context, &version, &random)
      }
    }
  }

  /// Changes, inserts or deletes one to four objects in one save.
  private func save(_ context: ManagedObjectContext, _ version: inout Int, _ random: inout SplitMix)
    throws
  {
    let own = try context.fetch(Negative.self).filter { $0.title.hasPrefix(name) }
    var changes: [String: Int?] = [:]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      version += 1
      let old = own.randomElement(using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where own.count > 20, 1 where own.count > 40:
        guard let old, changes[old.title] == nil else { continue }
        changes[old.title] = .some(nil)
        context.delete(old)
      case 2, 3, 4:
        guard let old, changes[old.title] == nil else { continue }
        let value = Int.random(in: 0..<5, using: &random) == 0 ? 0 : version
        changes[old.title] = value
        Self.set(value, of: old)
      default:
        let title = "\(name)\(version)"
        let new =
          version % 3 == 0
          ? ColorNegative(context: context, title: title)
          : Negative(context: context, title: title)
        changes[title] = version
        Self.set(version, of: new)
      }
    }
    try journal.note(changes)
    try context.save()
    try journal.noteSaved()
  }

  private func rollBack(_ context: ManagedObjectContext) throws {
    Negative(context: context, title: "rolled back").scan = Self.value(7)
    context.rollback()
  }

  /// A save that breaks a unique constraint in the store, after its files were written.
  private func refusedSave(_ context: ManagedObjectContext) throws {
    for _ in 0..<2 {
      let negative = Negative(context: context, title: "refused")
      (negative.number, negative.scan) = (1, Self.value(8))
    }
    do {
      try context.save()
      exit(90)
    } catch {
      context.rollback()
    }
  }

  /// Reads the values of both writers, as of one moment.
  private func readAll(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    try context.readTransaction {
      for negative in try context.fetch(Negative.self) {
        guard try Self.version(of: negative) != nil else { exit(91) }
      }
    }
  }

  private func backUp(_ container: PersistentContainer, _ random: inout SplitMix) throws {
    let number = UInt32.random(in: 0 ... .max, using: &random)
    let folder = store.deletingLastPathComponent()
    try container.store.backup(
      to: folder.appending(path: "backup-\(name)\(number).sqlite").path(percentEncoded: false))
  }

  // MARK: Values

  /// The value of a number: small enough for a row, a little larger, or some pages.
  static func value(_ version: Int) -> Data {
    let count = [200, 1500, 20_000, 150_000][version % 4]
    return Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ version &* 31) })
      + Data("\(version)".utf8)
  }

  static func set(_ version: Int, of negative: Negative) {
    negative.scan = version == 0 ? nil : value(version)
    negative.number = nil
    negative.notes = version == 0 ? nil : ["\(version)"]
    (negative as? ColorNegative)?.profile = version == 0 ? nil : value(version)
  }

  /// The number of the value that an object has; nil when its values are not those of one number.
  static func version(of negative: Negative) throws -> Int? {
    let scan = try negative.value(of: "scan", as: Data.self)
    let version = Int(negative.notes?.first ?? "0") ?? -1
    guard scan == (version == 0 ? nil : value(version)) else { return nil }
    if let color = negative as? ColorNegative,
      try color.value(of: "profile", as: Data.self) != scan
    {
      return nil
    }
    return version
  }
}

/// A file in which a writer notes what it is about to save, and that the save has ended.
struct SaveJournal {
  let file: URL

  func note(_ changes: [String: Int?]) throws {
    let line = changes.map { "\($0)=\($1.map(String.init) ?? "-")" }.joined(separator: " ")
    try append("begin \(line)\n")
  }

  func noteSaved() throws { try append("end\n") }

  /// One call of the system, so that a kill leaves a whole line or none.
  private func append(_ line: String) throws {
    let descriptor = open(file.path(percentEncoded: false), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { exit(92) }
    defer { _ = close(descriptor) }
    let bytes = Array(line.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { exit(93) }
  }

  /// The last lines.
  func end() throws -> [Substring] {
    // A program that was killed early has written nothing.
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      return []
    }
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").suffix(4)
  }

  /// What the store must have.
  struct Contents {
    var saved: [String: Int] = [:]
    /// With the save that was running; nil when none was.
    var withRunning: [String: Int]?
    var lastVersion = 0
    var saves = 0
  }

  func versions() throws -> Contents {
    var contents = Contents()
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      return contents
    }
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line == "end" {
        contents.saved = contents.withRunning ?? contents.saved
        contents.withRunning = nil
        contents.saves += 1
        continue
      }
      contents.withRunning = contents.saved
      for change in line.split(separator: " ").dropFirst() {
        let parts = change.split(separator: "=")
        contents.withRunning?[String(parts[0])] = Int(parts[1])
        let number = parts[0].drop { !$0.isNumber }
        contents.lastVersion = max(contents.lastVersion, Int(number) ?? 0, Int(parts[1]) ?? 0)
      }
    }
    return contents
  }

  /// Says what a save that was running has done: nothing, or everything.
  func finishSave(_ found: [String: Int]) throws {
    let contents = try versions()
    guard let running = contents.withRunning else { return }
    // A further save that changes what is wrong: a line that takes the place of the one without an
    // end.
    let state = found == running ? running : contents.saved
    let all = Set(running.keys).union(contents.saved.keys)
    try note(Dictionary(uniqueKeysWithValues: all.map { ($0, state[$0]) }))
    try noteSaved()
  }
}
