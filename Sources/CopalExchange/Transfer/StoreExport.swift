import CopalEssentials
import CopalModel
public import CopalObjects
import CopalStore

/// Writes everything that a store has into one text: the model, the objects with their
/// relationships, and what the program keeps beside them.
///
/// ```swift
/// try StoreExport(container).run(to: ByteOutput { try file.write(contentsOf: $0) })
/// ```
///
/// The text is JSON Lines, for other programs and for later: `Docs/ImportAndExport.md` describes
/// it. ``StoreImport`` makes an equal store of it. It has the store as of one moment, and the
/// values of `"private"` attributes.
public struct StoreExport {
  /// Called after each thousand objects with their number; nil for nobody.
  public var progress: ((Int) -> Void)?
  /// Asked while rows are read: whether to give up; nil for never.
  public var isCanceled: (@Sendable () -> Bool)?

  /// The complete text of the model, where the container has only the parts that concern a store.
  package var modelText: String?
  private let container: PersistentContainer

  /// The format that this version writes.
  static let format = 1

  /// An export of the store of a container.
  public init(_ container: PersistentContainer) { self.container = container }

  private static let batch = 1000

  /// Writes the export. Memory does not grow with the number of objects.
  ///
  /// - Returns: the number of objects.
  /// - Throws: `object.typeMismatch` for a value that cannot be read, and
  ///   `object.externalFileMissing` for one whose file is missing; codes of `store.…`; what the
  ///   output throws. The text is then not complete, which an import notices.
  @discardableResult
  public func run(to output: ByteOutput) throws -> Int {
    let session = try RowSession(container, isCanceled: isCanceled)
    try writeHead(session, output)
    var total = 0
    for layout in session.schema.entities where !layout.entity.isAbstract {
      let lists = ExportedList.lists(of: layout.index, in: session.schema)
      let query = StoreQuery(entity: layout.index, includesSubentities: false)
      var batch: [(key: Int64, row: PackedRow)] = []
      try session.forEachRow(query) { key, row in
        batch.append((key, row))
        guard batch.count == Self.batch else { return }
        try write(batch, layout, lists, session, output)
        total += batch.count
        progress?(total)
        batch.removeAll(keepingCapacity: true)
      }
      try write(batch, layout, lists, session, output)
      total += batch.count
    }
    try output.add("{\"$end\": true, \"objects\": \(total)}\n")
    try output.flush()
    return total
  }

  private func writeHead(_ session: RowSession, _ output: ByteOutput) throws {
    let model = modelText ?? session.schema.model.canonicalJSON
    let metadata =
      container.store.keepsMetadata ? try session.session.fetchMetadata(named: nil) : [:]
    try output.add { bytes in
      bytes += "{\"$copal\": \"export\", \"format\": \(Self.format), \"model\": ".utf8
      bytes.addJSON(model)
      bytes += ", \"metadata\": {".utf8
      for (place, (name, value)) in metadata.sorted(by: { $0.key < $1.key }).enumerated() {
        if place > 0 { bytes += ", ".utf8 }
        bytes.addJSON(name)
        bytes += ": {\"\(value.kind)\": ".utf8
        bytes.addJSON(value.propertyValue)
        bytes += "}".utf8
      }
      bytes += "}}\n".utf8
    }
  }

  private func write(
    _ rows: [(key: Int64, row: PackedRow)], _ layout: EntityLayout, _ lists: [ExportedList],
    _ session: RowSession, _ output: ByteOutput
  ) throws {
    if rows.isEmpty { return }
    let keys = rows.map(\.key)
    let values = RowValues([], session, showsPrivate: true)
    let plans = layout.columns.compactMap { column -> (slot: Int, plan: CellPlan)? in
      if case .hidden = layout.slots[column.slot] { return nil }
      return (column.slot, values.plan(of: column.slot, layout))
    }
    let members = try lists.map { try session.members(keys, of: layout.index, $0.relationship) }
    for (key, row) in rows {
      try output.add { bytes in
        bytes += "{\"$entity\": ".utf8
        bytes.addJSON(layout.name)
        bytes += ", \"$id\": \(key)".utf8
        try add(row, key, layout, values, plans, &bytes)
        for (place, list) in lists.enumerated() {
          guard let objects = members[place][key], !objects.isEmpty else { continue }
          bytes += ", ".utf8
          bytes.addJSON(list.name)
          bytes += ": [\(objects.map(String.init).joined(separator: ", "))]".utf8
        }
        bytes += "}\n".utf8
      }
    }
  }

  /// Adds the values of a row that are there.
  private func add(
    _ row: PackedRow, _ key: Int64, _ layout: EntityLayout, _ values: RowValues,
    _ plans: [(slot: Int, plan: CellPlan)], _ bytes: inout [UInt8]
  ) throws {
    for (slot, plan) in plans {
      let cell = values.cell(plan, key, row)
      if case .value(.null) = cell { continue }
      bytes += ", ".utf8
      bytes.addJSON(layout.slots[slot].propertyName)
      bytes += ": ".utf8
      switch cell {
      case .value(let value): bytes.addJSON(value)
      case .transformable(_, _, let stored, let version):
        bytes.addStoredForm(stored, layout.attributes[slot].transformer?.rawValue, version)
      default: throw unreadable(slot, key, row, layout)
      }
    }
  }

  private func unreadable(_ slot: Int, _ key: Int64, _ row: PackedRow, _ layout: EntityLayout)
    -> PersistenceError
  {
    let id = ManagedObjectID(
      store: container.storeIdentifier, entityName: layout.name, key: key)
    let isFile = row.fileText(slot) != nil
    let found = PackedRowValues.typeMismatch(row.base, slot)?.storageClassName
    return PersistenceError(
      isFile ? .externalFileMissing : .typeMismatch, entity: layout.name,
      property: layout.slots[slot].propertyName, objectID: id, found: found,
      expected: layout.storage(slot).rawValue.uppercased())
  }
}

/// A relationship whose members an export lists, because nothing else has them or their order.
struct ExportedList {
  let name: String
  /// The position among the relationships of the entity.
  let relationship: Int
  let layout: RelationshipLayout

  /// The lists of the objects of an entity.
  static func lists(of entity: Int, in schema: StoreSchema) -> [ExportedList] {
    schema.relationships[entity].enumerated().compactMap { place, relationship in
      if relationship.isHidden { return nil }
      switch relationship.storage {
      case .slot, .inverseSlot(_, nil): return nil
      case .inverseSlot: break
      case .links(let table, let end):
        // The other end has the same links; of an ordered one, the order.
        let table = schema.linkTables[table]
        if end == .member, !table.isInverseOrdered { return nil }
      }
      return ExportedList(
        name: relationship.relationship.name, relationship: place, layout: relationship)
    }
  }
}

extension MetadataValue {
  /// The name of the kind in an export.
  var kind: String {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .double: "double"
    case .boolean: "boolean"
    case .date: "date"
    case .data: "data"
    }
  }

  var propertyValue: PropertyValue {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .boolean(let flag): .boolean(flag)
    case .date(let date): .date(date)
    case .data(let data): .binary(data)
    }
  }
}
