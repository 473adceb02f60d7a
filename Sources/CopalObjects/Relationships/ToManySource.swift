import CopalModel

/// Where the objects of a ``ToMany`` or an ``OrderedToMany`` are: a relationship of an owner, or a
/// list that an assignment gives to one.
enum ToManySource {
  case relationship(AnyToMany)
  case list([ManagedObject])

  init(_ owner: ManagedObject, _ ordinal: Int) { self = .relationship(AnyToMany(owner, ordinal)) }

  /// The relationship, for what a list cannot do.
  var view: AnyToMany {
    guard case .relationship(let view) = self else {
      misuse(
        "a list of objects without an owner was changed; assign it to a relationship, and change that"
      )
    }
    return view
  }

  func load() throws { if case .relationship(let view) = self { try view.load() } }

  var count: Int {
    switch self {
    case .relationship(let view): view.count
    case .list(let objects): objects.count
    }
  }

  var loadedCount: Int {
    switch self {
    case .relationship(let view): view.loadedCount
    case .list(let objects): objects.count
    }
  }

  func contains(_ object: ManagedObject) -> Bool {
    switch self {
    case .relationship(let view): view.contains(object)
    case .list(let objects): objects.contains { $0 === object }
    }
  }

  func object(at position: Int) -> ManagedObject? {
    switch self {
    case .relationship(let view): view.object(at: position)
    case .list(let objects): objects[position]
    }
  }

  /// The objects at this moment, as objects of their class.
  func objects<T: ManagedObject>(as type: T.Type) -> [T] {
    switch self {
    case .relationship(let view): view.objects(as: type)
    case .list(let objects): objects.compactMap { $0.cast() }
    }
  }
}

extension ManagedObject {
  /// For generated code: makes the objects of a list the only ones of a to-many relationship.
  public final func _copalSetToMany<Element>(_ ordinal: Int, _ objects: ToMany<Element>) {
    AnyToMany(self, ordinal).replaceAll(with: Array(objects))
  }

  /// For generated code: makes the objects of a list the only ones of an ordered to-many
  /// relationship, in their order.
  public final func _copalSetToMany<Element>(_ ordinal: Int, _ objects: OrderedToMany<Element>) {
    AnyToMany(self, ordinal).replaceAll(with: Array(objects))
  }
}
