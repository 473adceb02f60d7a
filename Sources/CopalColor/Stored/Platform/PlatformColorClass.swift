import CopalArchive

/// The class of the colors in the archives that ``PlatformColorArchiveTransformer`` writes.
///
/// Choose the one of the app that reads the file.
public enum PlatformColorClass: Sendable, Hashable {
  /// `NSColor`, for AppKit. The color space and each bit of the components are kept.
  case nsColor
  /// `UIColor`, for UIKit. UIKit archives each color in extended sRGB, so a color in Display P3 is
  /// converted, to about one part in a million, and is read as sRGB. A color in sRGB is kept bit
  /// for bit.
  case uiColor

  /// The color as an object of the class.
  func object(_ color: SerializableColor) throws(ColorError) -> ArchivedObject {
    guard color.colorSpace.isKnown else { throw .unknownSpace(color.colorSpace) }
    switch self {
    case .nsColor: return Self.nsColor(color)
    case .uiColor: return Self.uiColor(try color.converted(to: .sRGB))
    }
  }

  /// A color with a space of its own. A reader of `NSCustomColorSpace` takes `NSComponents`.
  /// `NSRGB` is for the oldest readers, which do not know spaces.
  private static func nsColor(_ color: SerializableColor) -> ArchivedObject {
    let space: [String: ArchivedValue] =
      color.colorSpace == .displayP3
      ? ["NSSpaceID": .integer(ArchivedColorSpace.displayP3ID)]
      : ["NSID": .integer(ArchivedColorSpace.sRGBID)]
    return ArchivedObject(
      classNames: ["NSColor", "NSObject"],
      fields: [
        "NSColorSpace": .integer(1),
        "NSCustomColorSpace": .object(
          ArchivedObject(classNames: ["NSColorSpace", "NSObject"], fields: space)),
        "NSComponents": .data(ComponentText.bytes(color.components)),
        "NSRGB": .data(ComponentText.bytes(color.sRGBFallback.components) + [0]),
      ])
  }

  private static func uiColor(_ color: SerializableColor) -> ArchivedObject {
    ArchivedObject(
      classNames: ["UIColor", "NSObject"],
      fields: [
        "UIColorComponentCount": .integer(4), "UIRed": .float(color.red),
        "UIGreen": .float(color.green), "UIBlue": .float(color.blue),
        "UIAlpha": .float(color.alpha), "NSColorSpace": .integer(2),
        "NSRGB": .data(ComponentText.bytes(color.components)),
      ])
  }
}
