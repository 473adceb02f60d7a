import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// Writes the objects of an export: first with what is known, and at the end the references and
/// lists that lead forward.
final class ImportedObjects {
  private let schema: StoreSchema
  private let container: PersistentContainer
  private let writer: GraphWriter
  private var entities: [Int: EntityReader] = [:]
  private var batch: [Row] = []
  private var forward: [ForwardReference] = []
  private var lists: [List] = []
  /// What is written at the end, by entity and by table.
  private var references: [Int: [GraphWriter.Reference]] = [:]
  private var links: [Int: [LinkEnds: Link]] = [:]

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
  }

  /// A reference of an object to one that comes later.
  private struct ForwardReference {
    var entity: Int
    var id: Int64
    var slot: Int
    var other: Int64
    var line: Int
  }

  /// A list of an object that was read. Its members may come later.
  private struct List {
    var relationship: RelationshipLayout
    var root: Int
    var owner: Int64
    var members: [Int64]
    var line: Int
  }

  /// - Parameter context: one with an open transaction, in which everything is written.
  init(_ container: PersistentContainer, in context: ManagedObjectContext) throws {
    self.container = container
    schema = container.store.schema
    writer = GraphWriter(
      container.store, try context.storeSession, commit: context.commitRows)
    if try !writer.isStoreEmpty() { throw ImportError(ImportProblem(.notEmpty)) }
  }

  // MARK: Reading

  /// The columns and relationships of an entity.
  private struct EntityReader {
    let layout: EntityLayout
    var attributes: [String: ImportedValue] = [:]
    var references: [String: EntityLayout.Reference] = [:]
    var lists: [String: RelationshipLayout] = [:]
    var versionSlots: [Int: Int] = [:]
    /// The names of the properties that no object lacks.
    var required: [String] = []

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
        if !attribute.isOptional { reader.required.append(attribute.name) }
      case .reference(let relationship):
        reader.references[relationship.name] = layout.reference(ofSlot: column.slot)
        if !relationship.isOptional { reader.required.append(relationship.name) }
      default: break
      }
    }
    for list in ExportedList.lists(of: entity, in: schema) {
      reader.lists[list.name] = list.layout
    }
    reader.required.sort()
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
      writer.place(of: id, root: layout.root) == nil
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
      values: [PropertyValue](repeating: .null, count: layout.slotCount))
    var problems: [ImportProblem] = []
    var given: Set<String> = []
    func refuse(_ field: JSONField, found: String, expected: String) {
      problems.append(
        ImportProblem(
          .wrongValue, line: number, column: place(field.value.offset), entity: name,
          property: field.name, found: found, expected: expected))
    }
    for field in fields where !field.name.hasPrefix("$") {
      guard given.insert(field.name).inserted else {
        problems.append(
          ImportProblem(
            .notJSON, line: number, column: place(field.offset),
            found: "'\(field.name)' is there twice"))
        continue
      }
      if let attribute = reader.attributes[field.name] {
        do throws(ImportedValue.Refusal) {
          let checked = try attribute.value(of: field.value.item)
          row.values[attribute.slot] = checked.value
          if let version = checked.version, let slot = reader.versionSlots[attribute.slot] {
            row.values[slot] = .integer(Int64(version))
          }
        } catch {
          var problem = error.problem
          (problem.line, problem.column) = (number, place(field.value.offset))
          problems.append(problem)
        }
      } else if let reference = reader.references[field.name] {
        if let found = set(reference, field.value.item, layout, &row) {
          refuse(field, found: found, expected: "the $id of an object")
        }
      } else if let list = reader.lists[field.name] {
        guard let members = Self.ids(field.value.item) else {
          refuse(field, found: field.value.item.kind, expected: "a list of $id")
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
    for property in reader.required where !given.contains(property) {
      problems.append(ImportProblem(.required, line: number, entity: name, property: property))
    }
    if problems.isEmpty { batch.append(row) }
    // Later objects may refer to it.
    writer.expect(id, root: layout.root, entity: layout.index)
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

  /// - Returns: what was found in place of an id; nil for an id, and for null.
  private func set(
    _ reference: EntityLayout.Reference, _ item: JSONItem, _ layout: EntityLayout,
    _ row: inout Row
  ) -> String? {
    if item == .null { return nil }
    guard case .number(let text) = item, let id = Int64(text), id > 0 else { return item.kind }
    if let key = key(of: id, reference.destination), key > 0 {
      row.values[reference.slot] = .integer(key)
    } else {
      forward.append(
        ForwardReference(
          entity: layout.index, id: row.id, slot: reference.slot, other: id, line: row.line))
    }
    return nil
  }

  /// The key of an object that has an id and a kind; nil for none.
  private func key(of id: Int64, _ kind: Int) -> Int64? {
    let place = writer.place(of: id, root: schema.entities[kind].root)
    return place.flatMap { schema.isEntity($0.entity, kindOf: kind) ? $0.key : nil }
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
    let conflicts = try writer.insert(batch.map(\.id), of: layout, root: layout.root) {
      (batch[$0].values, RowVersion.first)
    }
    if conflicts.isEmpty { batch.removeAll(keepingCapacity: true) }
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

  /// Writes what is left: the last objects, references and lists, and metadata.
  func finish(_ metadata: [String: MetadataValue]) throws -> [ImportProblem] {
    let refused = try writeBatch()
    if !refused.isEmpty { return refused }
    var problems = readLists()
    if problems.isEmpty { problems = readForwardReferences() }
    if !problems.isEmpty { return problems }
    // The objects are there, so a store refuses nothing.
    for (entity, all) in references.sorted(by: { $0.key < $1.key }) {
      _ = try writer.update(all, of: schema.entities[entity])
    }
    for (table, all) in links.sorted(by: { $0.key < $1.key }) {
      let sorted = all.values.sorted { ($0.owner, $0.member) < ($1.owner, $1.member) }
      _ = try writer.link(sorted, table: table)
    }
    if container.store.keepsMetadata { _ = try writer.write(metadata) }
    return []
  }

  /// Turns lists into links, or into positions of their members.
  private func readLists() -> [ImportProblem] {
    defer { lists = [] }
    var problems: [ImportProblem] = []
    for list in lists {
      guard let owner = writer.place(of: list.owner, root: list.root) else { continue }
      let destination = list.relationship.destination
      let root = schema.entities[destination].root
      for (place, id) in list.members.enumerated() {
        guard let member = writer.place(of: id, root: root),
          schema.isEntity(member.entity, kindOf: destination)
        else {
          problems.append(missing(id, list.relationship.relationship.name, list.line))
          continue
        }
        let position = Int64(place + 1) * ListPosition.step
        switch list.relationship.storage {
        case .inverseSlot(_, let slot?):
          references[member.entity, default: []].append(.init(of: member.key, slot, position))
        case .links(let table, let end):
          add(table, end, owner.key, member.key, position)
        default: break
        }
      }
    }
    return problems
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

  /// Finds the objects of references that led forward.
  private func readForwardReferences() -> [ImportProblem] {
    defer { forward = [] }
    var problems: [ImportProblem] = []
    for item in forward {
      let layout = schema.entities[item.entity]
      guard let reference = layout.reference(ofSlot: item.slot),
        let object = writer.place(of: item.id, root: layout.root)
      else { continue }
      if let key = key(of: item.other, reference.destination) {
        references[item.entity, default: []].append(.init(of: object.key, item.slot, key))
      } else if !reference.mayDangle {
        // Otherwise the model allows a reference to an object that does not exist any more.
        problems.append(missing(item.other, layout.slots[item.slot].propertyName, item.line))
      }
    }
    return problems
  }
}
