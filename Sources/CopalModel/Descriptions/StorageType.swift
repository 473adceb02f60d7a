/// The stored form of an attribute: one of the four kinds of columns of a SQL store.
public enum StorageType: String, Sendable, Hashable, CaseIterable {
  /// A signed whole number of up to 64 bits.
  case integer
  /// A 64-bit floating-point number.
  case real
  /// Text in UTF-8.
  case text
  /// Bytes.
  case blob
}

extension AttributeDescription {
  /// The stored form of the attribute's values.
  public var storageType: StorageType {
    switch type {
    case .integer16, .integer32, .integer64, .integer, .boolean: .integer
    case .float, .double, .date: .real
    case .decimal: scale == nil ? .text : .integer
    case .string, .uri: .text
    case .binary, .uuid: .blob
    case .transformable: storage ?? .blob
    }
  }
}
