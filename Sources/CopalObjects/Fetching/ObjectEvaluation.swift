import CopalEssentials
public import CopalModel
import CopalStore

extension FetchPredicate {
  /// Whether an object meets the condition, with the values that it has now: unsaved ones, and
  /// those of related objects, included. It is the answer that a fetch gives.
  ///
  /// ```swift
  /// let cheap = Pigment.properties.price < 20
  /// if try cheap.evaluate(with: ochre) { print("cheap") }
  /// ```
  ///
  /// A fault is filled, and related objects that the condition asks for are read. An object that is
  /// marked as deleted has its values; one that the store or the context does not have any more
  /// meets no condition. For many objects, ``Swift/Sequence/filter(_:)`` reads them together.
  ///
  /// - Throws: ``PersistenceError`` with a code of `request.…` when a name or a type does not match
  ///   the model, and with `object.missing` for objects whose context was released; what prevents
  ///   reading the object.
  public func evaluate<Object: ManagedObject>(with object: Object) throws -> Bool {
    try ![object].filter(self).isEmpty
  }
}

/// Conditions and orders for objects in memory.
extension Sequence where Element: ManagedObject {
  /// The objects that meet a condition, with the values that they have now, in their order.
  ///
  /// ```swift
  /// let cheap = try box.pigments.filter(Pigment.properties.price < 20)
  /// ```
  ///
  /// Faults and related objects are read together, as for a fetch. See
  /// ``CopalModel/FetchPredicate/evaluate(with:)``.
  ///
  /// - Precondition: the objects belong to one context.
  /// - Throws: as ``CopalModel/FetchPredicate/evaluate(with:)``.
  public func filter(_ condition: FetchPredicate) throws -> [Element] {
    let objects = Array(self)
    guard let evaluation = try ObjectEvaluation(of: objects, condition, []) else { return [] }
    return try evaluation.matching(objects)
  }

  /// The objects in the order of some keys, as a fetch sorts them: objects that are equal by all
  /// keys are in the order of their insertion, and a nil is before every value.
  ///
  /// ```swift
  /// let sorted = try objects.sorted(by: [.descending("price")])
  /// ```
  ///
  /// An object that the store or the context does not have any more has no values.
  ///
  /// - Parameter keys: the keys, the most significant one first.
  /// - Precondition: the objects belong to one context.
  /// - Throws: as ``CopalModel/FetchPredicate/evaluate(with:)``.
  public func sorted(by keys: [FetchSortKey]) throws -> [Element] {
    let objects = Array(self)
    guard let evaluation = try ObjectEvaluation(of: objects, nil, keys) else { return [] }
    return try evaluation.sorted(objects)
  }
}

extension Sequence where Element: QueryableObject {
  /// The objects in the order of some keys, as a fetch sorts them.
  ///
  /// ```swift
  /// let sorted = try box.pigments.sorted(by: \.price.descending, \.name.ascending)
  /// ```
  ///
  /// - Parameter keys: the keys, the most significant one first.
  /// - Precondition: the objects belong to one context.
  /// - Throws: as ``Swift/Sequence/sorted(by:)-([FetchSortKey])``.
  public func sorted(by keys: KeyPath<QueryProperties<Element>, FetchSortKey>...) throws
    -> [Element]
  {
    let properties = QueryProperties<Element>()
    return try sorted(by: keys.map { properties[keyPath: $0] })
  }
}

/// A condition and an order, for some objects of one context.
private struct ObjectEvaluation<Object: ManagedObject> {
  private let context: ManagedObjectContext
  private let runtime: EntityRuntime
  private let query: StoreQuery
  private let evaluator: QueryEvaluator

  /// - Returns: nil for no objects.
  init?(of objects: [Object], _ condition: FetchPredicate?, _ sortKeys: [FetchSortKey]) throws {
    guard let first = objects.first else { return nil }
    guard let context = first.core.handle else { throw first.withoutContext() }
    for object in objects { context.requireOwn(object) }
    self.context = context
    runtime = try Self.entity(of: objects, first, context)
    query = try context.binder(of: runtime).bind(
      FetchRequest<ManagedObject>(predicate: condition, sortKeys: sortKeys))
    evaluator = QueryEvaluator(query)
  }

  /// The entity of the class; for a class that serves several entities, the nearest one that all
  /// objects belong to.
  private static func entity(
    of objects: [Object], _ first: Object, _ context: ManagedObjectContext
  ) throws -> EntityRuntime {
    let container = context.state.container
    if let index = container.entityByClass[ObjectIdentifier(Object.self)] {
      return container.entities[index]
    }
    var common = first.runtime.line[...]
    for object in objects {
      while let last = common.last, !object.runtime.line.contains(last) { common.removeLast() }
      if common.isEmpty {
        throw PersistenceError(
          .wrongClass, entity: first.entityName, found: "that of \(object.entityName)",
          expected: "\(first.runtime.objectClass)")
      }
    }
    return container.entities[common.last ?? first.runtime.index]
  }

  func matching(_ objects: [Object]) throws -> [Object] {
    let present = try filled(objects)
    if let condition = query.condition, condition.asksForRelated {
      try RelatedChanges.Members(context.state, context.core).load(condition, of: present, runtime)
    }
    return context.state.askedFor {
      present.filter { evaluator.matches(PendingSubject(object: $0)) }
    }
  }

  func sorted(_ objects: [Object]) throws -> [Object] {
    _ = try filled(objects)
    let nothing = query.sortKeys.map { _ in PropertyValue.null }
    let forms = context.state.askedFor {
      objects.map {
        $0.isGoneOrMissing ? nothing : evaluator.sortedForms(of: PendingSubject(object: $0))
      }
    }
    let order = objects.indices.inOrder { a, b in
      query.sortKeys.order(forms[a], forms[b])
        ?? (PendingMerge.insertionOrder(objects[a].key)
          < PendingMerge.insertionOrder(objects[b].key))
    }
    return order.map { objects[$0] }
  }

  /// Reads the faults.
  ///
  /// - Returns: the objects that the store has, and new ones.
  private func filled(_ objects: [Object]) throws -> [Object] {
    context.state.noticeBatches()
    try FaultHandler(context.state).fill(objects)
    return try objects.filter { object in
      if object.isGoneOrMissing { return false }
      if object.flags.contains(.failed), let failure = object.rowFailure { throw failure }
      return true
    }
  }
}

extension ManagedObject {
  /// Whether no fetch of the context finds the object: others have deleted it, or the context has
  /// removed it.
  fileprivate final var isGoneOrMissing: Bool { !flags.isDisjoint(with: [.gone, .missing]) }

  fileprivate final func withoutContext() -> PersistenceError {
    PersistenceError(
      .objectMissing, entity: entityName, objectID: objectID,
      found: "it does not belong to a context any more")
  }
}
