import CopalModel
import CopalStore

/// Packs the rows of an entity and of its subentities. The statement has the name of a row's entity
/// after key and version, then the columns of the entity, and then those that each subentity adds.
final class FamilyRowReader {
  /// An entity of which there are rows.
  private struct Kind {
    let name: ContiguousArray<UInt8>
    let reader: StatementRowReader
  }

  /// The position of the column with the name of a row's entity.
  static let entityColumn: Int32 = 2

  private let kinds: [Kind]
  /// The kind of the last row. Rows of one entity usually follow each other.
  private var last = 0

  init(_ layout: EntityLayout, _ schema: StoreSchema) {
    let first = Int(Self.entityColumn) + 1
    let own = layout.columns.indices.map { first + $0 }
    let subentities = schema.descendants[layout.index].map { schema.entities[$0] }
    /// Where the columns are that each subentity adds.
    var added: [Int: Range<Int>] = [:]
    var end = first + own.count
    for subentity in subentities {
      let start = end
      end += subentity.ownColumns.count
      added[subentity.index] = start..<end
    }
    // There are no objects of abstract entities.
    kinds = ([layout] + subentities).filter { !$0.entity.isAbstract }.map { kind in
      let line = kind.ancestors + [kind.index]
      return Kind(
        name: ContiguousArray(kind.name.utf8),
        reader: StatementRowReader(
          kind, positions: own + line.flatMap { added[$0].map(Array.init) ?? [] }))
    }
  }

  /// The reader for the current row of a statement; nil when the name is that of no entity that the
  /// rows can have.
  func reader(of statement: Statement) -> StatementRowReader? {
    // Bytes equal no name in a condition, so they are none here.
    guard statement.isText(Self.entityColumn) else { return nil }
    return statement.withText(Self.entityColumn) { name in
      if last < kinds.count, kinds[last].name.elementsEqual(name) { return kinds[last].reader }
      guard let found = kinds.firstIndex(where: { $0.name.elementsEqual(name) }) else { return nil }
      last = found
      return kinds[found].reader
    }
  }
}
