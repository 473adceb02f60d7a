import CopalSQL
import CopalStore

/// The indexes of a table that another model changes.
struct IndexChange {
  /// The names of the indexes whose name, columns or condition is another one now.
  let dropped: [String]
  /// The indexes that the file does not have, or not in this form.
  let created: [SchemaTranslator.Index]

  init(from before: [TableMapping], to after: [TableMapping], _ change: ColumnChange) {
    let translator = SchemaTranslator(SQLiteDialect())
    let (old, new) = (
      before.flatMap(translator.indexes), after.flatMap(translator.indexes)
    )
    let oldByName = Self.byName(old)
    let newByName = Self.byName(new)
    created = new.filter { index in
      oldByName[index.name].map { !Self.isSame($0, index) } ?? true
    }
    let createdColumns = Set(created.filter { !$0.isUnique }.map(\.columns))
    let droppedByModel = old.filter { index in
      if let kept = newByName[index.name] { return !Self.isSame(index, kept) }
      let columns = index.columns.map(change.newName)
      // An index that the model no longer has stays in the file.
      return index.isUnique || columns != index.columns || createdColumns.contains(columns)
    }
    dropped = (droppedByModel + Self.fileIndexes(from: before, to: after, change)).map(\.name)
  }

  /// The indexes of names of files whose table or column has another name now. The next removal of
  /// files makes them again.
  private static func fileIndexes(
    from before: [TableMapping], to after: [TableMapping], _ change: ColumnChange
  ) -> [SchemaTranslator.Index] {
    let translator = SchemaTranslator(SQLiteDialect())
    let kept = Set(after.flatMap(translator.fileIndexes).map(\.name))
    let isRenamed = before.first?.tableName != after.first?.tableName
    return before.flatMap(translator.fileIndexes).filter { index in
      isRenamed || !kept.contains(index.name) || index.columns != index.columns.map(change.newName)
    }
  }

  private static func byName(
    _ indexes: [SchemaTranslator.Index]
  ) -> [String: SchemaTranslator.Index] {
    Dictionary(indexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether two indexes of one name are equivalent. Their columns are in the name.
  private static func isSame(_ a: SchemaTranslator.Index, _ b: SchemaTranslator.Index) -> Bool {
    a.condition == b.condition
  }
}
