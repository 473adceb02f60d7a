import CopalEssentials
import CopalModel

/// Making and converting colors.
extension ColorError.Code {
  /// A component is NaN or infinite.
  public static let notFinite = Self(
    "color.notFinite", "the component {expected} of a color is {found}; it must be a finite number")
  /// A list of components has neither two nor four numbers.
  public static let componentCount = Self(
    "color.componentCount",
    "a color has {expected} components (white and alpha, or red, green, blue and alpha), but {found} were given"
  )
  /// The color has a color space that this version does not know, so it cannot be converted.
  public static let unknownSpace = Self(
    "color.unknownSpace",
    "the color space {found} is unknown to this version of Copal, so the color cannot be converted; it is kept unchanged; sRGBFallback gives an approximate color"
  )
  /// A color of the platform, such as a pattern, cannot be converted to a color space of Copal, or
  /// the other way round.
  public static let unconvertible = Self(
    "color.unconvertible",
    "the color cannot be converted: {found}; use a color in sRGB or Display P3")
  /// The background of a contrast is not opaque.
  public static let translucentBackground = Self(
    "color.translucentBackground",
    "the background has the alpha {found}, so that its contrast depends on what is behind it; use an opaque background"
  )
}

/// Reading colors from text.
extension ColorError.Code {
  /// A text is not a hex color such as `#E34234`.
  public static let hex = Self(
    "color.hex",
    "invalid hex color: expected {expected}, found {found}{position}; write #RGB, #RGBA, #RRGGBB or #RRGGBBAA"
  )
  /// A text is not a CSS color that Copal can read.
  public static let css = Self(
    "color.css",
    SentenceTemplate(
      "invalid CSS color: expected {expected}, found {found}{position}", otherwise: ""))
}

/// Reading colors from stored bytes.
extension ColorError.Code {
  /// A color or an array of colors is stored as zero bytes.
  public static let noBytes = Self(
    "color.noBytes",
    "{expected} is stored as zero bytes; a missing value is stored as NULL; set the attribute to nil or to a new value"
  )
  /// The stored bytes are not a color or an array of colors.
  public static let wrongKind = Self(
    "color.wrongKind",
    "the stored bytes are not {expected}, but {found}; check the transformer of the attribute")
  /// A newer version of Copal stored the value, in a format that this version cannot read.
  public static let newerVersion = Self(
    "color.newerVersion",
    "{expected} is stored in format {found}, which this version of Copal cannot read; update Copal")
  /// There are fewer stored bytes than the value needs.
  public static let truncated = Self(
    "color.truncated",
    "the stored bytes end too early: {expected}, but {found} {are} stored; restore the value from a backup"
  )
  /// There are more stored bytes than the value has.
  public static let trailingBytes = Self(
    "color.trailingBytes",
    "there are more stored bytes than expected: {expected}, but {found} are stored; restore the value from a backup"
  )
  /// The stored count of an array of colors is more than memory can hold.
  public static let invalidCount = Self(
    "color.invalidCount",
    "an array of colors has an invalid count of {found}, which is more than memory can hold; restore the value from a backup"
  )
  /// Colors of three bytes each are stored, but the number of bytes is not divisible by three.
  public static let notDivisible = Self(
    "color.notDivisible",
    "colors of 3 bytes each are stored as {found} {bytes}, which is not divisible by 3; restore the value from a backup"
  )
}

/// Reading archives of `NSColor` and `UIColor`.
extension ColorError.Code {
  /// An archived color is in a color space whose conversion needs a profile, which Copal does not
  /// apply.
  public static let needsProfile = Self(
    "color.needsProfile",
    "the archived color is in {found}, whose conversion needs a color profile, which Copal does not apply; store the color in sRGB or Display P3, or read its components as sRGB with profiles: .assumingSRGB"
  )
  /// An archived color has a color space that Copal does not know.
  public static let archivedSpace = Self(
    "color.archivedSpace",
    "the archived color has {found}, which this version of Copal cannot read; store the color in sRGB or Display P3"
  )
  /// The text of the components of an archived color is damaged.
  public static let archivedComponents = Self(
    "color.archivedComponents",
    "the components of the archived color are damaged: expected {expected}, found {found}; restore the value from a backup"
  )
  /// An archived color has only a name, and no components.
  public static let namedOnly = Self(
    "color.namedOnly",
    "the archived color has only a name ({found}), and no components; store a color with components"
  )
  /// An archived color is a pattern or an image.
  public static let pattern = Self(
    "color.pattern",
    "the archived color is a pattern or an image ({found}), which has no components; store a color with components"
  )
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
