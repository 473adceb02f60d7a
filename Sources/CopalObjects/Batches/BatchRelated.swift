public import CopalModel

/// How an assignment of a batch names the objects of a relationship.
///
/// ```swift
/// try context.insertAll(Line.self, from: rows) { line, row in
///   line.product.set(to: product)
///   line.order.set(toObjectWhere: \.number, row.number)
///   line.tags.set(toObjectsWhere: \.name, row.tags)
/// }
/// ```
public indirect enum BatchRelated: Sendable, Hashable {
  /// To-one: the object whose unique attribute of that name has the value of the assignment.
  case object(where: String)
  /// To-many: the objects of ids.
  case objects([ManagedObjectID])
  /// To-many: the objects whose unique attribute of that name has one of the values.
  case objectsWhere(String, [PropertyValue])
}

extension BatchAssignment {
  /// A new object for the to-one relationship of that name: the object of an id, or nil for none.
  public init(_ relationship: String, toObject id: ManagedObjectID?) {
    self.init(relationship, .constant(id.map { .object($0) } ?? .null))
  }

  /// A new object for the to-one relationship of that name: the one whose unique attribute has a
  /// value; nil for none.
  public init(_ relationship: String, toObjectWhere attribute: String, _ value: PropertyValue) {
    self.init(relationship, .constant(value))
    related = .object(where: attribute)
  }

  /// The objects of the many-to-many relationship of that name, in their order.
  public init(_ relationship: String, toObjects ids: [ManagedObjectID]) {
    self.init(relationship, .constant(.null))
    related = .objects(ids)
  }

  /// The objects of the many-to-many relationship of that name, in their order: those whose unique
  /// attribute has one of the values.
  public init(_ relationship: String, toObjectsWhere attribute: String, _ values: [PropertyValue]) {
    self.init(relationship, .constant(.null))
    related = .objectsWhere(attribute, values)
  }
}

extension QueryReference {
  /// Gives the relationship an object in a batch; nil for none.
  public func set(to object: Destination?) -> BatchAssignment {
    BatchAssignment(_path, toObject: object?.objectID)
  }

  /// Gives the relationship the object of an id in a batch.
  public func set(to id: ManagedObjectID) -> BatchAssignment {
    BatchAssignment(_path, toObject: id)
  }

  /// Gives the relationship the object whose unique attribute has a value; nil for none. All such
  /// objects of a batch are looked up together, and the batch itself can insert them.
  public func set<V: ValueConvertible>(
    toObjectWhere attribute: KeyPath<QueryProperties<Destination>, RequiredQueryAttribute<V>>,
    _ value: V?
  ) -> BatchAssignment {
    BatchAssignment(
      _path, toObjectWhere: QueryProperties<Destination>()[keyPath: attribute]._name,
      value?.value ?? .null)
  }

  /// The same for an optional attribute.
  public func set<V: ValueConvertible>(
    toObjectWhere attribute: KeyPath<QueryProperties<Destination>, QueryAttribute<V>>, _ value: V?
  ) -> BatchAssignment {
    BatchAssignment(
      _path, toObjectWhere: QueryProperties<Destination>()[keyPath: attribute]._name,
      value?.value ?? .null)
  }
}

extension QueryToMany {
  /// Gives a many-to-many relationship its objects in a batch that inserts, in their order.
  public func set(to objects: some Sequence<Destination>) -> BatchAssignment {
    BatchAssignment(_path, toObjects: objects.map(\.objectID))
  }

  /// The same with the ids of the objects.
  public func set(to ids: some Sequence<ManagedObjectID>) -> BatchAssignment {
    BatchAssignment(_path, toObjects: Array(ids))
  }

  /// Gives a many-to-many relationship the objects whose unique attribute has one of the values, in
  /// the order of the values. All such objects of a batch are looked up together, and the batch
  /// itself can insert them.
  public func set<V: ValueConvertible>(
    toObjectsWhere attribute: KeyPath<QueryProperties<Destination>, RequiredQueryAttribute<V>>,
    _ values: some Sequence<V>
  ) -> BatchAssignment {
    BatchAssignment(
      _path, toObjectsWhere: QueryProperties<Destination>()[keyPath: attribute]._name,
      values.map(\.value))
  }

  /// The same for an optional attribute.
  public func set<V: ValueConvertible>(
    toObjectsWhere attribute: KeyPath<QueryProperties<Destination>, QueryAttribute<V>>,
    _ values: some Sequence<V>
  ) -> BatchAssignment {
    BatchAssignment(
      _path, toObjectsWhere: QueryProperties<Destination>()[keyPath: attribute]._name,
      values.map(\.value))
  }
}
