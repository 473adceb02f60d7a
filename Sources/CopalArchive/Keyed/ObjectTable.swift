/// Access to the table of objects of an archive. Each reference is checked.
extension KeyedArchive {
  /// The number of the object that a value refers to; nil for a value that is no reference.
  func number(_ value: PropertyListValue, of object: Int? = nil) throws(ArchiveError) -> Int? {
    guard let uid = value.uid else { return nil }
    guard uid < UInt64(objects.count) else {
      throw ArchiveError(
        .objectReference, found: "\(uid)", expected: "\(objects.count)", object: object)
    }
    return Int(uid)
  }

  /// The fields of an object and the number of its class; nil for an object that is a plain value.
  func classed(_ number: Int) throws(ArchiveError) -> (PropertyListDictionary, Int)? {
    switch objects[number] {
    case .dictionary(let fields):
      guard let reference = fields["$class"], let place = try self.number(reference, of: number)
      else {
        throw ArchiveError(
          .archiveForm, found: "$class of the object \(number)", expected: "a reference to a class",
          object: number)
      }
      return (fields, place)
    case .array, .set, .uid:
      throw ArchiveError(
        .archiveForm, found: "the object \(number)",
        expected: "a dictionary or a plain value, and not \(objects[number].kind)", object: number)
    default: return nil
    }
  }
}
