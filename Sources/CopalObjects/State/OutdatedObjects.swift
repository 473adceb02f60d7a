import CopalEssentials
import CopalStore

/// Objects with unsaved changes whose rows others have changed. They keep the row on which their
/// changes are based, so that a save finds the conflict; but an object can also lose its changes in
/// another way.
struct OutdatedObjects {
  private var rows: [ObjectIdentifier: Note] = [:]

  struct Note {
    let object: ManagedObject
    /// The row that the object has. With another one, the note has no meaning any more.
    let row: PackedRow
    var newest: Newest
  }

  /// What the store has instead of the row of an object.
  enum Newest {
    /// A row that was not read.
    case unknown
    case row(PackedRow)
    /// None: others have deleted the object.
    case deleted
  }

  var isEmpty: Bool { rows.isEmpty }

  mutating func note(_ object: ManagedObject, _ newest: Newest) {
    guard let row = object.row else { return }
    if case .unknown = newest, let known = rows[ObjectIdentifier(object)], known.row === row,
      case .deleted = known.newest
    {
      return
    }
    rows[ObjectIdentifier(object)] = Note(object: object, row: row, newest: newest)
  }

  /// A save has found that an object was deleted after the row that is noted.
  mutating func noteDeletion(of object: ManagedObject) {
    if rows[ObjectIdentifier(object)] != nil { note(object, .deleted) }
  }

  /// The objects with unsaved changes that have kept their rows, in the order of their keys, with
  /// the newer rows.
  var newerRows: [(object: ManagedObject, row: PackedRow)] {
    if rows.isEmpty { return [] }
    return rows.values.compactMap { note -> (object: ManagedObject, row: PackedRow)? in
      guard case .row(let row) = note.newest, note.object.row === note.row, note.object.hasChanges
      else { return nil }
      return (note.object, row)
    }.inOrder { $0.object.key < $1.object.key }
  }

  /// The objects that keep their rows.
  var objects: [ManagedObject] { rows.values.map(\.object) }

  /// Forgets an object.
  mutating func remove(_ object: ManagedObject) {
    if !rows.isEmpty { rows[ObjectIdentifier(object)] = nil }
  }

  /// Removes the objects that have no changes.
  ///
  /// - Returns: those of them that still have the former row.
  mutating func removeUnchanged() -> [Note] {
    let ended = rows.filter { !$0.value.object.hasChanges }
    for object in ended.keys { rows[object] = nil }
    return ended.values.filter { $0.object.row === $0.row && !$0.object.flags.contains(.gone) }
      .inOrder { $0.object.key < $1.object.key }
  }

  mutating func removeAll() { self = OutdatedObjects() }
}
