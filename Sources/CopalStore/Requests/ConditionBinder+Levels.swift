import CopalModel

/// An object around the one that a part of a condition is about: one that has a collection, or a
/// to-one relationship.
struct ObjectAround {
  /// The position of its entity.
  let entity: Int
  /// Whether it is that of a to-one relationship in a path.
  let isOfPath: Bool
}

/// Binds parts of a condition that are about other objects.
///
/// In a bound condition, each collection and each to-one relationship is a level. In an expression
/// only the collections are, because a path is one step: in `maker.ware.contains { $0.name ==
/// a.name }`, `a` is one level around, and two in the bound condition.
extension ConditionBinder {
  /// The objects around those of a collection of this object, or of its to-one relationship.
  var around: [ObjectAround] {
    [ObjectAround(entity: layout.index, isOfPath: isOfPath)] + outer
  }

  /// The object around some collections, and its level in the bound condition.
  func object(around collections: Int) throws -> (ObjectAround, level: Int) {
    var rest = collections
    for (level, object) in around.enumerated() where !object.isOfPath {
      if rest == 0 { return (object, level) }
      rest -= 1
    }
    let count = around.count { !$0.isOfPath } - 1
    throw invalid("a value of an object around \(collections) collections is used inside \(count)")
  }

  /// Runs a binder for the object of a to-one relationship.
  mutating func within<R>(
    _ reference: EntityLayout.Reference, _ body: (inout ConditionBinder) throws -> R
  ) throws -> R {
    try within(reference.destination, around, isOfPath: true, body)
  }

  /// Runs a binder for the same object as one of a subentity.
  mutating func within<R>(
    _ kind: EntityKind, _ body: (inout ConditionBinder) throws -> R
  ) throws -> R {
    try within(kind.entity, outer, isOfPath: isOfPath, body)
  }

  /// Runs a binder for another object, which collects its constants behind those of this one.
  mutating func within<R>(
    _ entity: Int, _ outer: [ObjectAround], isOfPath: Bool = false,
    _ body: (inout ConditionBinder) throws -> R
  ) throws -> R {
    guard let schema else { throw invalid("it is about other objects, and there is no schema") }
    var binder = ConditionBinder(schema.entities[entity], schema, keys)
    binder.parameters = parameters
    binder.outer = outer
    binder.isOfPath = isOfPath
    let result = try body(&binder)
    parameters = binder.parameters
    return result
  }
}
