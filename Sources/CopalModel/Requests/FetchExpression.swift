/// What a condition compares: a property of the object, a constant, or the object itself.
public enum FetchExpression: Sendable, Hashable {
  /// A property of the object, by name.
  case property(String)
  /// A property of a subentity of the entity that is fetched, by the names of both. Its value is nil for an object that is
  /// not one of the subentity. The fetch throws `request.unrelatedEntity` for an entity that is no subentity.
  case subentityProperty(entity: String, property: String)
  /// A value: `.null`, or one of the type of the property that it is compared with. A whole number may be used with a
  /// float, double or decimal attribute. Another type makes the fetch throw `request.predicateType`.
  case constant(PropertyValue)
  /// The object itself; Core Data calls it `SELF`. It can be compared with ids, for equality only.
  ///
  /// An id of another entity or of another store equals no object. A temporary id equals the object that has it, and
  /// in the context that has saved the object also after the save.
  case object
}
