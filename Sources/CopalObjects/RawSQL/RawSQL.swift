import CopalEssentials
public import CopalModel
import CopalStore

/// A statement in SQL, for what fetch requests cannot say. It is written as a string literal, in
/// which values and names are interpolated.
///
/// ```swift
/// let sql: RawSQL = """
///   SELECT \(column: \Pigment.name), \(column: \Pigment.price) FROM \(table: Pigment.self)
///   WHERE \(column: \Pigment.price) > \(limit, as: \Pigment.price)
///   """
/// for row in try context.fetchRows(sql: sql) { print(try row.value(of: "name", as: String.self) ?? "") }
/// ```
///
/// Only literals are text of the statement. An interpolated value is always bound, whatever
/// characters it has, so it cannot become SQL. A variable of the type `String` cannot be used as a
/// statement: it does not compile.
///
/// The names of interpolation:
///
/// | Interpolation | In the statement |
/// |---|---|
/// | `\(value)` | The value of an attribute's type, or nil |
/// | `\(values)` | The values of a collection with commas between them, for `IN (…)` |
/// | `\(value, as: \Pigment.price)` | The value in the form in which the attribute is stored |
/// | `\(object)`, `\(id)` | The key of an object |
/// | `\(table: Pigment.self)` | The table of the objects |
/// | `\(column: \Pigment.price)` | The column of an attribute or of a to-one relationship |
/// | `\(key: Pigment.self)` | The column of the keys |
/// | `\(sql: part)` | Another statement, or a part of one |
///
/// Names are checked when the statement runs: it throws `request.unknownEntity` or
/// `request.unknownProperty`.
public struct RawSQL: Sendable, ExpressibleByStringInterpolation {
  var parts: [Part] = []

  enum Part: Sendable {
    case text(String)
    case value(PropertyValue)
    case stored(PropertyValue, Property)
    case table(Entity)
    case column(Property)
    case key(Entity)
  }

  /// An entity that a statement names.
  enum Entity: Sendable {
    case of(ObjectIdentifier, name: String)
    case named(String)
  }

  /// A property that a statement names.
  struct Property: Sendable {
    let entity: Entity
    let name: String

    init(_ entity: Entity, _ name: String) {
      self.entity = entity
      self.name = name
    }

    /// The property of a key path.
    init<T: QueryableObject>(_ path: PartialKeyPath<T>) {
      entity = Entity(T.self)
      name =
        switch T._copalKeyPaths.properties[path] {
        case .named(let name): name
        case .objectID: "objectID"
        case nil: "\(path)"
        }
    }
  }

  /// A statement without interpolated parts. Only a literal in the source code is accepted.
  public init(stringLiteral text: StaticString) { parts = [.text(text.description)] }

  /// A statement with interpolated parts.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// One statement after the other, for statements that are put together of parts.
  public static func + (a: RawSQL, b: RawSQL) -> RawSQL {
    var sum = a
    sum.parts += b.parts
    return sum
  }

  /// Appends a part of a statement.
  public static func += (a: inout RawSQL, b: RawSQL) { a.parts += b.parts }
}

extension RawSQL: CustomStringConvertible {
  /// The text, with a question mark in place of each value.
  public var description: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value, .stored: "?"
      case .table(let entity): "\(entity)"
      case .column(let property): property.name
      case .key: "copal_id"
      }
    }.joined()
  }
}

extension RawSQL.Entity: CustomStringConvertible {
  var description: String {
    switch self {
    case .of(_, let name), .named(let name): name
    }
  }
}

extension RawSQL.Entity {
  init<T: ManagedObject>(_ type: T.Type) { self = .of(ObjectIdentifier(type), name: "\(T.self)") }
}

extension RawSQL {
  /// Collects the parts of a literal. The compiler uses it.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Nothing yet.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// The text of a literal. Only a literal in the source code is accepted.
    public mutating func appendLiteral(_ text: StaticString) {
      if text.utf8CodeUnitCount > 0 { parts.append(.text(text.description)) }
    }

    // MARK: Values

    /// A value, which is bound.
    public mutating func appendInterpolation(_ value: some ValueConvertible) {
      parts.append(.value(value.value))
    }

    /// A value, which is bound; NULL for nil.
    public mutating func appendInterpolation<V: ValueConvertible>(_ value: V?) {
      parts.append(.value(value.map(\.value) ?? .null))
    }

    /// A value, which is bound.
    public mutating func appendInterpolation(_ value: PropertyValue) { parts.append(.value(value)) }

    /// NULL.
    public mutating func appendInterpolation(_ value: _OptionalNilComparisonType) {
      parts.append(.value(.null))
    }

    /// The values of a collection, with commas between them: for `IN (\(values))`. Each is bound.
    public mutating func appendInterpolation<V: ValueConvertible>(_ values: some Collection<V>) {
      appendList(values.map { .value($0.value) })
    }

    /// A value in the form in which the attribute is stored. A decimal with a scale, for example,
    /// is an integer.
    public mutating func appendInterpolation<T: QueryableObject, V: ValueConvertible>(
      _ value: V?, as attribute: KeyPath<T, V>
    ) {
      parts.append(.stored(value.map(\.value) ?? .null, Property(attribute)))
    }

    /// A value in the form in which the optional attribute is stored; NULL for nil.
    public mutating func appendInterpolation<T: QueryableObject, V: ValueConvertible>(
      _ value: V?, as attribute: KeyPath<T, V?>
    ) {
      parts.append(.stored(value.map(\.value) ?? .null, Property(attribute)))
    }

    /// A value in the form in which the attribute of that name is stored. Use it for entities
    /// without a generated class.
    public mutating func appendInterpolation(
      _ value: PropertyValue, as attribute: String, of entityName: String
    ) {
      parts.append(.stored(value, Property(.named(entityName), attribute)))
    }

    /// The key of an object. The object must have been saved.
    public mutating func appendInterpolation(_ object: ManagedObject) {
      appendInterpolation(object.objectID)
    }

    /// The key of an object.
    public mutating func appendInterpolation(_ id: ManagedObjectID) {
      parts.append(.value(.object(id)))
    }

    /// The keys of some objects, with commas between them: for `IN (\(ids))`.
    public mutating func appendInterpolation(_ ids: some Collection<ManagedObjectID>) {
      appendList(ids.map { .value(.object($0)) })
    }

    private mutating func appendList(_ values: [Part]) {
      for (index, value) in values.enumerated() {
        if index > 0 { parts.append(.text(", ")) }
        parts.append(value)
      }
    }

    // MARK: Names

    /// The table with the objects of a class. Subentities are in the table of their root, whose
    /// column `copal_entity` has the name of the entity of each row.
    public mutating func appendInterpolation<T: ManagedObject>(table type: T.Type) {
      parts.append(.table(Entity(type)))
    }

    /// The table with the objects of the entity of that name.
    public mutating func appendInterpolation(table entityName: String) {
      parts.append(.table(.named(entityName)))
    }

    /// The column of an attribute or of a to-one relationship.
    public mutating func appendInterpolation<T: QueryableObject, V>(column path: KeyPath<T, V>) {
      parts.append(.column(Property(path)))
    }

    /// The column of the property of that name of the entity of that name.
    public mutating func appendInterpolation(column name: String, of entityName: String) {
      parts.append(.column(Property(.named(entityName), name)))
    }

    /// The column of the keys of the objects of a class: what a statement for objects selects.
    public mutating func appendInterpolation<T: ManagedObject>(key type: T.Type) {
      parts.append(.key(Entity(type)))
    }

    /// The column of the keys of the objects of the entity of that name.
    public mutating func appendInterpolation(key entityName: String) {
      parts.append(.key(.named(entityName)))
    }

    /// Another statement, or a part of one, with its values.
    public mutating func appendInterpolation(sql: RawSQL) { parts += sql.parts }
  }
}

// MARK: Binding

/// Binds statements to the model of a context.
struct RawSQLBinder {
  private let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  /// The statement for the store.
  ///
  /// - Throws: `request.unknownEntity`, `request.unknownProperty`, `request.notQueryable`,
  ///   `object.unsaved`, `save.scaleExceeded`.
  func statement(_ sql: RawSQL) throws -> RawStatement {
    RawStatement(
      try sql.parts.map { part in
        switch part {
        case .text(let text): .text(text)
        case .value(.object(let id)): .value(.integer(try context.savedKey(of: id)))
        case .value(let value): .value(value)
        case .table(let entity): .table(entity: try runtime(entity).index)
        case .key(let entity): .key(entity: try runtime(entity).index)
        case .column(let property): try column(property)
        case .stored(let value, let property): try stored(value, property)
        }
      })
  }

  func runtime(_ entity: RawSQL.Entity) throws -> EntityRuntime {
    switch entity {
    case .named(let name): return try context.runtime(named: name)
    case .of(let type, let name):
      let container = context.state.container
      guard let index = container.entityByClass[type] else {
        throw PersistenceError(.unknownEntity, found: name, expected: container.classNames)
      }
      return container.entities[index]
    }
  }

  private func column(_ property: RawSQL.Property) throws -> RawStatement.Part {
    let runtime = try runtime(property.entity)
    if property.name == "objectID" { return .key(entity: runtime.index) }
    return .column(entity: runtime.index, slot: try slot(property, runtime))
  }

  private func stored(_ value: PropertyValue, _ property: RawSQL.Property) throws
    -> RawStatement.Part
  {
    let runtime = try runtime(property.entity)
    let slot = try slot(property, runtime)
    let attribute = runtime.layout.attributes[slot]
    if !value.isNull, !attribute.type.accepts(value) {
      throw PersistenceError(
        .predicateType, entity: runtime.layout.name, property: property.name, found: value.kind,
        expected: attribute.type.swiftType ?? attribute.type.rawValue)
    }
    if case .decimal(let decimal) = value, let scale = attribute.scale,
      DecimalText.scaled(decimal, by: scale) == nil
    {
      throw PersistenceError(
        .scaleExceeded, entity: runtime.layout.name, property: property.name, expected: "\(scale)")
    }
    return .stored(value, entity: runtime.index, slot: slot)
  }

  /// The slot of a property that has a column.
  func slot(_ property: RawSQL.Property, _ runtime: EntityRuntime) throws -> Int {
    let layout = runtime.layout
    if let slot = layout.slotByName[property.name] {
      if layout.storedSlots.contains(slot) { return slot }
      throw PersistenceError(
        .notQueryable, entity: layout.name, property: property.name, found: "transient",
        expected: "so it has no column; name a stored attribute")
    }
    if runtime.relationship(named: property.name) != nil {
      throw PersistenceError(
        .notQueryable, entity: layout.name, property: property.name,
        found: "a to-many relationship",
        expected: "so it has no column; name the column of its inverse, or its table of links")
    }
    let names = Set(layout.slotByName.keys).union(runtime.relationshipNames)
    throw PersistenceError(
      .unknownProperty, entity: layout.name, property: property.name,
      suggestion: NearestName.of(property.name, among: names.inOrder()))
  }
}
