import CopalModel
public import CopalStore

/// Translates statements that a program has written itself: it quotes names, and gives values their
/// stored form.
public struct RawTranslator {
  private let schema: StoreSchema
  private let dialect: any SQLDialect
  private let naming: any StoreNaming

  /// A translator for a dialect.
  public init(
    _ schema: StoreSchema, _ dialect: any SQLDialect, _ naming: any StoreNaming = CopalNaming()
  ) {
    self.schema = schema
    self.dialect = dialect
    self.naming = naming
  }

  /// The statement of a program.
  public func statement(_ raw: RawStatement) -> SQLStatement {
    raw.parts.map(fragment).joined(by: "").statement(in: dialect)
  }

  private func fragment(_ part: RawStatement.Part) -> SQLFragment {
    switch part {
    case .text(let text): .programText(text)
    case .value(let value):
      .value(
        .storedForm(of: value, scale: nil),
        QueryValueType(value).map { PlaceholderType($0) } ?? .unknown)
    case .stored(let value, let entity, let slot):
      .value(
        schema.entities[entity].stored(value, slot), schema.entities[entity].placeholderType(slot))
    case .table(let entity): mapping(entity).table
    case .column(let entity, let slot): mapping(entity).column(slot)
    case .key(let entity): mapping(entity).key
    }
  }

  private func mapping(_ entity: Int) -> TableMapping {
    TableMapping(schema.entities[entity], in: schema, naming)
  }

  /// Gives a row of an entity another key.
  public func changeKey(ofEntity entity: Int, to key: Int64) -> SQLStatement {
    let mapping = mapping(entity)
    let sql: SQLFragment =
      "UPDATE " + mapping.table + " SET " + mapping.key + " = " + .integer(key)
      + " WHERE " + mapping.key + " = " + .key
    return sql.statement(in: dialect)
  }

  /// A table that has objects or links.
  public struct Table {
    /// The root of the objects; nil for a table of links.
    public let root: Int?
    /// The entities of the objects, or of the objects at both ends of the links.
    public let entities: Set<Int>
    /// The columns that only Copal changes: which object a row is, and its version.
    public let keptColumns: Set<String>
  }

  /// The derived columns of a table, and the mark of its rows.
  private func derivedNames(of root: EntityLayout) -> [String] {
    let family = schema.kinds(of: root.index).map(mapping)
    return family.flatMap { $0.ownDerived.map(\.name) } + [family[0].staleName].compactMap { $0 }
  }

  /// The tables of objects and links, by name.
  public func tables() -> [String: Table] {
    var tables: [String: Table] = [:]
    for layout in schema.entities where layout.root == layout.index {
      tables[naming.table(of: layout)] = Table(
        root: layout.index, entities: Set(schema.kinds(of: layout.index)),
        keptColumns: Set([naming.key, naming.entity, naming.version] + derivedNames(of: layout)))
    }
    for links in schema.linkTables {
      tables[naming.links(links, in: schema).table] = Table(
        root: nil,
        entities: Set(schema.kinds(of: links.owner) + schema.kinds(of: links.member)),
        keptColumns: [])
    }
    return tables
  }
}
