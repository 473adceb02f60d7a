import CopalModel
import CopalSQL
import CopalStore

/// What lightweight migration changes in the table of a root and its subentities.
struct TableChange {
  /// The name of the table until now.
  let oldName: String
  /// The root, which is a new entity where the table gets another name.
  let root: TableMapping
  /// The name of the entity of the existing rows, in a table that gets the column with the names of entities.
  let entityOfRows: String?
  /// The columns that get other names.
  private(set) var renamedColumns: [(old: String, new: String)] = []
  /// The new columns.
  private(set) var addedColumns: [(mapping: TableMapping, slot: Int)] = []
  /// The defaults that existing rows get.
  let defaults: [RowDefaults]
  /// The names of the indexes whose name, columns or condition is another one now.
  let droppedIndexes: [String]
  /// The indexes that the file does not have, or not in this form.
  let createdIndexes: [SchemaTranslator.Index]

  init(from oldRoot: EntityLayout, to root: EntityLayout, _ history: ModelHistory) {
    let (old, new) = (history.old, history.new)
    let before = old.kinds(of: oldRoot.index).map { TableMapping(old.entities[$0], in: old) }
    let after = new.kinds(of: root.index).map { TableMapping(new.entities[$0], in: new) }
    let rootMapping = TableMapping(root, in: new)
    self.root = rootMapping
    oldName = TableMapping(oldRoot, in: old).tableName
    let isNewFamily = old.descendants[oldRoot.index].isEmpty && rootMapping.entityColumnName != nil
    entityOfRows = isNewFamily ? oldRoot.name : nil

    let oldNames = Dictionary(
      before.map { ($0.layout.index, $0) }, uniquingKeysWith: { first, _ in first })
    var defaults = RowDefaults.Collector()
    for mapping in after {
      for slot in mapping.layout.ownColumns.map(\.slot) {
        let description = mapping.layout.slots[slot]
        let origin = history.origin(
          of: description.propertyName, description.kind, in: mapping.layout.index)
        if let counterpart = origin.declaring.first.flatMap({ oldNames[$0] }),
          let oldSlot = counterpart.layout.slots.firstIndex(where: description.isCounterpart)
        {
          let (was, now) = (counterpart.columnNames[oldSlot], mapping.columnNames[slot])
          if was != now { renamedColumns.append((was, now)) }
        } else {
          addedColumns.append((mapping, slot))
        }
        if case .attribute(let attribute) = description, attribute.defaultValue != nil {
          defaults.add(slot, of: mapping.layout.index, to: origin.lacking)
        }
      }
    }
    self.defaults = defaults.grouped(all: history.entitiesWithRows(of: root.index))
    let indexes = IndexChange(
      from: before, to: after,
      renamedColumns: Dictionary(
        renamedColumns.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first }))
    (droppedIndexes, createdIndexes) = (indexes.dropped, indexes.created)
  }
}

/// The defaults that the existing rows of some entities get: all of them at once, so that each row is written once.
struct RowDefaults {
  /// The entities whose rows get the defaults.
  let entities: [EntityLayout]
  /// Whether the table has no rows of other entities.
  let areAll: Bool
  /// The slots whose columns get the defaults.
  let slots: [Int]

  /// The slots that rows of each entity get.
  struct Collector {
    private struct Property: Hashable {
      let declaringEntity: Int
      let slot: Int
    }

    private var entities: [EntityLayout] = []
    private var properties: [Int: [Property]] = [:]

    /// Adds the slot of a property to entities.
    mutating func add(_ slot: Int, of declaringEntity: Int, to layouts: [EntityLayout]) {
      let property = Property(declaringEntity: declaringEntity, slot: slot)
      for layout in layouts {
        if properties[layout.index] == nil { entities.append(layout) }
        properties[layout.index, default: []].append(property)
      }
    }

    /// The entities with the same properties together.
    ///
    /// - Parameter all: the entities of the table of which there may be rows.
    func grouped(all: [EntityLayout]) -> [RowDefaults] {
      var groups: [(properties: [Property], entities: [EntityLayout])] = []
      var places: [[Property]: Int] = [:]
      for layout in entities {
        let own = properties[layout.index] ?? []
        if let place = places[own] {
          groups[place].entities.append(layout)
        } else {
          places[own] = groups.count
          groups.append((own, [layout]))
        }
      }
      return groups.map {
        RowDefaults(
          entities: $0.entities, areAll: $0.entities.count == all.count,
          slots: $0.properties.map(\.slot))
      }
    }
  }
}

/// The indexes of a table that another model changes.
struct IndexChange {
  /// The names of the indexes whose name, columns or condition is another one now.
  let dropped: [String]
  /// The indexes that the file does not have, or not in this form.
  let created: [SchemaTranslator.Index]

  /// - Parameter renamedColumns: the new names of columns, by their old names.
  init(
    from before: [TableMapping], to after: [TableMapping], renamedColumns: [String: String]
  ) {
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
    dropped = old.filter { index in
      if let kept = newByName[index.name] { return !Self.isSame(index, kept) }
      let columns = index.columns.map { renamedColumns[$0] ?? $0 }
      // An index that the model no longer has stays in the file.
      return index.isUnique || columns != index.columns || createdColumns.contains(columns)
    }.map(\.name)
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
