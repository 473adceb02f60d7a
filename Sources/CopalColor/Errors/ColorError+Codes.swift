import CopalModel

/// Making and converting colors.
extension ColorError.Code {
  /// A component is NaN or infinite.
  public static let notFinite: Self = "color.notFinite"
  /// A list of components has neither two nor four numbers.
  public static let componentCount: Self = "color.componentCount"
  /// The color has a color space that this version does not know, so it cannot be converted.
  public static let unknownSpace: Self = "color.unknownSpace"
  /// A color of the platform, such as a pattern, cannot be converted to a color space of Copal, or
  /// the other way round.
  public static let unconvertible: Self = "color.unconvertible"
  /// The background of a contrast is not opaque.
  public static let translucentBackground: Self = "color.translucentBackground"
}

/// Reading colors from text.
extension ColorError.Code {
  /// A text is not a hex color such as `#E34234`.
  public static let hex: Self = "color.hex"
  /// A text is not a CSS color that Copal can read.
  public static let css: Self = "color.css"
}

/// Reading colors from stored bytes.
extension ColorError.Code {
  /// A color or an array of colors is stored as zero bytes.
  public static let noBytes: Self = "color.noBytes"
  /// The stored bytes are not a color or an array of colors.
  public static let wrongKind: Self = "color.wrongKind"
  /// A newer version of Copal stored the value, in a format that this version cannot read.
  public static let newerVersion: Self = "color.newerVersion"
  /// There are fewer stored bytes than the value needs.
  public static let truncated: Self = "color.truncated"
  /// There are more stored bytes than the value has.
  public static let trailingBytes: Self = "color.trailingBytes"
  /// The stored count of an array of colors is more than memory can hold.
  public static let invalidCount: Self = "color.invalidCount"
  /// Colors of three bytes each are stored, but the number of bytes is not divisible by three.
  public static let notDivisible: Self = "color.notDivisible"
}

/// Reading archives of `NSColor` and `UIColor`.
extension ColorError.Code {
  /// An archived color is in a color space whose conversion needs a profile, which Copal does not
  /// apply.
  public static let needsProfile: Self = "color.needsProfile"
  /// An archived color has a color space that Copal does not know.
  public static let archivedSpace: Self = "color.archivedSpace"
  /// The text of the components of an archived color is damaged.
  public static let archivedComponents: Self = "color.archivedComponents"
  /// An archived color has only a name, and no components.
  public static let namedOnly: Self = "color.namedOnly"
  /// An archived color is a pattern or an image.
  public static let pattern: Self = "color.pattern"
}

extension ColorError.Code {
  /// The codes of colors; a test compares `Docs/Errors.md` with this list.
  package static let all: [Self] = [
    .notFinite, .componentCount, .unknownSpace, .unconvertible, .translucentBackground, .hex,
    .css, .noBytes, .wrongKind, .newerVersion, .truncated,
    .trailingBytes, .invalidCount, .notDivisible, .needsProfile, .archivedSpace,
    .archivedComponents, .namedOnly, .pattern,
  ]
}
