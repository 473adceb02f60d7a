import CopalModel
import CopalStore

/// What a value of the right storage class must be besides, so that it is one that Copal may have written.
///
/// Looked at when a row is read, at the cost of a compare for most values: what reads as a value equals what
/// is stored, whichever way it is read, and a query for it finds it. What Copal cannot have written is marked
/// in the row, and told when it is read. Numbers that are too great for their type, decimals with other signs
/// than digits, and uris are looked at when they are decoded.
enum ValueCheck: UInt8 {
  case none
  /// 0 or 1.
  case boolean
  /// A number that a float can be, or comes nearest to.
  case float
  /// UTF-8.
  case text
  /// A decimal without zeros that mean nothing, without which equal ones would not be the same text.
  case decimal
  /// 16 bytes.
  case uuid

  init(_ layout: EntityLayout, _ slot: Int) {
    switch (layout.attributes[slot].type, layout.storage[slot]) {
    case (.boolean, _): self = .boolean
    case (.float, _): self = .float
    case (.decimal, .text): self = .decimal
    case (.uuid, _): self = .uuid
    case (.string, _), (.transformable, .text): self = .text
    default: self = .none
    }
  }

  @inline(__always)
  func passes(_ number: Int64) -> Bool { self != .boolean || number & ~1 == 0 }

  /// The number as it reads; nil where it does not pass.
  @inline(__always)
  func passed(_ number: Double) -> Double? {
    self == .float ? FloatRounding.rounded(number) : number
  }

  @inline(__always)
  func passes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .text: UTF8Bytes.areValid(bytes)
    case .uuid: bytes.count == 16
    case .decimal: DecimalText.hasNoIdleZero(bytes)
    default: true
    }
  }
}
