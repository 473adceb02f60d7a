import CopalModel
import CopalStore

/// Keys that must be those of rows after rows were moved or deleted: a column of a to-one
/// relationship, or an end of a table of links.
public struct ReferenceCheck: Sendable {
  /// The name of the entity that declares the relationship.
  public let entity: String
  /// The name of the relationship.
  public let property: String
  /// The position of the root of the objects that have the relationship.
  public let root: Int
  /// The table with the keys, the key of the object that has the relationship, and the other key.
  let table: String
  let near: String
  let far: String
  /// The rows to which the other key refers.
  let rows: RelatedRows

  /// The references that a migration could have broken: those that it has written, and those to
  /// tables from which rows have gone.
  static func all(
    _ tables: [TableChange], addedLinks: [LinkTable], keptLinks: [KeptLinks], _ schema: StoreSchema
  ) -> [ReferenceCheck] {
    let losing = Set(tables.filter { !$0.leavingEntities.isEmpty }.map(\.root.layout.index))
    func rows(_ root: Int) -> RelatedRows {
      RelatedRows(allOf: TableMapping(schema.entities[root], in: schema))
    }
    var checks: [ReferenceCheck] = []
    for table in tables where table.old != nil || table.getsRows {
      let added = Set(table.columns.added.map { $0.mapping.columnNames[$0.slot] })
      for mapping in table.family {
        for reference in mapping.layout.ownReferences where !reference.mayDangle {
          let column = mapping.columnNames[reference.slot]
          guard
            table.getsRows || added.contains(column) || losing.contains(reference.destinationRoot)
          else { continue }
          checks.append(
            ReferenceCheck(
              entity: mapping.layout.name,
              property: mapping.layout.slots[reference.slot].propertyName,
              root: table.root.layout.index, table: mapping.tableName, near: mapping.keyName,
              far: column, rows: rows(reference.destinationRoot)))
        }
      }
    }
    func add(_ links: LinkTable, _ mapping: LinkMapping) {
      let (owner, member) = (schema.entities[links.owner].root, schema.entities[links.member].root)
      let names = mapping.names
      for (root, near, far, other) in [
        (owner, names.owner, names.member, member), (member, names.member, names.owner, owner),
      ] {
        checks.append(
          ReferenceCheck(
            entity: schema.entities[links.relationship.entity].name,
            property: links.relationship.name, root: root, table: names.table, near: near, far: far,
            rows: rows(other)))
      }
    }
    for links in addedLinks { add(links, LinkMapping(links, in: schema)) }
    for links in keptLinks.map(\.new)
    where [links.links.owner, links.links.member].contains(where: {
      losing.contains(schema.entities[$0].root)
    }) {
      add(links.links, links)
    }
    return checks
  }
}

extension RowCheckTranslator {
  /// The keys of the objects whose references lead to no row, in the tables that a migration has
  /// changed.
  public func rows(against check: ReferenceCheck) -> SQLStatement {
    let table = SQLFragment.identifier(check.table)
    let (near, far) = (
      table + "." + .identifier(check.near), table + "." + .identifier(check.far)
    )
    return statement(
      "SELECT " + near + " FROM " + table + " WHERE " + far + " IS NOT NULL AND NOT "
        + check.rows.exist(for: far) + " ORDER BY " + near)
  }
}
