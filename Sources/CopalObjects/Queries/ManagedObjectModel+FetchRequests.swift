import CopalEssentials
public import CopalModel
public import CopalStore

/// Fetch requests of the model by name. Generated classes have a function for each of them, whose
/// parameters have types.
extension ManagedObjectModel {
  /// The request of a template, with values for its variables.
  ///
  /// Use it for names that are known only at run time, and for entities without a generated class.
  ///
  /// ```swift
  /// let request = try container.model.fetchRequest(named: "cheap", in: "Pigment", variables: ["limit": 20])
  /// let pigments = try context.fetch(request)  // [ManagedObject]
  /// ```
  ///
  /// A template of an ancestor is also one of the entity; the request then fetches objects of the
  /// entity only.
  ///
  /// - Parameters:
  ///   - name: the name of the template.
  ///   - entity: the name of the entity.
  ///   - variables: a value for each variable, by its name without `$`; nil stands for no value. A
  ///     variable after IN takes an array or a set.
  /// - Throws: ``PersistenceError`` with the code `request.unknownEntity` or
  ///   `request.unknownTemplate` for a name that the model does not have, `request.missingVariable`
  ///   for a variable without a value, `request.unknownVariable` for a value without a variable,
  ///   and `request.variableList` for a list where the condition needs one value. A value of
  ///   another type makes the fetch throw `request.predicateType`.
  public func fetchRequest(
    named name: String, in entity: String, variables: [String: (any PredicateArgument)?] = [:]
  ) throws -> FetchRequest<ManagedObject> {
    guard let index = entityIndex(entity) else {
      throw PersistenceError(
        .unknownEntity, entity: entity,
        suggestion: NearestName.of(entity, among: entities.map(\.name)))
    }
    let templates = (ancestors(ofEntity: index) + [index]).flatMap { entities[$0].fetchRequests }
    guard let template = templates.first(where: { $0.name == name }) else {
      throw PersistenceError(
        .unknownTemplate, entity: entity, found: name,
        suggestion: NearestName.of(name, among: templates.map(\.name)))
    }
    var request = FetchRequest<ManagedObject>(
      entityName: entity, sortKeys: template.sortKeys, limit: template.limit)
    let replacements = variables.mapValues { $0?.formatArgument ?? .value(.null) }
    request.predicate = try Self.replacing(
      replacements, in: try template.predicate, entity: entity, name: name)
    return request
  }

  /// The condition with values, after a check of their names.
  private static func replacing(
    _ values: [String: FormatArgument], in predicate: FetchPredicate?, entity: String, name: String
  ) throws -> FetchPredicate? {
    let names = predicate?.variableNames ?? []
    if let unknown = values.keys.filter({ !names.contains($0) }).min() {
      throw PersistenceError(
        .unknownVariable, entity: entity, property: name, found: unknown,
        expected: names.isEmpty ? nil : names.inOrder().map { "$" + $0 }.joined(separator: ", "),
        suggestion: NearestName.of(unknown, among: names))
    }
    let missing = names.filter { values[$0] == nil }.inOrder()
    if !missing.isEmpty {
      throw PersistenceError(
        .missingVariable, entity: entity, property: name,
        found: missing.map { "$" + $0 }.joined(separator: ", "))
    }
    let replaced = predicate?.replacing(variables: values.compactMapValues(\.replacement))
    // A list stays out of a place for one value, and a key path out of every place.
    if let left = replaced?.variableNames.min() {
      throw PersistenceError(.variableList, entity: entity, property: name, found: left)
    }
    return replaced
  }
}

extension QueryableObject {
  /// For generated code: the request of a template.
  ///
  /// - Parameters:
  ///   - condition: the text of the condition, which the code generator has checked; nil for all
  ///     objects.
  ///   - variables: a value for each variable.
  public static func _copalFetchRequest(
    _ condition: String?, variables: [String: (any PredicateArgument)?] = [:],
    sortedBy sortKeys: [FetchSortKey] = [], limit: Int? = nil
  ) -> FetchRequest<Self> {
    var request = FetchRequest<Self>(sortKeys: sortKeys, limit: limit)
    guard let condition else { return request }
    do {
      let predicate = try FetchPredicate(format: condition, arguments: [])
      request.predicate =
        variables.isEmpty
        ? predicate
        : predicate.replacing(
          variables: variables.compactMapValues {
            ($0?.formatArgument ?? .value(.null)).replacement
          })
    } catch {
      misuse("the condition of a generated class is not in the language of conditions: \(error)")
    }
    return request
  }
}

extension FormatArgument {
  /// What takes the place of a variable; nil for a key path, which is no value.
  var replacement: FetchPredicate.Replacement? {
    switch self {
    case .value(let value): .value(value)
    case .list(let values): .list(values)
    case .keyPath: nil
    }
  }
}
