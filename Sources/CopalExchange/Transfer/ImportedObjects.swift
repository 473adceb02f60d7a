import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// Writes the objects of an export: first with what is known, and at the end the references and
/// lists that lead forward.
final class ImportedObjects {
  private let schema: StoreSchema
  private let context: ManagedObjectContext
  private let keepsFiles: Bool
  private let keepsMetadata: Bool
  private let container: PersistentContainer
  private var entities: [Int: EntityReader] = [:]
  /// The new key and the entity of each object, by the root and the id in the export.
  private var objects: [Int: [Int64: Place]] = [:]
  private var batch: [Row] = []
  private var pending: [Pending] = []
  private var links: [Int: [LinkEnds: Link]] = [:]

  private struct Place {
    var key: Int64
    var entity: Int
  }

  private struct LinkEnds: Hashable {
    var owner: Int64
    var member: Int64
  }

  /// An object that is not written yet.
  private struct Row {
    var id: Int64
    var entity: Int
    var line: Int
    var values: [PropertyValue]
    var files: [Int: ExternalFileName]
    var data: [ExternalFileName: Data]
  }

  /// A value of a row that is written at the end.
  private struct Pending {
    /// The root and the id of the object.
    var root: Int
    var id: Int64
    var slot: Int
    var value: Value
    var line: Int

    enum Value {
      /// The object of an id in a root.
      case object(root: Int, id: Int64)
      case position(Int64)
    }
  }

  /// A list of an object that was read. Its members may come later.
  private struct List {
    var relationship: RelationshipLayout
    var root: Int
    var owner: Int64
    var members: [Int64]
    var line: Int
  }

  private var lists: [List] = []

  /// - Parameter context: one with an open transaction, in which everything is written.
  init(_ container: PersistentContainer, in context: ManagedObjectContext) throws {
    (self.container, self.context) = (container, context)
    schema = container.store.schema
    keepsFiles = container.store.externalFiles != nil
    keepsMetadata = container.store.keepsMetadata
    let session = try context.storeSession
    for layout in schema.entities where layout.root == layout.index {
      guard try session.count(StoreQuery(entity: layout.index, limit: 1)) == 0 else {
        throw ImportError(ImportProblem(.notEmpty))
      }
    }
  }

  // MARK: Reading

  /// The columns and relationships of an entity.
  private struct EntityReader {
    let layout: EntityLayout
    var attributes: [String: ImportedValue] = [:]
    var references: [String: EntityLayout.Reference] = [:]
    var lists: [String: RelationshipLayout] = [:]
    var versionSlots: [Int: Int] = [:]

    var names: [String] {
      Array(attributes.keys) + Array(references.keys) + Array(lists.keys)
    }
  }

  private func reader(of entity: Int) -> EntityReader {
    if let found = entities[entity] { return found }
    let layout = schema.entities[entity]
    let transformers = RowTransformers(container, entity: entity)
    var reader = EntityReader(layout: layout)
    for column in layout.columns {
      switch layout.slots[column.slot] {
      case .attribute(let attribute):
        reader.attributes[attribute.name] = ImportedValue(
          column.slot, layout, transformers, .plain, isOfExport: true)
        reader.versionSlots[column.slot] = transformers.versionSlot(of: column.slot)
      case .reference(let relationship):
        reader.references[relationship.name] = layout.reference(ofSlot: column.slot)
      default: break
      }
    }
    for list in ExportedList.lists(of: entity, in: schema) {
      reader.lists[list.name] = list.layout
    }
    entities[entity] = reader
    return reader
  }

  /// Reads an object.
  ///
  /// - Returns: what is wrong with it.
  func read(_ fields: [JSONField], _ line: ArraySlice<UInt8>, _ number: Int) -> [ImportProblem] {
    func place(_ offset: Int) -> Int { TextPlace(line, offset, line: 1).column }
    guard case .string(let name)? = fields["$entity"], let layout = schema.layout(name),
      !layout.entity.isAbstract
    else {
      return [ImportProblem(.wrongValue, line: number, found: "$entity", expected: "an entity")]
    }
    guard case .number(let text)? = fields["$id"], let id = Int64(text), id > 0,
      objects[layout.root]?[id] == nil
    else {
      return [
        ImportProblem(
          .wrongValue, line: number, entity: name, found: "$id",
          expected: "a number above 0 that no object before has")
      ]
    }
    let reader = reader(of: layout.index)
    var row = Row(
      id: id, entity: layout.index, line: number,
      values: [PropertyValue](repeating: .null, count: layout.slotCount), files: [:], data: [:])
    var problems: [ImportProblem] = []
    var given: Set<String> = []
    for field in fields where !field.name.hasPrefix("$") {
      let column = place(field.value.offset)
      guard given.insert(field.name).inserted else {
        problems.append(
          ImportProblem(
            .notJSON, line: number, column: place(field.offset),
            found: "'\(field.name)' is there twice"))
        continue
      }
      if let attribute = reader.attributes[field.name] {
        do throws(ImportedValue.Refusal) {
          try set(try attribute.value(of: field.value.item), attribute.slot, reader, &row)
        } catch {
          var problem = error.problem
          (problem.line, problem.column) = (number, column)
          problems.append(problem)
        }
      } else if let reference = reader.references[field.name] {
        if let problem = set(reference, field.value.item, layout, &row) {
          problems.append(
            ImportProblem(
              .wrongValue, line: number, column: column, entity: name, property: field.name,
              found: problem, expected: "the $id of an object"))
        }
      } else if let list = reader.lists[field.name] {
        guard let members = Self.ids(field.value.item) else {
          problems.append(
            ImportProblem(
              .wrongValue, line: number, column: column, entity: name, property: field.name,
              found: field.value.item.kind, expected: "a list of $id"))
          continue
        }
        lists.append(
          List(
            relationship: list, root: layout.root, owner: id, members: members, line: number))
      } else {
        problems.append(
          ImportProblem(
            .unknownProperty, line: number, column: place(field.offset), entity: name,
            found: field.name, suggestion: NearestName.of(field.name, among: reader.names)))
      }
    }
    problems += missing(in: row, given, reader, number)
    if problems.isEmpty { batch.append(row) }
    // Later objects may refer to it.
    objects[layout.root, default: [:]][id] = Place(key: 0, entity: layout.index)
    return problems
  }

  private static func ids(_ item: JSONItem) -> [Int64]? {
    guard case .array(let items) = item else { return nil }
    var ids: [Int64] = []
    for item in items {
      guard case .number(let text) = item.item, let id = Int64(text) else { return nil }
      ids.append(id)
    }
    return ids
  }

  private func set(
    _ checked: ImportedValue.Checked, _ slot: Int, _ reader: EntityReader, _ row: inout Row
  ) throws(ImportedValue.Refusal) {
    row.values[slot] = checked.value
    if let version = checked.version, let versionSlot = reader.versionSlots[slot] {
      row.values[versionSlot] = .integer(Int64(version))
    }
    if keepsFiles, let threshold = reader.layout.attributes[slot].externalThreshold,
      case .binary(let data) = checked.value, data.count > threshold
    {
      let name = ExternalFileName(byteCount: data.count)
      row.files[slot] = name
      row.data[name] = data
    }
  }

  /// - Returns: what was found in place of an id; nil for an id, and for null.
  private func set(
    _ reference: EntityLayout.Reference, _ item: JSONItem, _ layout: EntityLayout,
    _ row: inout Row
  ) -> String? {
    if item == .null { return nil }
    guard case .number(let text) = item, let id = Int64(text), id > 0 else { return item.kind }
    let place = objects[reference.destinationRoot]?[id]
    if let place, place.key > 0,
      schema.isEntity(place.entity, kindOf: reference.destination)
    {
      row.values[reference.slot] = .integer(place.key)
    } else {
      pending.append(
        Pending(
          root: layout.root, id: row.id, slot: reference.slot,
          value: .object(root: reference.destinationRoot, id: id), line: row.line))
    }
    return nil
  }

  /// The required properties that an object lacks.
  private func missing(
    in row: Row, _ given: Set<String>, _ reader: EntityReader, _ line: Int
  ) -> [ImportProblem] {
    var problems: [ImportProblem] = []
    for (name, attribute) in reader.attributes where !given.contains(name) {
      if reader.layout.attributes[attribute.slot].isOptional { continue }
      problems.append(
        ImportProblem(.required, line: line, entity: reader.layout.name, property: name))
    }
    for (name, reference) in reader.references where !given.contains(name) {
      guard case .reference(let relationship) = reader.layout.slots[reference.slot],
        !relationship.isOptional
      else { continue }
      problems.append(
        ImportProblem(.required, line: line, entity: reader.layout.name, property: name))
    }
    return problems.sorted { ($0.property ?? "") < ($1.property ?? "") }
  }

  // MARK: Writing

  private static let size = 1000

  /// Writes the batch when it is full, or when the next object is of another entity.
  func writeIfFull() throws -> [ImportProblem] {
    guard let last = batch.last else { return [] }
    if batch.count < Self.size, batch[0].entity == last.entity { return [] }
    if batch[0].entity == last.entity { return try writeBatch() }
    batch.removeLast()
    defer { batch.append(last) }
    return try writeBatch()
  }

  private func writeBatch() throws -> [ImportProblem] {
    guard let first = batch.first else { return [] }
    let layout = schema.entities[first.entity]
    var change = ChangeSet.EntityChanges(entity: layout.index)
    var data: [ExternalFileName: Data] = [:]
    for (place, row) in batch.enumerated() {
      guard
        let packed = PackedRow.pack(
          layout, values: row.values, version: RowVersion.first, files: row.files)
      else { throw PersistenceError(.tooBig, entity: layout.name) }
      change.inserts.append(ChangeSet.Insert(key: -Int64(place) - 1, row: packed))
      data.merge(row.data, uniquingKeysWith: { first, _ in first })
    }
    var changes = ChangeSet([change])
    changes.externalValues = data
    switch try context.commitRows(changes) {
    case .committed(let receipt):
      for (row, key) in zip(batch, receipt.insertedKeys.first ?? []) {
        objects[layout.root]?[row.id]?.key = key
      }
      batch.removeAll(keepingCapacity: true)
      return []
    case .refused(let conflicts):
      return conflicts.prefix(1).map { conflict in
        let row = batch[max(0, min(batch.count - 1, Int(-conflict.key) - 1))]
        var problem = ImportProblem(.refused, line: row.line, entity: layout.name)
        if case .unique(let slots) = conflict.kind {
          problem.code = .notUnique
          problem.property = slots.map { layout.slots[$0].propertyName }.joined(separator: ", ")
          problem.found = ""
        } else {
          problem.found = "the store refuses the object"
        }
        return problem
      }
    }
  }

  /// Writes what is left: the last objects, references and lists, and metadata.
  func finish(_ metadata: [String: MetadataValue]) throws -> [ImportProblem] {
    let refused = try writeBatch()
    if !refused.isEmpty { return refused }
    var problems: [ImportProblem] = []
    try readLists(&problems)
    if problems.isEmpty { try writePending(&problems) }
    if !problems.isEmpty { return problems }
    try writeLinks()
    if keepsMetadata, !metadata.isEmpty {
      var changes = ChangeSet([])
      changes.metadata = metadata
      _ = try context.commitRows(changes)
    }
    return []
  }

  /// Turns lists into links, or into positions of their members.
  private func readLists(_ problems: inout [ImportProblem]) throws {
    for list in lists {
      guard let owner = objects[list.root]?[list.owner] else { continue }
      let destination = list.relationship.destination
      let root = schema.entities[destination].root
      for (place, id) in list.members.enumerated() {
        guard let member = objects[root]?[id],
          schema.isEntity(member.entity, kindOf: destination)
        else {
          problems.append(missing(id, list.relationship.relationship.name, list.line))
          continue
        }
        let position = Int64(place + 1) * ListPosition.step
        switch list.relationship.storage {
        case .inverseSlot(_, let slot?):
          pending.append(
            Pending(root: root, id: id, slot: slot, value: .position(position), line: list.line))
        case .links(let table, let end):
          add(table, end, owner.key, member.key, position)
        default: break
        }
      }
    }
    lists = []
  }

  private func add(
    _ table: Int, _ end: LinkTable.End, _ owner: Int64, _ member: Int64, _ position: Int64
  ) {
    let description = schema.linkTables[table]
    let placed = description.isOrdered(from: end) ? position : nil
    if end == .owner {
      let ends = LinkEnds(owner: owner, member: member)
      links[table, default: [:]][ends, default: Link(owner: owner, member: member)].position =
        placed
    } else {
      let ends = LinkEnds(owner: member, member: owner)
      links[table, default: [:]][ends, default: Link(owner: member, member: owner)]
        .inversePosition = placed
    }
  }

  private func missing(_ id: Int64, _ property: String, _ line: Int) -> ImportProblem {
    ImportProblem(.missingObject, line: line, property: property, found: "$id \(id)")
  }

  /// Writes references that led forward, and positions.
  private func writePending(_ problems: inout [ImportProblem]) throws {
    var values: [Int: [Int64: [(slot: Int, value: Int64)]]] = [:]
    for item in pending {
      guard let object = objects[item.root]?[item.id] else { continue }
      let value: Int64
      switch item.value {
      case .position(let position): value = position
      case .object(let root, let id):
        let slot = schema.entities[object.entity].reference(ofSlot: item.slot)
        guard let found = objects[root]?[id], let slot,
          schema.isEntity(found.entity, kindOf: slot.destination)
        else {
          // The model allows a reference to an object that does not exist any more.
          if slot?.mayDangle == true { continue }
          let name = schema.entities[object.entity].slots[item.slot].propertyName
          problems.append(missing(id, name, item.line))
          continue
        }
        value = found.key
      }
      values[object.entity, default: [:]][object.key, default: []].append((item.slot, value))
    }
    pending = []
    if !problems.isEmpty { return }
    for (entity, rows) in values.sorted(by: { $0.key < $1.key }) {
      let keys = rows.keys.sorted()
      for start in stride(from: 0, to: keys.count, by: Self.size) {
        try update(rows, keys[start..<min(start + Self.size, keys.count)], entity)
      }
    }
  }

  private func update(
    _ rows: [Int64: [(slot: Int, value: Int64)]], _ keys: ArraySlice<Int64>, _ entity: Int
  ) throws {
    let layout = schema.entities[entity]
    let receiver = ImportedRows()
    try context.storeSession.fetchRows(keys, entity: entity, into: receiver)
    if let failure = receiver.failure { throw failure }
    var change = ChangeSet.EntityChanges(entity: entity)
    for (key, before) in receiver.rows.sorted(by: { $0.key < $1.key }) {
      var values = [PropertyValue](repeating: .null, count: layout.slotCount)
      var changed = SlotSet(count: layout.slotCount)
      for (slot, value) in rows[key] ?? [] {
        values[slot] = .integer(value)
        changed.insert(slot)
      }
      guard
        let row = before.repacked(layout, values, changed: changed, version: before.version)
      else { throw PersistenceError(.tooBig, entity: layout.name) }
      change.updates.append(
        ChangeSet.Update(key: key, before: before, row: row, changed: changed))
    }
    _ = try context.commitRows(ChangeSet([change]))
  }

  private func writeLinks() throws {
    for (table, all) in links.sorted(by: { $0.key < $1.key }) {
      let sorted = all.values.sorted { ($0.owner, $0.member) < ($1.owner, $1.member) }
      for start in stride(from: 0, to: sorted.count, by: 10 * Self.size) {
        var change = LinkChanges(table: table)
        change.added = Array(sorted[start..<min(start + 10 * Self.size, sorted.count)])
        _ = try context.commitRows(ChangeSet([], links: [change]))
      }
    }
  }
}

/// Keeps rows.
private final class ImportedRows: RowReceiver {
  var rows: [Int64: PackedRow] = [:]
  var failure: PersistenceError?

  func wantsRow(key: Int64, version: Int64) -> Bool { true }
  func receive(key: Int64, row: consuming PackedRow) { rows[key] = row }
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) { self.failure = failure }
}
