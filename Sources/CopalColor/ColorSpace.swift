/// The color space of the components of a ``SerializableColor``.
///
/// A file of a later version can contain a space that this version does not know. Its number is
/// kept and written back unchanged. It is never treated as sRGB.
///
/// ```swift
/// ColorSpace(rawValue: 1) == .displayP3     // true
/// ColorSpace(rawValue: 7).description       // "unknown(7)"
/// ```
public struct ColorSpace: RawRepresentable, Sendable, Hashable, Codable {
  /// The number of the space in stored colors. Its meaning never changes.
  public let rawValue: Int32
  /// The space with a number. Every number is allowed; see ``isKnown``.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// sRGB (IEC 61966-2-1), the color space of the web. Components outside 0...1 are extended sRGB.
  public static let sRGB = ColorSpace(rawValue: 0)
  /// Display P3: the primaries of DCI-P3 with the white point and the transfer function of sRGB,
  /// for displays with a wide gamut. Components outside 0...1 are extended Display P3.
  public static let displayP3 = ColorSpace(rawValue: 1)

  /// Whether this version can convert colors of the space.
  public var isKnown: Bool { self == .sRGB || self == .displayP3 }
}

extension ColorSpace: CustomStringConvertible {
  /// The name of the space: `sRGB`, `Display P3`, or `unknown(7)` with its number.
  public var description: String {
    switch self {
    case .sRGB: "sRGB"
    case .displayP3: "Display P3"
    default: "unknown(\(rawValue))"
    }
  }
}
