import CopalEssentials
import CopalModel
import CopalStore

/// Large values, which a store keeps in files.
extension ManagedObject {
  /// The large value of a slot, mapped into memory from its file; nil when the row has the value
  /// itself, or no value. Each call opens the file.
  ///
  /// - Throws: `object.externalFileMissing`, `object.externalFileUnreadable`.
  final func largeValue(_ slot: Int) throws(PersistenceError) -> Data? {
    guard flags.contains(.hasTypeMismatch), let text = row?.fileText(slot) else { return nil }
    guard let name = ExternalFileName(text) else {
      throw error(
        .externalFileUnreadable, slot,
        found: "a text of \(text.utf8.count) bytes is not a name that Copal gives to a file")
    }
    guard let files = runtime.externalFiles else {
      throw error(.externalFileMissing, slot, found: text)
    }
    do {
      return try files.read(name)
    } catch let failure {
      var failure = failure
      (failure.entity, failure.property) = (entityName, runtime.layout.attributes[slot].name)
      failure.objectID = objectID
      throw failure
    }
  }

  /// Whether the row has a value at a stored slot. A value in a file counts, and so does a value
  /// that cannot be read.
  final func rowHasValue(_ slot: Int) -> Bool {
    guard let base else { return false }
    return !PackedRowValues.isNull(base, slot) || PackedRowValues.typeMismatch(base, slot) != nil
  }

  /// Whether a value differs from the value of a row. When the value of the row is in a file, and
  /// both have the same size, this reads the file. A file that cannot be read counts as different.
  final func differs(_ row: PackedRow, _ slot: Int, from value: PropertyValue) -> Bool {
    guard row.hasTypeMismatch, let name = row.fileText(slot).flatMap({ ExternalFileName($0) })
    else { return row.differs(runtime.layout, slot, from: value) }
    guard case .binary(let data) = value, data.count == name.byteCount,
      let stored = try? runtime.externalFiles?.read(name)
    else { return true }
    return stored != data
  }
}
