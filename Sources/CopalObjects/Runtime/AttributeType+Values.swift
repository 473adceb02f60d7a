import CopalEssentials
import CopalModel
import CopalStore

extension AttributeType {
  /// A stored value as the attribute's Swift type.
  func swiftValue(_ value: PropertyValue) -> Any? {
    switch (self, value) {
    case (_, .null), (_, .object): nil
    case (.integer16, .integer(let number)): Int16(exactly: number)
    case (.integer32, .integer(let number)): Int32(exactly: number)
    case (.integer, .integer(let number)): Int(exactly: number)
    case (.float, .double(let number)): Float(number)
    case (_, .integer(let number)): number
    case (_, .double(let number)): number
    case (_, .decimal(let number)): number
    case (_, .boolean(let flag)): flag
    case (_, .date(let date)): date
    case (_, .string(let text)): text
    case (_, .binary(let data)): data
    case (_, .uuid(let uuid)): uuid
    case (_, .uri(let url)): url
    }
  }

  /// A Swift value as this type's stored value; nil when it is of another type.
  ///
  /// An integer beyond the type's width is returned too; `accepts` checks the width.
  func value(from any: Any) -> PropertyValue? {
    if let value = any as? any AttributeEnum { return self.value(from: value.rawValue) }
    switch self {
    case .integer16, .integer32, .integer64, .integer:
      return integer(any).map(PropertyValue.integer)
    case .float, .double:
      if let number = any as? Double { return .double(number) }
      if let number = any as? Float { return .double(Double(number)) }
      return integer(any).flatMap { Double(exactly: $0) }.map(PropertyValue.double)
    case .decimal:
      if let number = any as? Decimal { return .decimal(number) }
      if let number = any as? UInt64 { return .decimal(Decimal(number)) }
      if let number = any as? UInt { return .decimal(Decimal(number)) }
      return integer(any).map { .decimal(Decimal($0)) }
    case .boolean: return (any as? Bool).map(PropertyValue.boolean)
    case .date: return (any as? Date).map(PropertyValue.date)
    case .binary: return (any as? Data).map(PropertyValue.binary)
    case .string: return (any as? String).map(PropertyValue.string)
    case .uuid: return (any as? UUID).map(PropertyValue.uuid)
    case .uri: return (any as? URL).map(PropertyValue.uri)
    case .transformable: return nil
    }
  }

  private func integer(_ any: Any) -> Int64? {
    // Bool first, because Foundation bridges it to numbers on Apple's platforms.
    if any is Bool { return nil }
    switch any {
    case let number as Int: return Int64(number)
    case let number as Int64: return number
    case let number as Int32: return Int64(number)
    case let number as Int16: return Int64(number)
    case let number as Int8: return Int64(number)
    case let number as UInt8: return Int64(number)
    case let number as UInt16: return Int64(number)
    case let number as UInt32: return Int64(number)
    case let number as any BinaryInteger: return Int64(exactly: number)
    default: return nil
    }
  }

  /// Whether a refused value is a number, so that it was too large or too precise.
  func isNumber(_ any: Any) -> Bool {
    switch self {
    case .integer16, .integer32, .integer64, .integer, .float, .double, .decimal:
      any is any BinaryInteger
    default: false
    }
  }
}
