import CopalTestSupport

/// One step of a sequence: what to do in which context, and the numbers that its choices come from.
///
/// The choices are made when the step runs, among what there is then. So a sequence can be run
/// again without some of its steps.
struct Operation: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case insert, set, setAgain, setTaken, setPrimitive, touch, befriend, delete
    case read, fulfill, object, existingObject, objects
    case fetch, count, fetchIDs
    case refresh, merge, refreshAll, rollback, reset
    case save, release, look, setMetadata

    /// How often it is chosen.
    var weight: Int {
      switch self {
      case .set: 26
      case .save: 14
      case .fetch: 14
      case .insert: 10
      case .existingObject, .merge: 7
      case .setAgain, .setTaken, .setPrimitive, .delete, .read, .object, .refresh, .release: 5
      case .count, .fetchIDs, .befriend: 4
      case .setMetadata: 4
      case .fulfill, .objects, .rollback, .refreshAll: 3
      case .look: 2
      // Not until the known issue of `SequenceCaseTests` is fixed.
      case .touch: 0
      case .reset: 1
      }
    }
  }

  var kind: Kind
  var context: Int
  var seed: UInt64
}

/// A sequence of operations on some contexts of one container.
struct OperationSequence: Sendable {
  var stage: Stage
  var seed: UInt64
  var contexts: Int
  /// The operations by their number in the whole sequence; some may have been left out.
  var operations: [(number: Int, operation: Operation)]

  init(_ stage: Stage, seed: UInt64, length: Int) {
    self.stage = stage
    self.seed = seed
    var random = SplitMix(seed: seed)
    let count = [1, 2, 2, 2, 3].randomElement(using: &random) ?? 1
    contexts = count
    let lottery = Operation.Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    operations = (0..<length).map { number in
      let operation = Operation(
        kind: lottery.randomElement(using: &random) ?? .save,
        context: Int.random(in: 0..<count, using: &random), seed: random.next())
      return (number, operation)
    }
  }

  /// The sequence of a ``name``; all operations where it names none.
  init?(named name: String, length: Int) {
    let parts = name.split(separator: "/").map(String.init)
    guard parts.count >= 3, let profile = Stage.Profile(rawValue: parts[0]),
      let store = StoreKind(rawValue: parts[1]), let seed = UInt64(parts[2])
    else { return nil }
    self.init(Stage(profile: profile, store: store), seed: seed, length: length)
    guard parts.count > 3 else { return }
    let numbers = Set(parts[3].split(separator: ",").compactMap { Int($0) })
    operations.removeAll { !numbers.contains($0.number) }
  }

  /// What `COPAL_SEQUENCE` takes to run it again: profile, store, seed, and the operations.
  var name: String {
    "\(stage)/\(seed)/" + operations.map { "\($0.number)" }.joined(separator: ",")
  }
}
