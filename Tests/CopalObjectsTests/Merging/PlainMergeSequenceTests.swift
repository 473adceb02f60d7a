import Copal
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// Random changes, merges and saves of several contexts, beside a plain model of the store and of
/// each context.
@Suite("Random merges beside a plain model", .modelAsIs)
struct PlainMergeSequenceTests {
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_MERGES"].flatMap(UInt64.init) ?? 15
  private static let first =
    ProcessInfo.processInfo.environment["COPAL_MERGES_FROM"].flatMap(UInt64.init) ?? 1

  @Test("contexts of one container, each with a policy", arguments: bothStores, [2, 3, 4])
  func contexts(_ kind: StoreKind, _ contexts: Int) async throws {
    var counts = PlainMergeRun.Counts()
    for seed in Self.first..<Self.first + Self.count {
      await Task.yield()
      let test = try TestStore(kind)
      let run = PlainMergeRun(seed: seed * 10 + UInt64(contexts), contexts: contexts)
      let worker = try MergeWorker(test.configuration(), run.policies)
      run.links = (0..<contexts).map { index in
        PlainMergeRun.Line { command in try worker.run(command, index) }
      }
      run.stored = worker.stored
      guard run.isRight(seed) else { return }
      counts.add(run.counts)
    }
    if Self.count >= 40 { counts.check() }
  }

  @Test("contexts of two processes, which send each other what they save")
  func processes() async throws {
    let pipes = try MergePipes()
    let (path, count, first) = (pipes.path, Self.count, Self.first)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(processExitsWith: .success) { [path = path as String] in
          try MergePipes.serve(path)
        }
      }
      group.addTask {
        defer { _ = try? pipes.send(.end, 0) }
        for seed in first..<first + count {
          let test = try TestStore()
          let run = PlainMergeRun(seed: seed * 10 + 5, contexts: 3, lastProcess: 1)
          let worker = try MergeWorker(test.configuration(), Array(run.policies[..<2]))
          let file = test.file.path(percentEncoded: false)
          try pipes.send(.begin(path: file, policies: [run.policies[2]]), 0)
          run.links = [
            PlainMergeRun.Line { try worker.run($0, 0) },
            PlainMergeRun.Line { try worker.run($0, 1) },
            PlainMergeRun.Line(process: 1) { try pipes.send($0, 0) },
          ]
          run.stored = worker.stored
          if !run.isRight(seed) { break }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// One sequence.
final class PlainMergeRun {
  /// How a context is reached.
  struct Line {
    var process = 0
    let send: (MergeCommand) throws -> MergeReply

    init(process: Int = 0, _ send: @escaping (MergeCommand) throws -> MergeReply) {
      self.process = process
      self.send = send
    }
  }

  struct Counts {
    var refused = 0, resolved = 0, kept = 0, left = 0

    mutating func add(_ other: Counts) {
      refused += other.refused
      resolved += other.resolved
      kept += other.kept
      left += other.left
    }

    /// The sequences reach what they are for.
    func check(_ location: SourceLocation = #_sourceLocation) {
      #expect(refused > 20 && resolved > 20 && kept > 10 && left > 10, "\(self)")
    }
  }

  let policies: [PlainWorld.Policy]
  var links: [Line] = []
  var stored: () throws -> [String: [Int64: MergeReply.Shown]] = { [:] }
  private(set) var counts = Counts()
  private let isInProcesses: Bool
  private var world: PlainWorld
  private var random: SplitMix
  private var keys: [String: Int64] = [:]
  /// What other processes have saved, by context.
  private var unmerged: [[SavedChanges]]
  private var lastNumber = 0
  private var log: [String] = []

  init(seed: UInt64, contexts: Int, lastProcess: Int = 0) {
    var random = SplitMix(seed: seed)
    policies = (0..<contexts).map { _ in
      PlainWorld.Policy.allCases.randomElement(using: &random) ?? .error
    }
    self.random = random
    isInProcesses = lastProcess > 0
    world = PlainWorld(policies, lastProcess: lastProcess)
    unmerged = policies.map { _ in [] }
  }

  /// Runs it, and records an issue where the library and the plain model differ.
  func isRight(_ seed: UInt64) -> Bool {
    do {
      for name in ["card", "card", "card", "box", "box", "tag", "tag"] {
        try insert(name, 0)
      }
      try save(0)
      for _ in 0..<120 { try step() }
      return true
    } catch {
      Issue.record("seed \(seed), \(policies): \(error)\n\(log.joined(separator: "\n"))")
      return false
    }
  }

  private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  // MARK: Steps

  private func step() throws {
    let index = Int.random(in: 0..<policies.count, using: &random)
    switch Int.random(in: 0..<26, using: &random) {
    case 0...1:
      try insert(["card", "card", "box", "tag"].randomElement(using: &random) ?? "card", index)
    case 2...8:
      guard let name = try pick("", index) else { return }
      let property = name.hasPrefix("card") && chance(2) ? "b" : "a"
      let value = Int.random(in: 0..<4, using: &random)
      world.set(name, property, value, index)
      try run(.set(name, property, value), index)
    case 9...11:
      guard let card = try pick("card", index) else { return }
      let box = chance(4) ? nil : try pick("box", index)
      world.put(card, into: box, index)
      try run(.put(card, into: box), index)
    case 12...14:
      try merge(index)
      guard let card = try pick("card", index), let tag = try pick("tag", index) else { return }
      let (link, isAdded) = (PlainWorld.Link(card: card, tag: tag), !chance(3))
      world.link(link, isAdded, index)
      try run(.link(link, isAdded), index)
    case 15...16:
      try merge(index)
      guard let name = try pick("", index), !isLeft(name, index) else { return }
      // A fault would not become a changed object.
      let cards = world.store.rows.filter { $0.value.box == name }.keys
      for other in world.linked(to: name, index).union(cards).sorted() { try read(other, index) }
      world.delete(name, index)
      try run(.delete(name), index)
    case 17...20: try save(index)
    case 21:
      world.rollBack(index)
      try run(.rollBack, index)
    default: try merge(index)
    }
  }

  /// Whether others have moved a card out of a box, and the context has kept its own row of it. The
  /// members of the box are those of the store then.
  private func isLeft(_ box: String, _ index: Int) -> Bool {
    world.contexts[index].objects.values.contains { card in
      if card.row.box != box || card.changes.contains("box") { return false }
      if case .some(.some(let row)) = card.newest { return row.box != box }
      return false
    }
  }

  private func insert(_ kind: String, _ index: Int) throws {
    lastNumber += 1
    world.insert("\(kind)\(lastNumber)", index)
    try run(.insert("\(kind)\(lastNumber)"), index)
  }

  private func save(_ index: Int) throws {
    let context = world.contexts[index]
    let isWritten = world.save(index)
    if isWritten {
      for (name, object) in context.objects
      where world.contexts[index].objects[name]?.isGone == true {
        if !object.isGone, !object.isDeleting { counts.left += 1 }
      }
      if context.objects.contains(where: { name, object in
        !object.changes.isEmpty && !object.isNew
          && world.contexts[index].objects[name]?.row.values != object.mine.values
      }) {
        counts.resolved += 1
      }
    } else {
      counts.refused += 1
    }
    let reply = try run(.save, index)
    try require(
      reply.isRefused != isWritten, "the save was \(reply.isRefused ? "refused" : "written")")
    try checkStore()
    if !isWritten, !chance(3) {
      world.rollBack(index)
      try run(.rollBack, index)
    }
  }

  private func merge(_ index: Int) throws {
    world.merge(index)
    counts.kept += world.contexts[index].objects.values.count { $0.newest != nil }
    let sent = unmerged[index]
    unmerged[index] = []
    let reply = try run(.merge(sent), index)
    for (name, object) in world.contexts[index].objects
    where name.hasPrefix("card") && !object.isGone && !object.isDeleting && !object.isMissing {
      var tags = world.tags(of: name, in: world.contexts[index])
      var found = reply.objects[name]?.tags ?? []
      if isInProcesses {
        // Rows that are read again do not say which links went with a deleted tag.
        let gone = keys.filter { world.store.rows[$0.key] == nil && $0.key.hasPrefix("tag") }
        tags.subtract(gone.keys)
        found.subtract(gone.values)
      }
      // A new tag has a key that is not known here.
      let saved = Set(tags.compactMap { keys[$0] })
      try require(
        found.count == tags.count && found.filter { $0 > 0 } == saved,
        "\(name).tags is \(found) instead of \(tags)")
    }
  }

  /// An object of a kind that the context has, or reads.
  private func pick(_ kind: String, _ index: Int) throws -> String? {
    let objects = world.contexts[index].objects
    let known = objects.filter { !$0.value.isGone && !$0.value.isDeleting && !$0.value.isMissing }
      .map(\.key)
    let unknown = world.store.rows.keys.filter { objects[$0]?.isGone ?? true }
    guard
      let name = (known + unknown).filter({ $0.hasPrefix(kind) }).sorted()
        .randomElement(using: &random)
    else { return nil }
    try read(name, index)
    return name
  }

  /// Reads an object that the context does not have.
  private func read(_ name: String, _ index: Int) throws {
    guard world.contexts[index].objects[name]?.isGone ?? true, let key = keys[name] else { return }
    world.read(name, index)
    try run(.read(name, key: key), index)
  }

  // MARK: Comparing

  private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw ConformanceFailure(message()) }
  }

  @discardableResult
  private func run(_ command: MergeCommand, _ index: Int) throws -> MergeReply {
    if case .merge = command {
      log.append("\(index): merge")
    } else {
      log.append("\(index): \(command)")
    }
    let reply = try links[index].send(command)
    if reply.isRefused { log.append("  refused: \(reply.causes.joined(separator: "; "))") }
    keys.merge(reply.keys) { $1 }
    for other in links.indices where links[other].process != links[index].process {
      unmerged[other] += reply.saved
    }
    try require(reply.problem == nil, reply.problem ?? "")
    adoptMarks(reply, index)
    let context = world.contexts[index]
    for (name, object) in context.objects {
      try compare(name, object, reply.objects[name], context)
    }
    // A value that was set to what it is, or a list that others have changed in the same way, may
    // count as a change.
    switch command {
    case .save where !reply.isRefused, .rollBack: try require(!reply.hasChanges, "hasChanges")
    default: try require(reply.hasChanges || !context.hasOwnChanges, "no hasChanges")
    }
    return reply
  }

  /// An object of which only the lists were changed counts as changed. The plain model does not
  /// know how long, so that it does not say whether the object stays when others have deleted it.
  private func adoptMarks(_ reply: MergeReply, _ index: Int) {
    for (name, object) in world.contexts[index].objects
    where object.isMissing && object.changes.isEmpty && !object.isNew {
      guard let found = reply.objects[name], found.flags.contains("gone") != object.isGone else {
        continue
      }
      if object.isGone {
        world.bringBack(name, index)
      } else {
        world.leave(name, index)
      }
    }
  }

  private func compare(
    _ name: String, _ object: PlainWorld.Object, _ found: MergeReply.Shown?,
    _ context: PlainWorld.Context
  ) throws {
    guard var found else { return }
    var flags: Set<String> = []
    if object.isGone {
      flags = ["gone"]
    } else {
      if object.isNew { flags.insert("inserted") }
      if object.isDeleting || object.isMissing { flags.insert("deleted") }
      if object.isNew || object.isDeleting { flags.insert("changed") }
      if !object.isNew, !object.isDeleting {
        for change in object.changes { flags.insert("set \(change)") }
      }
    }
    if object.isMissing {
      // Whether a box that is deleted here had it in its list is not part of the tables.
      found.flags.remove("set box")
      flags.remove("set box")
    }
    // Both ends of a relationship are changed objects.
    if !object.isNew, !object.isDeleting {
      try require(
        found.flags.contains("changed") || object.changes.isEmpty, "\(name) is not changed")
      found.flags.remove("changed")
    }
    try require(found.flags == flags, "\(name) is \(found.flags) instead of \(flags)")
    if object.isGone || object.isDeleting || object.isMissing { return }
    for (property, value) in found.values {
      try require(
        value == object.value(property),
        "\(name).\(property) is \(value) instead of \(object.value(property))")
    }
    guard name.hasPrefix("card") else { return }
    let box = object.boxNow
    let known = box.flatMap { context.objects[$0] }
    // What a reference shows whose box has gone is not part of the tables.
    if let box, known?.isGone == true || known?.isMissing == true || world.store.rows[box] == nil {
      return
    }
    let key = known?.isDeleting == true ? 0 : box.flatMap { keys[$0] } ?? 0
    try require(found.box == key, "\(name).box is \(found.box) instead of \(box ?? "none")")
  }

  private func checkStore() throws {
    let found = try stored()
    var expected: [String: [Int64: MergeReply.Shown]] = [:]
    for (name, row) in world.store.rows {
      guard let key = keys[name] else { throw ConformanceFailure("no key of \(name)") }
      var shown = MergeReply.Shown(values: ["a": row.values["a"] ?? 0], box: 0, flags: [])
      if name.hasPrefix("card") {
        shown.values["b"] = row.values["b"] ?? 0
        shown.box = row.box.flatMap { keys[$0] } ?? 0
        shown.tags = Set(
          world.store.links.filter { $0.card == name }.compactMap { keys[$0.tag] })
      }
      expected[MergeWorker.entity(name), default: [:]][key] = shown
    }
    try require(found == expected, "stored is \(found) instead of \(expected)")
  }
}

/// Two pipes to a process whose contexts do what they are asked to.
final class MergePipes: Sendable {
  let path: String
  private let folder: TemporaryFolder
  private let out: Int32
  private let input: Int32

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.path(percentEncoded: false)
    for name in ["commands", "replies"] where mkfifo(path + name, 0o600) != 0 {
      throw ConformanceFailure("no pipe \(errno)")
    }
    // For both directions, so that opening does not wait for the other process.
    out = open(path + "commands", O_RDWR | O_CLOEXEC)
    input = open(path + "replies", O_RDWR | O_CLOEXEC)
  }

  deinit {
    close(out)
    close(input)
    // The check of the folder would wait for somebody at their other ends.
    for name in ["commands", "replies"] { unlink(path + name) }
  }

  /// Asks the first context of the other process.
  @discardableResult
  func send(_ command: MergeCommand, _ index: Int) throws -> MergeReply {
    try Self.write(command, to: out)
    if case .end = command { return MergeReply() }
    return try Self.read(MergeReply.self, from: input)
  }

  private static func write(_ value: some Encodable, to descriptor: Int32) throws {
    var data = try JSONEncoder().encode(value)
    data.append(10)
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw ConformanceFailure("a pipe is broken: \(errno)") }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Reads a line; waits a minute for it.
  private static func read<T: Decodable>(_ type: T.Type, from descriptor: Int32) throws -> T {
    var line = Data()
    var buffer = [UInt8](repeating: 0, count: 65536)
    while line.last != 10 {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 60_000) > 0 else {
        throw ConformanceFailure("the other process does not answer")
      }
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw ConformanceFailure("the other process has ended") }
      line.append(contentsOf: buffer[..<count])
    }
    return try JSONDecoder().decode(type, from: line)
  }

  /// The other process.
  static func serve(_ path: String) throws {
    let input = open(path + "commands", O_RDWR)
    let out = open(path + "replies", O_RDWR)
    var worker: MergeWorker?
    while true {
      let command = try read(MergeCommand.self, from: input)
      switch command {
      case .end: return
      case .begin(let path, let policies):
        worker = try MergeWorker(.sqlite(at: URL(filePath: path)), policies)
        try write(MergeReply(), to: out)
      default:
        guard let worker else { throw ConformanceFailure("nothing has begun") }
        var reply = MergeReply()
        do { reply = try worker.run(command, 0) } catch { reply.problem = "\(error)" }
        try write(reply, to: out)
      }
    }
  }
}
