import Copal
import CopalColor
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@testable import CopalObjects

/// Random changes here and in another context, below observers of every property.
///
/// The oracle is what the properties show: if a property shows something else after a turn than
/// before, its observer was notified.
@Suite("Random changes below observers", .modelAsIs)
struct ObservableSequenceTests {
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_OBSERVERS"].flatMap(UInt64.init) ?? 25
  private static let first =
    ProcessInfo.processInfo.environment["COPAL_OBSERVERS_FROM"].flatMap(UInt64.init) ?? 1

  @Test("a property that shows something else has notified its observer", arguments: bothStores)
  func observers(_ kind: StoreKind) async throws {
    var (notified, silent) = (0, 0)
    for seed in Self.first..<Self.first + Self.count {
      await Task.yield()
      let run = try ObservedRun(TestStore(kind).container(.exhibition), seed: seed)
      for _ in 0..<40 where run.problems.isEmpty { try run.step() }
      (notified, silent) = (notified + run.notified, silent + run.silent)
      if run.problems.isEmpty { continue }
      Issue.record(
        "seed \(seed), \(kind): \(run.problems.prefix(3))\n\(run.log.suffix(20).joined(separator: "\n"))"
      )
      return
    }
    #expect(notified > 100 && silent > notified, "\(notified) \(silent)")
  }
}

private final class ObservedRun {
  let mine: ManagedObjectContext
  let other: ManagedObjectContext
  private var random: SplitMix
  private var number = 0
  var problems: [String] = []
  var log: [String] = []
  /// The number of changes that were seen, and of properties that have not notified.
  var notified = 0
  var silent = 0

  /// A property that somebody observes.
  private struct Observed {
    let name: String
    let read: () -> String
    let former: String
    let watch: Watch

    init(_ name: String, _ read: @escaping () -> String) {
      (self.name, self.read) = (name, read)
      var former = ""
      watch = Watch { former = read() }
      self.former = former
    }
  }

  init(_ container: PersistentContainer, seed: UInt64) throws {
    random = SplitMix(seed: seed)
    (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    for context in [mine, other] { context.mergePolicy = .mergeByPropertyObjectTrump }
    for _ in 0..<3 { _ = Hall(context: other) }
    for _ in 0..<6 { insertShowpiece(other) }
    for _ in 0..<2 { _ = Motif(context: other) }
    try other.save()
    mine.mergeChanges()
  }

  private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
  private func name(_ context: ManagedObjectContext) -> String {
    context === mine ? "mine" : "other"
  }

  private func insertShowpiece(_ context: ManagedObjectContext) {
    number += 1
    let made: Showpiece =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: Bust(context: context)
      case 1: Canvas(context: context)
      default: Showpiece(context: context)
      }
    made.title = "p\(number)"
  }

  private func any<T: ManagedObject & QueryableObject>(
    _ type: T.Type, _ context: ManagedObjectContext
  ) throws -> T? {
    try context.fetch(type).randomElement(using: &random)
  }

  // MARK: Steps

  func step() throws {
    let observed = try observe()
    for _ in 0..<Int.random(in: 1...3, using: &random) { try change(chance(2) ? mine : other) }
    try end()
    for property in observed {
      let now = property.read()
      if property.watch.isNotified { notified += 1 } else { silent += 1 }
      if now != property.former, !property.watch.isNotified {
        problems.append("\(property.name): \(property.former) > \(now)")
      }
    }
  }

  /// Observes all properties of some objects. Some lists are only counted.
  private func observe() throws -> [Observed] {
    let counts = chance(2)
    func ids(_ objects: some Sequence<Showpiece>) -> String {
      objects.map { "\($0.id)" }.joined(separator: " ")
    }
    func list(_ view: ToMany<Showpiece>) -> String { counts ? "\(view.count)" : ids(view) }
    var observed: [Observed] = []
    for hall in try mine.fetch(Hall.self) {
      observed += [
        Observed("\(hall.key).name") { "\(hall.name) \(hall.isDeleted)" },
        Observed("\(hall.key).exhibits") { list(hall.exhibits) },
        Observed("\(hall.key).queue") { counts ? "\(hall.queue.count)" : ids(hall.queue) },
      ]
    }
    for piece in try mine.fetch(Showpiece.self) where !chance(4) {
      func key(_ object: ManagedObject?) -> String {
        object.map { "\($0._copalStableID)" } ?? "nil"
      }
      observed += [
        Observed("\(piece.key).title") { "\(piece.title) \(piece.isDeleted)" },
        Observed("\(piece.key).visitors") { "\(piece.visitors)" },
        Observed("\(piece.key).price") { "\(piece.price as Any)" },
        Observed("\(piece.key).palette") { "\(piece.palette?.count as Any)" },
        Observed("\(piece.key).code") { "\(piece.code as Any)" },
        Observed("\(piece.key).hall") { key(piece.hall) },
        Observed("\(piece.key).waitingFor") { key(piece.waitingFor) },
        Observed("\(piece.key).companion") { key(piece.companion) },
        Observed("\(piece.key).companionOf") { key(piece.companionOf) },
        Observed("\(piece.key).motifs") {
          counts ? "\(piece.motifs.count)" : "\(piece.motifs.map { "\($0.id)" }.sorted())"
        },
      ]
    }
    return observed
  }

  private func end() throws {
    func save(_ context: ManagedObjectContext) {
      do { try context.save() } catch {
        log.append("\(name(context)) is refused: \(error)")
        context.rollback()
      }
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<3:
      log.append("other saves")
      save(other)
    case 3..<5:
      log.append("both save")
      save(other)
      save(mine)
    case 5 where chance(2):
      log.append("mine rolls back")
      mine.rollback()
    case 6 where chance(3):
      log.append("mine forgets all")
      mine.refreshAllObjects()
    case 7 where chance(4):
      log.append("mine is reset")
      mine.reset()
    default: log.append("turn")
    }
    mine.mergeChanges()
    mine.processPendingChanges()
  }

  private func change(_ context: ManagedObjectContext) throws {
    let who = name(context)
    guard let piece = try any(Showpiece.self, context) else { return insertShowpiece(context) }
    let hall = try any(Hall.self, context)
    func note(_ line: String) { log.append("\(who) \(line)") }
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      note("inserts")
      insertShowpiece(context)
    case 1..<4:
      number += 1
      note("titles \(piece.key)")
      piece.title = chance(2) ? "p\(number)" : "a"
    case 4:
      note("counts \(piece.key)")
      try piece.setValue(Int.random(in: 0..<3, using: &random), forKey: "visitors")
    case 5:
      note("prices \(piece.key)")
      piece.price = chance(2) ? nil : 1.25
    case 6:
      note("paints \(piece.key)")
      piece.palette = chance(2) ? nil : [.red]
    case 7:
      note("codes \(piece.key)")
      piece.code = chance(2) ? nil : "c"
    case 8, 9:
      note("moves \(piece.key) to \(hall?.key ?? 0)")
      piece.hall = chance(3) ? nil : hall
    case 10:
      note("moves \(piece.key) into \(hall?.key ?? 0)")
      hall?.exhibits.insert(piece)
    case 11:
      note("queues \(piece.key) in \(hall?.key ?? 0)")
      hall?.queue.append(piece)
    case 12:
      note("reverses the queue of \(hall?.key ?? 0)")
      if let hall { hall.queue.replaceAll(with: hall.queue.reversed()) }
    case 13:
      let companion = try any(Showpiece.self, context)
      note("pairs \(piece.key) with \(companion?.key ?? 0)")
      piece.companion = chance(3) ? nil : companion
    case 14:
      guard let motif = try any(Motif.self, context) else { return }
      note("links \(piece.key) with \(motif.key)")
      if piece.motifs.contains(motif) {
        piece.motifs.remove(motif)
      } else {
        motif.exhibits.insert(piece)
      }
    case 15:
      note("deletes \(piece.key)")
      context.delete(piece)
    case 16 where chance(3):
      guard let motif = try any(Motif.self, context) else { return }
      note("deletes motif \(motif.key)")
      context.delete(motif)
      _ = Motif(context: context)
    case 17 where chance(3):
      guard let hall else { return }
      note("deletes hall \(hall.key)")
      context.delete(hall)
      Hall(context: context).name = "h"
    case 18:
      note("refreshes \(piece.key)")
      if piece.key > 0 {
        do { try context.refresh(piece, mergeChanges: chance(2)) } catch { note("\(error)") }
      }
    case 19 where chance(3):
      note("runs a batch")
      do { try context.updateAll(Showpiece.self) { $0.visitors.set(to: 7) } } catch {
        note("no batch")
      }
    default: note("rests")
    }
  }
}
