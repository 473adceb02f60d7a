import CopalEssentials
import CopalModel
public import CopalStore

/// Fetched properties: lists of objects that a fetch finds.
extension ManagedObject {
  /// The objects of a fetched property by its name. Generated classes have a property for it.
  ///
  /// Each call is a fetch: nothing is kept. Unsaved changes of the context are included.
  ///
  /// ```swift
  /// let paintings = try collector.fetchedObjects(of: "affordable")
  /// ```
  ///
  /// - Throws: as ``fetchRequest(forFetchedProperty:)``, and as `fetch(_:)` of a context.
  public final func fetchedObjects(of name: String) throws -> [ManagedObject] {
    try _copalFetchedObjects(name)
  }

  /// The request of a fetched property by its name, for a count, for pages, or for another order.
  ///
  /// The values of this object are in the request: it does not change when they change later.
  ///
  /// ```swift
  /// let count = try context.count(collector.fetchRequest(forFetchedProperty: "affordable"))
  /// ```
  ///
  /// - Throws: ``PersistenceError`` with the code `request.unknownProperty` for a name that the
  ///   entity does not have, and `object.missing` for an object that the store or the context does
  ///   not have any more.
  public final func fetchRequest(forFetchedProperty name: String) throws -> FetchRequest<
    ManagedObject
  > {
    try _copalFetchRequest(of: name)
  }

  /// For generated code: the objects of a fetched property.
  public final func _copalFetchedObjects<Object: ManagedObject>(_ name: String) throws -> [Object] {
    let request: FetchRequest<Object> = try _copalFetchRequest(of: name)
    guard let context = managedObjectContext else { throw withoutContext(name) }
    return try context.fetch(request)
  }

  /// For generated code: the request of a fetched property.
  public final func _copalFetchRequest<Object: ManagedObject>(of name: String) throws
    -> FetchRequest<Object>
  {
    let property = try fetchedProperty(name)
    guard managedObjectContext != nil else { throw withoutContext(name) }
    if isMissingInStore { throw PersistenceError(.objectMissing, objectID: objectID) }
    var request = FetchRequest<Object>(
      entityName: property.destination, sortKeys: property.sortKeys, limit: property.limit)
    guard let predicate = try property.predicate else { return request }
    var values: [String: FetchPredicate.Replacement] = [:]
    let lists = predicate.listVariableNames
    for variable in predicate.variableNames {
      values[variable] = try sourceValue(variable, isList: lists.contains(variable))
    }
    request.predicate = values.isEmpty ? predicate : predicate.replacing(variables: values)
    return request
  }

  private final func fetchedProperty(_ name: String) throws -> FetchedPropertyDescription {
    let model = core.container.schema.model
    let properties = runtime.line.flatMap { model.entities[$0].fetchedProperties }
    if let property = properties.first(where: { $0.name == name }) { return property }
    throw PersistenceError(
      .unknownProperty, entity: entityName, property: name, objectID: objectID,
      suggestion: NearestName.of(name, among: properties.map(\.name)))
  }

  private final func withoutContext(_ name: String) -> PersistenceError {
    PersistenceError(
      .objectMissing, entity: entityName, property: name, objectID: objectID,
      found: "it does not belong to a context any more")
  }

  // MARK: Values of this object

  /// The value of a variable: the object itself for `FETCH_SOURCE`, or that of a path of it. Where
  /// the path ends, it is nil, or an empty list.
  private final func sourceValue(_ variable: String, isList: Bool) throws
    -> FetchPredicate.Replacement
  {
    var object = self
    var steps = variable.split(separator: ".").dropFirst()[...]
    while let step = steps.popFirst() {
      let name = String(step)
      guard let relationship = object.runtime.relationship(named: name) else {
        return .value(try object.sourceAttribute(name))
      }
      guard relationship.slot != nil else { return .list(try object.sourceMembers(name)) }
      guard let next = try object.value(of: name, as: ManagedObject.self) else {
        return isList ? .list([]) : .value(.null)
      }
      object = next
    }
    return .value(.object(object.objectID))
  }

  private final func sourceAttribute(_ name: String) throws -> PropertyValue {
    guard let slot = runtime.layout.slotByName[name] else {
      throw PersistenceError(
        .unknownProperty, entity: entityName, property: name, objectID: objectID,
        suggestion: NearestName.of(name, among: runtime.layout.slotByName.keys.inOrder()))
    }
    return try checkedValue(slot)
  }

  /// The ids of the objects of a to-many relationship.
  private final func sourceMembers(_ name: String) throws -> [PropertyValue] {
    switch try value(forKey: name) {
    case let members as OrderedToMany<ManagedObject>: members.map { .object($0.objectID) }
    case let members as ToMany<ManagedObject>: members.map { .object($0.objectID) }
    default: []
    }
  }
}
