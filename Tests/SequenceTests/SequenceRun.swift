import Copal
import CopalTestSupport

/// Where the library and the plain model differ.
struct Difference: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A sequence as it runs: every operation is done to contexts and to the plain model, and both are
/// compared after it.
final class SequenceRun {
  let sequence: OperationSequence
  let store: TestStore
  let container: PersistentContainer
  let world: PlainWorld
  let contexts: [RunningContext]
  /// The log of operations.
  private(set) var log: [String] = []

  init(_ sequence: OperationSequence) throws {
    self.sequence = sequence
    store = try TestStore(sequence.stage.store)
    let container = try PersistentContainer(
      model: sequence.stage.binding, store: store.configuration(),
      transformers: Stage.transformers)
    // Sequences read missing objects on purpose.
    container.readFailureHandler = { _ in }
    self.container = container
    world = PlainWorld(contexts: sequence.contexts, hasHooks: sequence.stage.profile == .hooks)
    contexts = world.contexts.enumerated().map {
      RunningContext($0, container.makeContext(), $1)
    }
  }

  /// Runs it to its end.
  ///
  /// - Throws: ``Difference``.
  func run() throws {
    // Objects that reference each other would leak.
    defer { for context in contexts { context.dissolveFriendships() } }
    for (_, operation) in sequence.operations {
      let context = contexts[operation.context % contexts.count]
      var random = SplitMix(seed: operation.seed)
      try step(operation.kind, in: context, &random)
      for other in contexts { try check(other, &random) }
    }
  }

  /// Adds a line to what was done.
  func note(_ context: RunningContext, _ text: String) { log.append("\(context.index): \(text)") }

  /// Adds the outcome to the last line.
  func noteOutcome(_ text: String) {
    if let last = log.popLast() { log.append("\(last) -> \(text)") }
  }

  func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Difference(message()) }
  }

  func permanentID(_ entity: String, _ key: Int64) throws -> ManagedObjectID {
    guard
      let id = ManagedObjectID(uri: "copal://\(container.storeIdentifier)/\(entity)/p\(key)")
    else { throw Difference("no id for \(entity) \(key)") }
    return id
  }

  /// Which object of the plain model an id means.
  func plainID(_ id: ManagedObjectID?, in context: RunningContext) -> PlainID? {
    guard let id else { return nil }
    if id.isTemporary {
      return context.temporaryIDs.first { $0.id == id }.map { $0.plain.id }
    }
    return Int64(id.description.split(separator: "/").last?.dropFirst() ?? "").map {
      .saved(id.entityName, $0)
    }
  }
}

/// A context with its plain model.
final class RunningContext {
  let index: Int
  let real: ManagedObjectContext
  let plain: PlainContext
  /// The objects that may still be there.
  var pairs: [Pair] = []
  /// Every id that a new object of this context has had.
  var temporaryIDs: [(id: ManagedObjectID, plain: PlainObject)] = []
  private var lastNumber = 0

  init(_ index: Int, _ real: ManagedObjectContext, _ plain: PlainContext) {
    self.index = index
    self.real = real
    self.plain = plain
  }

  /// Pairs an object with its plain model.
  @discardableResult
  func pair(_ object: ManagedObject, _ plain: PlainObject, isHeld: Bool) -> Pair {
    lastNumber += 1
    let pair = Pair("#\(index).\(lastNumber)", object, plain, isHeld: isHeld)
    pairs.append(pair)
    if object.objectID.isTemporary { temporaryIDs.append((object.objectID, plain)) }
    return pair
  }

  func pair(_ object: ManagedObject) -> Pair? { pairs.first { $0.real === object } }
  func pair(_ plain: PlainObject) -> Pair? { pairs.first { $0.plain === plain } }

  /// Objects that the test references.
  var held: [Pair] { pairs.filter { $0.held != nil } }

  func dissolveFriendships() {
    for pair in pairs {
      (pair.real as? HabitualStudy)?.friend = nil
      (pair.real as? HabitualStudy)?.drawers = []
      (pair.plain.friend, pair.plain.drawers) = (nil, [])
    }
  }
}

/// An object with its plain model.
final class Pair {
  let name: String
  let plain: PlainObject
  /// The object, which is released when neither the test nor its context references it.
  private(set) weak var real: ManagedObject?
  /// A strong reference of the test.
  var held: ManagedObject?

  init(_ name: String, _ real: ManagedObject, _ plain: PlainObject, isHeld: Bool) {
    self.name = name
    self.real = real
    self.plain = plain
    held = isHeld ? real : nil
  }
}
