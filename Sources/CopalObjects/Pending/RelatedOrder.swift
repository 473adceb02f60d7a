import CopalEssentials
import CopalModel
import CopalStore

/// An order by values of related objects, in a context with unsaved changes of them or of the
/// objects themselves.
///
/// The store sorts by saved values. So all objects of the result are sorted in memory. The cost
/// grows with the result without its limit.
struct RelatedOrder {
  private let state: ContextState
  private let core: ContextCore

  init(_ state: ContextState, _ core: ContextCore) {
    self.state = state
    self.core = core
  }

  /// Whether there are unsaved changes of the objects, or of those by whose values they are sorted.
  func isChanged(_ query: StoreQuery, _ runtime: EntityRuntime) throws -> Bool {
    var entities: Set<Int> = [runtime.index]
    for key in query.sortKeys { key.related?.addEntities(&entities) }
    return try entities.contains { try !state.pendingChanges(of: $0).isEmpty }
  }

  /// The part of some objects that the limit and the offset of a query leave, in its order.
  ///
  /// - Parameter objects: all objects of the query, in the order of their insertion.
  func part(of objects: [ManagedObject], _ query: StoreQuery) -> [ManagedObject] {
    let evaluator = QueryEvaluator(query)
    let forms = objects.map { evaluator.sortedForms(of: PendingSubject(object: $0)) }
    let order = objects.indices.inOrder { query.sortKeys.order(forms[$0], forms[$1]) ?? ($0 < $1) }
    let rest = order.dropFirst(query.offset)
    return rest.prefix(query.limit ?? rest.count).map { objects[$0] }
  }
}

extension QueryCalculation {
  /// The entities of the related objects. A path has only to-one relationships.
  fileprivate func addEntities(_ entities: inout Set<Int>) {
    guard case .related(_, let entity, let inner) = operation else { return }
    entities.insert(entity)
    inner.addEntities(&entities)
  }
}
