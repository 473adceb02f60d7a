public import CopalModel
public import CopalStore

/// Fetching page by page.
extension ManagedObjectContext {
  /// A page of a result: the first one, or the one behind a cursor. Unsaved changes of this context
  /// are included.
  ///
  /// ```swift
  /// let request = Pigment.fetchRequest().sorted(by: \.price.ascending)
  /// var cursor: FetchCursor?
  /// repeat {
  ///   let page = try context.fetchPage(request, size: 50, after: cursor)
  ///   show(page.objects)
  ///   cursor = page.next
  /// } while cursor != nil
  /// ```
  ///
  /// With an index of the first sort key, every page costs the same. An offset would cost as much
  /// as all objects before it. A page with a next one needs a second statement, for the stored
  /// values of its last object. The limit and the offset of the request are not used.
  ///
  /// - Parameters:
  ///   - size: the greatest number of objects.
  ///   - cursor: that of the page before; nil for the first page.
  /// - Throws: as ``fetch(_:)``; `request.invalidCursor` for a cursor of another order, and for an
  ///   order with ``FetchSortKey/TextOrder/natural``.
  public func fetchPage<T: ManagedObject>(
    _ request: FetchRequest<T>, size: Int, after cursor: FetchCursor? = nil
  ) throws -> FetchedPage<T> {
    if request.sortKeys.contains(where: { $0.textOrder == .natural }) {
      // The first page, too: a program should not find it out at the second one.
      throw PersistenceError.naturalPages(try runtime(for: request).layout.name)
    }
    var request = request
    // One more shows whether there is a next page.
    request.limit = size < 0 ? size : Swift.min(size, Int.max - 1) + 1
    request.offset = 0
    state.noticeBatches()
    // Both statements see one state of the store.
    try state.session.beginReadTransaction()
    defer { state.session.endReadTransaction() }
    var found = try fetch(request, after: cursor)
    guard found.count > size else { return FetchedPage(objects: found, next: nil) }
    found.removeLast()
    guard let last = found.last else { return FetchedPage(objects: found, next: nil) }
    return FetchedPage(objects: found, next: try self.cursor(at: last, request))
  }

  /// A page of the objects of a class that meet a condition.
  ///
  /// ```swift
  /// let page = try context.fetchPage(Pigment.self, sortedBy: \.name.ascending, size: 20) { $0.price < 20 }
  /// let next = try context.fetchPage(Pigment.self, sortedBy: \.name.ascending, size: 20, after: page.next) { $0.price < 20 }
  /// ```
  ///
  /// - Throws: as ``fetchPage(_:size:after:)``.
  @inlinable
  public func fetchPage<T: QueryableObject>(
    _ type: T.Type, sortedBy sortKeys: KeyPath<QueryProperties<T>, FetchSortKey>..., size: Int,
    after cursor: FetchCursor? = nil,
    where condition: ((QueryProperties<T>) -> any FetchCondition)? = nil
  ) throws -> FetchedPage<T> {
    let properties = QueryProperties<T>()
    return try fetchPage(
      FetchRequest(
        predicate: condition.map { $0(properties)._predicate },
        sortKeys: sortKeys.map { properties[keyPath: $0] }), size: size, after: cursor)
  }

  /// The place of an object in the order of a request. It has the values by which the fetch has
  /// sorted the object: those of the store, of which the object may have older ones, or unsaved
  /// ones.
  private func cursor<T: ManagedObject>(at object: T, _ request: FetchRequest<T>) throws
    -> FetchCursor
  {
    if request.sortKeys.isEmpty { return FetchCursor(values: [], objectID: object.objectID) }
    var values = ValueRequest(
      entityName: try runtime(for: request).layout.name,
      columns: request.sortKeys.map { .init($0.property, .property($0.property)) },
      predicate: .comparison(.object, .equal, .constant(.object(object.objectID))))
    values.includesSubentities = request.includesSubentities
    values.includesPendingChanges = false
    // A hook may have deleted the object since.
    let stored = try isSortedInMemory(object, request) ? nil : fetchValues(values).first
    return FetchCursor(
      values: try stored ?? valuesInMemory(of: object, values), objectID: object.objectID)
  }

  /// Whether a fetch sorts an object by the values that the context has.
  private func isSortedInMemory<T: ManagedObject>(_ object: T, _ request: FetchRequest<T>) throws
    -> Bool
  {
    if request.pendingChanges == .ignored { return false }
    if object.hasChanges { return true }
    let bound = try bound(request, for: .fetch)
    return try sortsInMemory(bound.query, bound.runtime)
  }

  private func valuesInMemory(of object: ManagedObject, _ request: ValueRequest) throws
    -> [PropertyValue]
  {
    let query = try bound(request, for: .fetchValues).query
    let row = ValueEvaluator(query).row(of: PendingSubject(object: object))
    // Equal columns have one value.
    return query.columns.map { column in
      if case .group(let position) = column.operation { return row.values[position] }
      return .null
    }
  }
}
