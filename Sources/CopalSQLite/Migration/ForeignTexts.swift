import CopalModel
import CopalSQL
import CopalStore

/// The triggers and views of other programs, after a migration has dropped columns and tables.
///
/// SQLite does not drop a column that a view, an index or a trigger reads. But it drops one that a
/// trigger writes, or of whose updates a trigger is, and every table. What names it would be dead,
/// or fail when it is used.
struct ForeignTexts {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// A trigger or a view.
  private struct Found {
    let type: String
    let name: String
    /// The table of a trigger.
    let table: String
  }

  /// Lets triggers that name dropped columns go on with those that have their values now.
  ///
  /// - Throws: `migration.otherProgram` where there is no such column.
  func followColumns(_ changes: TableChanges, _ translator: MigrationTranslator) throws {
    let dropped = changes.kept.flatMap { change in
      change.columns.dropped.map { (column: $0, change: change) }
    }
    for (column, change) in dropped {
      guard let successor = change.columns.successors[column], try !all(naming: column).isEmpty
      else { continue }
      // SQLite itself writes the new name of a column into all texts. So the column gets the name
      // of the dropped one, and then its own again.
      try connection.withViews {
        for rename in [Rename(successor, to: column), Rename(column, to: successor)] {
          try connection.run(translator.renameColumn(rename, of: change.root))
        }
      }
    }
    for (column, change) in dropped {
      let found = try all(naming: column)
      let table = change.root.tableName
      guard
        let first = found.first(where: { $0.table.lowercased() == table.lowercased() })
          ?? found.first
      else { continue }
      throw refusal(of: first, "column \(Self.written(column)) of \(table)")
    }
  }

  /// Refuses the migration where something names a dropped table.
  ///
  /// - Throws: `migration.otherProgram`.
  func refuseTables(_ dropped: [String]) throws {
    for table in dropped {
      if let first = try all(naming: table).first {
        throw refusal(of: first, "table \(Self.written(table))")
      }
    }
  }

  /// A text without the beginning of the names of what is aside: what a person has written.
  static func written(_ text: String) -> String {
    text.replacing(ColumnChange.asidePrefix, with: "")
  }

  private func refusal(of found: Found, _ subject: String) -> PersistenceError {
    PersistenceError(
      .migrationOtherProgram, path: connection.path,
      found: "the \(found.type) \(found.name) uses the \(subject), which goes")
  }

  /// What has a name in its text that only a dropped column or table has.
  private func all(naming name: String) throws -> [Found] {
    var all: [Found] = []
    try connection.forEachRow(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') AND instr(lower(sql), lower(?)) > 0 ORDER BY name",
      [.text(name)]
    ) { row in
      if let text = row.text(3), text.hasName(name) {
        all.append(
          Found(type: row.text(0) ?? "", name: row.text(1) ?? "", table: row.text(2) ?? ""))
      }
    }
    return all
  }
}

extension String {
  /// Whether the text has a name, and not only a longer one that begins so. SQLite compares the
  /// letters of ASCII without case.
  fileprivate func hasName(_ name: String) -> Bool {
    let text = lowercased()
    return text.ranges(of: name.lowercased()).contains { range in
      text[range.upperBound...].utf8.first.map(Self.isPartOfName) != true
    }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }
}
