import CopalModel
public import CopalStore

/// A list of objects that follows its context: what a request finds, in its order and in sections,
/// with the exact difference after each turn.
///
/// ```swift
/// let controller = try FetchedResultsController(
///   Pigment.fetchRequest().sorted(by: \.kind.ascending, \.name.ascending), sectionedBy: \.kind, in: context)
/// try controller.performFetch()
/// let subscription = controller.onChange { change in
///   for place in change.inserted { print("new:", controller[place].name) }
/// }
/// ```
///
/// Unsaved changes count, and what others save counts when the context merges it. It stays in the
/// isolation of its context, and it keeps the context and the objects of the list.
///
/// If the request reads only values of the objects themselves (also of to-one relationships as
/// such), a turn costs time for its own objects, whatever the size of the list, and no statement.
/// A condition or an order over relationships, an offset and `returnsObjectsAsFaults` run the
/// request again, once in a turn that has changed something that it reads.
public final class FetchedResultsController<Object: ManagedObject> {
  /// The context of the objects.
  public let managedObjectContext: ManagedObjectContext
  private let results: LiveResults

  /// A list of what a request finds. It is empty until ``performFetch()``.
  ///
  /// - Parameters:
  ///   - request: what to find. `includesPendingChanges` and `refreshesObjects` are ignored:
  ///     unsaved changes count.
  ///   - sections: how the list is divided; nil for one section. A path over to-one relationships
  ///     is allowed.
  /// - Throws: ``PersistenceError`` with a code of `request.…` when a name or a type does not match
  ///   the model.
  public init(
    _ request: FetchRequest<Object>, sectionedBy sections: ResultsSections<Object>? = nil,
    in context: ManagedObjectContext
  ) throws {
    managedObjectContext = context
    results = try LiveResults(request, sections?.division, in: context)
  }

  /// The same with a section for each value of an attribute, also over to-one relationships.
  ///
  /// ```swift
  /// let controller = try FetchedResultsController(request, sectionedBy: \.maker.name, in: context)
  /// ```
  ///
  /// - Throws: as ``init(_:sectionedBy:in:)-(_,ResultsSections<Object>?,_)``.
  public convenience init(
    _ request: FetchRequest<Object>,
    sectionedBy path: ResultsSections<Object>.Path<some QuerySortable & QueryExpression>,
    in context: ManagedObjectContext
  ) throws {
    try self.init(request, sectionedBy: .value(of: path), in: context)
  }

  /// The first key of the order, which is that of the sections. For tests.
  var firstKey: FetchSortKey? { results.request.sortKeys.first }

  /// Fetches the list, and follows the context from now on. Call it again to fetch everything anew.
  ///
  /// - Throws: as a fetch of the context; `request.sectionPath` when the sections go back and forth
  ///   along the order. Then the list is as before.
  public func performFetch() throws { try results.fetch() }

  /// The objects in their order. Constant cost.
  public var objects: LiveObjects<Object> {
    LiveObjects(results.contents.list, count: results.contents.count)
  }

  /// The sections in their order. Without sections, one with all objects.
  public var sections: [ResultsSection<Object>] {
    let list = results.contents.list
    var start = 0
    return results.contents.sections.sections.map { section in
      defer { start += section.count }
      return ResultsSection(
        value: section.value, objects: LiveObjects(list, from: start, count: section.count))
    }
  }

  /// The object at a place.
  ///
  /// - Precondition: the list has an object there.
  public subscript(place: ResultsPosition) -> Object {
    guard let position = results.contents.sections.position(of: place) else {
      misuse("the list has no object at \(place)")
    }
    return objects[position]
  }

  /// Where an object is; nil when it is not in the list.
  public func position(of object: Object) -> ResultsPosition? {
    results.contents.position(of: object).map(results.contents.sections.place)
  }

  /// The sections and the ids of their objects. The cost grows with the list.
  public var snapshot: ResultsSnapshot {
    ResultsSnapshot(
      sections: sections.map { section in
        ResultsSnapshot.Section(name: section.name, ids: section.objects.map(\.objectID))
      })
  }

  /// Calls a closure after each turn that has changed the list, with the difference.
  ///
  /// The list is in its new state when the closure is called. What the closure changes in the
  /// context belongs to the next turn. If the list cannot be brought up to date, the error goes to
  /// the `readFailureHandler`, the list stays as it is, and the next turn tries again.
  ///
  /// - Returns: keep it: when it is released, the closure is not called any more.
  public func onChange(_ body: @escaping (ResultsChange) -> Void) -> ChangeSubscription {
    results.onChange(body)
  }
}

@available(*, unavailable, message: "its objects stay with their context; pass a snapshot instead")
extension FetchedResultsController: Sendable {}
