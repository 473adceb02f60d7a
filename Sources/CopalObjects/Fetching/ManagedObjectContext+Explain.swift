import CopalModel
public import CopalStore

/// Explaining a fetch.
extension ManagedObjectContext {
  /// How a request is run: the statement with the kinds of its bindings, the plan of the database,
  /// the tables that are read completely, and what this context does in memory. It runs the query
  /// once, to count the objects.
  ///
  /// ```swift
  /// print(try context.explain(Pigment.fetchRequest().filter { $0.name == "Woad" }))
  /// ```
  ///
  /// - Throws: as ``fetch(_:)``.
  public func explain<T: ManagedObject>(_ request: FetchRequest<T>) throws -> QueryExplanation {
    let bound = try bound(request, for: .explain)
    let former = state.begin(bound)
    defer { former?.end() }
    let (runtime, query) = (bound.runtime, bound.query)
    let session = try state.session(reading: runtime.index)
    if request.pendingChanges == .ignored {
      var explanation = try session.explain(query)
      explanation.objectCount = try count(request)
      return explanation
    }
    let stored = try RelatedChanges(state, core).resolve(query)
    var explanation = try session.explain(stored)
    if stored != query {
      explanation.inMemory.append(
        "Related objects have unsaved changes: the objects that they affect are evaluated.")
    }
    let read = ReadSlots(of: query, state.container.schema)
    let changed = state.changedObjects(
      runtime, withSubentities: query.includesSubentities, reading: read
    ).filter { $0.hasChanges(in: read) }
    if !changed.isEmpty {
      explanation.inMemory.append(
        "\(changed.count.counted("object")) of \(runtime.layout.name) with unsaved changes: evaluated and merged."
      )
    }
    if query.sortKeys.contains(where: { $0.related != nil }),
      try RelatedOrder(state, core).isChanged(query, runtime)
    {
      explanation.inMemory.append("The order is by values of objects with unsaved changes: sorted.")
    }
    explanation.objectCount = try count(request)
    return explanation
  }

  /// How a request for values is run, in the same form. `objectCount` is the number of rows. It
  /// runs the query once or twice.
  ///
  /// ```swift
  /// let prices = ValueRequest(entityName: "Pigment", columns: [.init("price", .property("price"))])
  /// print(try context.explain(prices))
  /// ```
  ///
  /// - Throws: as ``fetchValues(_:)``.
  public func explain(_ request: ValueRequest) throws -> QueryExplanation {
    let bound = try bound(request, for: .explain)
    let former = state.begin(bound)
    defer { former?.end() }
    let (runtime, query) = (bound.runtime, bound.query)
    let session = try state.session(reading: runtime.index)
    var stored = query
    if request.includesPendingChanges {
      stored.objects = try RelatedChanges(state, core).resolve(query.objects)
    }
    var explanation = try session.explain(stored)
    let changed =
      request.includesPendingChanges ? try state.pendingChanges(of: runtime.index) : []
    if !changed.isEmpty {
      explanation.inMemory.append(
        "\(changed.count.counted("object")) of \(runtime.layout.name) with unsaved changes: the values are grouped and sorted in memory."
      )
    }
    explanation.objectCount = try fetchValues(request).count
    return explanation
  }
}
