import CopalModel
import CopalStore

/// The further checks of a value of the right storage class: whether Copal could have written it.
///
/// The check runs when a row is read and costs one comparison for most values. So every value that
/// is read equals the stored one, and a query for it finds it. A value that Copal cannot have
/// written is marked in the row, and reported when it is read. Integers that are too large for
/// their type, decimals with other characters than digits, and URIs are checked when they are
/// decoded.
enum ValueCheck: UInt8 {
  case none
  /// 0 or 1.
  case boolean
  /// A number within the range of a float.
  case float
  /// UTF-8.
  case text
  /// A decimal without redundant zeros, so that equal decimals are the same text.
  case decimal
  /// 16 bytes.
  case uuid
  /// A blob, or the name of a file as TEXT.
  case external

  init(_ layout: EntityLayout, _ slot: Int) {
    if layout.attributes[slot].externalThreshold != nil {
      self = .external
      return
    }
    switch (layout.attributes[slot].type, layout.storage(slot)) {
    case (.boolean, _): self = .boolean
    case (.float, _): self = .float
    case (.decimal, .text): self = .decimal
    case (.uuid, _): self = .uuid
    case (.string, _), (.transformable, .text): self = .text
    default: self = .none
    }
  }

  func passes(_ number: Int64) -> Bool { self != .boolean || number & ~1 == 0 }

  /// The number as it is read; nil when the check fails.
  func passed(_ number: Double) -> Double? {
    self == .float ? FloatRounding.rounded(number) : number
  }

  func passes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .text: UTF8Bytes.areValid(bytes)
    case .uuid: bytes.count == 16
    case .decimal: DecimalText.hasNoRedundantZero(bytes)
    default: true
    }
  }
}
