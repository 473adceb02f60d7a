public import CopalArchive
public import CopalEssentials

extension String: Archivable {
  /// A text.
  public var archivedValue: ArchivedValue { .string(self) }
  /// The text; of an attributed text, only the text.
  public init(archivedValue: ArchivedValue) throws {
    guard case .string(let text) = archivedValue else { throw archivedValue.mismatch("a text") }
    self = text
  }
}

extension Bool: Archivable {
  /// A Boolean.
  public var archivedValue: ArchivedValue { .boolean(self) }
  /// The Boolean, or whether an integer is 1.
  public init(archivedValue: ArchivedValue) throws {
    switch archivedValue {
    case .boolean(let value): self = value
    case .integer(0): self = false
    case .integer(1): self = true
    default: throw archivedValue.mismatch("a Boolean")
    }
  }
}

extension FixedWidthInteger where Self: Archivable {
  /// An integer.
  public var archivedValue: ArchivedValue {
    Int64(exactly: self).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
  }
  /// The integer, if it fits.
  public init(archivedValue: ArchivedValue) throws {
    let number: Self? =
      switch archivedValue {
      case .integer(let number): Self(exactly: number)
      case .unsigned(let number): Self(exactly: number)
      default: nil
      }
    guard let number else {
      throw archivedValue.mismatch("an integer from \(Self.min) to \(Self.max)")
    }
    self = number
  }
}

extension Int: Archivable {}
extension Int16: Archivable {}
extension Int32: Archivable {}
extension Int64: Archivable {}
extension UInt64: Archivable {}

extension Double: Archivable {
  /// A real number of eight bytes.
  public var archivedValue: ArchivedValue { .real(self) }
  /// A number of any kind. Integers beyond 2^53 are rounded.
  public init(archivedValue: ArchivedValue) throws {
    guard let number = archivedValue.number else { throw archivedValue.mismatch("a number") }
    self = number
  }
}

extension Float: Archivable {
  /// A real number of four bytes.
  public var archivedValue: ArchivedValue { .float(self) }
  /// A number of any kind, rounded to four bytes.
  public init(archivedValue: ArchivedValue) throws {
    if case .float(let number) = archivedValue {
      self = number
    } else {
      self = Float(try Double(archivedValue: archivedValue))
    }
  }
}

extension Data: Archivable {
  /// Bytes.
  public var archivedValue: ArchivedValue { .data([UInt8](self)) }
  /// The bytes.
  public init(archivedValue: ArchivedValue) throws {
    guard let bytes = archivedValue.data else { throw archivedValue.mismatch("data") }
    self.init(bytes)
  }
}

extension Date: Archivable {
  /// A date.
  public var archivedValue: ArchivedValue { .date(timeIntervalSinceReferenceDate) }
  /// The date.
  public init(archivedValue: ArchivedValue) throws {
    guard case .date(let seconds) = archivedValue else { throw archivedValue.mismatch("a date") }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }
}

extension URL: Archivable {
  /// The text of the URL, and that of its base.
  public var archivedValue: ArchivedValue {
    .url(relativeString, base: baseURL?.absoluteString)
  }
  /// The URL, with its base.
  public init(archivedValue: ArchivedValue) throws {
    guard case .url(let text, let base) = archivedValue,
      let url = URL(string: text, relativeTo: base.flatMap { URL(string: $0) })
    else { throw archivedValue.mismatch("a URL") }
    self = url
  }
}

extension UUID: Archivable {
  /// The 16 bytes.
  public var archivedValue: ArchivedValue {
    .uuid(withUnsafeBytes(of: uuid) { [UInt8]($0) })
  }
  /// The UUID.
  public init(archivedValue: ArchivedValue) throws {
    guard case .uuid(let bytes) = archivedValue, bytes.count == 16 else {
      throw archivedValue.mismatch("a UUID")
    }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
