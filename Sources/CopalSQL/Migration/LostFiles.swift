import CopalModel
import CopalStore

/// Rows whose large values in files get lost: with their attribute or their entity, or because the
/// values are in the rows from now on.
public struct LostFiles: Sendable {
  /// The rows, in their table of before.
  let rows: FormerRows
  /// The column of the old table.
  let column: String

  /// What all rows of a store lose.
  static func all(_ pair: SchemaPair) -> [LostFiles] {
    pair.old.entities.flatMap { layout in
      layout.ownExternalSlots.flatMap { slot -> [LostFiles] in
        let formers = pair.old.kinds(of: layout.index).filter { former in
          !pair.old.model.entities[former].isAbstract
            && !keepsFiles(of: layout.slots[slot].propertyName, former, pair)
        }
        let column = pair.oldMapping(layout.index).columnNames[slot]
        return pair.rowsByFamily(of: formers).map { LostFiles(rows: $0, column: column) }
      }
    }
  }

  /// Whether the objects of an old entity have the values of an attribute in the same files.
  private static func keepsFiles(of name: String, _ former: Int, _ pair: SchemaPair) -> Bool {
    guard let index = pair.mapping.newEntity(of: former),
      let newName = pair.mapping.newName(ofAttribute: name, from: former),
      let slot = pair.new.entities[index].slotByName[newName],
      case .attribute(let now) = pair.new.entities[index].slots[slot],
      let was = pair.old.model.line(former).lazy
        .compactMap({ pair.old.model.entities[$0].attribute(name) }).first
    else { return false }
    return now.externalThreshold != nil && !AttributeChange(from: was, to: now).convertsValues
  }
}

extension MigrationTranslator {
  /// The names of the files: one row for each.
  public func names(of lost: LostFiles) -> SQLStatement {
    let old = lost.rows.mapping.tableName
    let column = SQLFragment.identifier(names.column(lost.column, of: old))
    return statement(
      "SELECT " + column + " FROM " + .identifier(names.table(old)) + " WHERE "
        + (dialect.isFileName(column) ?? dialect.truth(false))
        + lost.rows.condition(after: " AND "))
  }
}
