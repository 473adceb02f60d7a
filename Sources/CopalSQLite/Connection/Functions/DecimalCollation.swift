import CCopalSQLite
import CopalModel

/// A collation that orders canonical decimal texts by their numbers.
///
/// Used only in queries, never in the schema, so that other tools can open, sort and check a store.
enum DecimalCollation {
  static let name = "copal_decimal"

  static func register(on handle: OpaquePointer) {
    sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, nil,
      { _, countA, a, countB, b in
        DecimalCollation.compare(
          UnsafeRawBufferPointer(start: a, count: Int(countA)),
          UnsafeRawBufferPointer(start: b, count: Int(countB)))
      }, nil)
  }

  /// Compares two canonical texts without converting them: by sign, by the number of digits before
  /// the point, then digit by digit. Texts that are not decimals come last, ordered by their bytes.
  static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int32 {
    guard let x = Parts(a), let y = Parts(b) else {
      switch (Parts(a) != nil, Parts(b) != nil) {
      case (true, false): return -1
      case (false, true): return 1
      default: return bytes(a[...], b[...])
      }
    }
    if x.isNegative != y.isNegative { return x.isNegative ? -1 : 1 }
    let magnitudes: Int32
    if x.whole.count != y.whole.count {
      magnitudes = x.whole.count < y.whole.count ? -1 : 1
    } else {
      let wholes = bytes(x.whole, y.whole)
      magnitudes = wholes != 0 ? wholes : bytes(x.fraction, y.fraction)
    }
    return x.isNegative ? -magnitudes : magnitudes
  }

  private struct Parts {
    var isNegative: Bool
    var whole: Slice<UnsafeRawBufferPointer>
    var fraction: Slice<UnsafeRawBufferPointer>

    init?(_ text: UnsafeRawBufferPointer) {
      isNegative = text.first == UInt8(ascii: "-")
      let digits = text[(isNegative ? 1 : 0)...]
      guard let first = digits.first, first &- UInt8(ascii: "0") < 10 else { return nil }
      if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
        whole = digits[..<point]
        fraction = digits[(point + 1)...]
      } else {
        whole = digits
        fraction = digits[digits.endIndex...]
      }
    }
  }

  private static func bytes(
    _ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>
  ) -> Int32 {
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count == b.count ? 0 : (a.count < b.count ? -1 : 1)
  }
}
