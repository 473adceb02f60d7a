package import CopalModel
import CopalStore

/// A column that a person writes: a property, a path such as `maker.name`, or an aggregate of the
/// objects, such as `average price`.
package struct ResultColumn: Sendable, Hashable {
  package var name: String
  package var expression: FetchExpression
  package var isAggregate: Bool

  /// What is wrong with a text.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// The column of a text.
  package init(_ text: String) throws(Failure) {
    let words = text.split(separator: " ").map(String.init)
    let functions: [String: FetchAggregate] = [
      "sum": .sum, "min": .min, "max": .max, "average": .average,
    ]
    switch words.count {
    case 1 where words[0] == "count":
      (name, expression, isAggregate) = ("count", .objectCount, true)
    case 1: (name, expression, isAggregate) = (words[0], .property(words[0]), false)
    case 2:
      guard let function = functions[words[0]] else {
        throw Failure("unknown aggregate '\(words[0])'; write sum, min, max or average")
      }
      name = words.joined(separator: " ")
      expression = .aggregate(function, of: .property(words[1]))
      isAggregate = true
    default:
      throw Failure("'\(text)' is no column; write names between commas, or average price")
    }
  }

  /// The columns of a list between commas.
  package static func list(_ text: String) throws(Failure) -> [ResultColumn] {
    var columns: [ResultColumn] = []
    for item in items(text) { columns.append(try ResultColumn(item)) }
    return columns
  }

  /// The texts of a list between commas.
  package static func items(_ text: String) -> [String] {
    if text.isEmpty { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map {
      var item = $0.drop { $0.isWhitespace }
      while item.last?.isWhitespace == true { item.removeLast() }
      return String(item)
    }
  }

  /// Whether it is an average.
  var isAverage: Bool {
    if case .aggregate(.average, _, _) = expression { true } else { false }
  }

  /// Whether its values are in the store as they are, and not calculated.
  var hasStoredValues: Bool {
    switch expression {
    case .property, .aggregate(.min, _, _), .aggregate(.max, _, _): true
    default: false
    }
  }

  /// The attributes that its values are of: those of the property in the entity, its ancestors and
  /// its subentities. Of a projection it is the attribute, because the projection says what the
  /// value is.
  func attributes(of entity: EntityDescription, in model: ManagedObjectModel)
    -> [AttributeDescription]
  {
    switch expression {
    case .property(let path): Self.attributes(path, of: entity.name, in: model)
    // A number of values says nothing of them.
    case .aggregate(_, _, of: .property(let path)?):
      Self.attributes(path, of: entity.name, in: model)
    default: []
    }
  }

  private static func attributes(
    _ path: String, of entity: String, in model: ManagedObjectModel
  ) -> [AttributeDescription] {
    var entity = entity
    for step in path.split(separator: ".").map(String.init) {
      let line = family(of: entity, in: model)
      let found = line.compactMap { $0.attribute(step) }
      guard found.isEmpty, let relationship = line.lazy.compactMap({ $0.relationship(step) }).first
      else { return found }
      entity = relationship.destination
    }
    return []
  }

  /// The entity, its ancestors, and its subentities.
  private static func family(of name: String, in model: ManagedObjectModel) -> [EntityDescription] {
    guard let index = model.entityIndex(name) else { return [] }
    let ancestors = model.ancestors(ofEntity: index)
    return model.entities.indices.filter { other in
      other == index || ancestors.contains(other)
        || model.ancestors(ofEntity: other).contains(index)
    }.map { model.entities[$0] }
  }
}

/// One key of an order that a person writes: `price`, `-price` or `price desc`.
package struct ResultOrder: Sendable, Hashable {
  package var column: ResultColumn
  package var isAscending: Bool

  package init(_ text: String) throws(ResultColumn.Failure) {
    var words = text.split(separator: " ")
    let direction = ["asc", "desc"].first { $0 == words.last?.lowercased() }
    if direction != nil { words.removeLast() }
    var name = words.joined(separator: " ")
    let isReversed = name.hasPrefix("-")
    if isReversed { name.removeFirst() }
    column = try ResultColumn(name)
    isAscending = (direction != "desc") != isReversed
  }

  /// The keys of a list between commas.
  package static func list(_ text: String) throws(ResultColumn.Failure) -> [ResultOrder] {
    var keys: [ResultOrder] = []
    for item in ResultColumn.items(text) { keys.append(try ResultOrder(item)) }
    return keys
  }

  /// The key of a request for objects.
  ///
  /// - Throws: for an aggregate.
  package var fetchKey: FetchSortKey {
    get throws(ResultColumn.Failure) {
      guard case .property(let name) = column.expression else {
        throw ResultColumn.Failure(
          "an order by '\(column.name)' needs groups")
      }
      return FetchSortKey(name, isAscending: isAscending)
    }
  }
}
