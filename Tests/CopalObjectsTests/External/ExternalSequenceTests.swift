import Copal
import CopalTestSupport
import Foundation
import Testing

/// Random operations on large values in several contexts, beside a plain model.
private struct LargeValueSequence {
  private let files: NegativeFiles
  private var contexts: [ManagedObjectContext]
  private var random: SplitMix
  /// The committed value of each title, and all that it has had.
  private var committed: [String: Int] = [:]
  private var history: [String: Set<Int>] = [:]
  /// What each context has set since its last save.
  private var pending: [[String: Int?]]
  private var lastVersion = 0

  init(seed: UInt64) throws {
    files = try NegativeFiles()
    let container = files.container
    contexts = (0..<3).map { _ in container.makeContext() }
    pending = contexts.map { _ in [:] }
    random = SplitMix(seed: seed)
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      let place = Int.random(in: contexts.indices, using: &random)
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<3: insert(place)
      case 3..<6: try change(place)
      case 6: try delete(place)
      case 7..<9: try save(place)
      case 9:
        contexts[place].rollback()
        pending[place] = [:]
      case 10: contexts[place].refreshAllObjects()
      case 11: try readAll(place)
      case 12:
        try files.container.store.removeUnreferencedFiles(checkingAll: Bool.random(using: &random))
      default:
        contexts[place] = files.container.makeContext()
        pending[place] = [:]
      }
    }
    for place in contexts.indices { try save(place) }
    try check()
  }

  private mutating func nextVersion() -> Int {
    lastVersion += 1
    return lastVersion
  }

  private mutating func insert(_ place: Int) {
    let version = nextVersion()
    let title = "n\(version)"
    let new =
      version % 3 == 0
      ? ColorNegative(context: contexts[place], title: title)
      : Negative(context: contexts[place], title: title)
    LargeValueWriter.set(version, of: new)
    pending[place][title] = version
  }

  private mutating func change(_ place: Int) throws {
    guard let negative = try contexts[place].fetch(Negative.self).randomElement(using: &random)
    else { return }
    let version = Int.random(in: 0..<6, using: &random) == 0 ? 0 : nextVersion()
    LargeValueWriter.set(version, of: negative)
    pending[place][negative.title] = version
  }

  private mutating func delete(_ place: Int) throws {
    guard let negative = try contexts[place].fetch(Negative.self).randomElement(using: &random)
    else { return }
    pending[place][negative.title] = .some(nil)
    contexts[place].delete(negative)
  }

  private mutating func save(_ place: Int) throws {
    do {
      try contexts[place].save()
    } catch let error as PersistenceError {
      let codes: Set<PersistenceError.Code> = [.conflict, .deletedElsewhere, .externalFileMissing]
      #expect(!codes.isDisjoint(with: error.causeCodes + [error.code]), "\(error)")
      contexts[place].rollback()
      contexts[place].refreshAllObjects()
      pending[place] = [:]
      return
    }
    for (title, version) in pending[place] {
      // An object that was inserted and deleted again was never there.
      committed[title] = version
      if let version { history[title, default: []].insert(version) }
    }
    pending[place] = [:]
  }

  /// Each value is the one that was set, or one that the object has had, complete.
  private mutating func readAll(_ place: Int) throws {
    for negative in try contexts[place].fetch(Negative.self) {
      do {
        let version = try LargeValueWriter.version(of: negative)
        let expected = pending[place][negative.title] ?? nil
        if let expected {
          #expect(version == expected)
        } else {
          #expect(version.map { history[negative.title]?.contains($0) == true } == true)
        }
      } catch let error as PersistenceError where error.code == .externalFileMissing {
        // Another context has replaced the value.
        #expect(history[negative.title].map { $0.count > 1 } == true)
        #expect(pending[place][negative.title] == nil)
        try contexts[place].refresh(negative, mergeChanges: false)
        #expect(try LargeValueWriter.version(of: negative) == committed[negative.title])
      }
    }
  }

  private func check() throws {
    try files.container.store.removeUnreferencedFiles(checkingAll: true)
    #expect(try files.references() == files.names())
    var found: [String: Int] = [:]
    let context = files.container.makeContext()
    for negative in try context.fetch(Negative.self) {
      found[negative.title] = try LargeValueWriter.version(of: negative)
    }
    #expect(found == committed)
  }
}

@Suite("Random operations on large values", .modelAsIs)
struct ExternalSequenceTests {
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_SEQUENCES"].flatMap(Int.init).map { $0 / 50 } ?? 4

  @Test("several contexts have the values of a plain model, and each file is that of a row")
  func sequences() throws {
    for seed in 0..<UInt64(Self.count) {
      var sequence = try LargeValueSequence(seed: seed)
      try sequence.run(steps: 120)
    }
  }
}
