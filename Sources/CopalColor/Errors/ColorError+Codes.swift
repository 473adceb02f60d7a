import CopalModel

/// Making and converting colors.
extension ColorError.Code {
  public static let notFinite: Self = "color.notFinite"
  public static let componentCount: Self = "color.componentCount"
  public static let unknownSpace: Self = "color.unknownSpace"
  public static let unconvertible: Self = "color.unconvertible"
}

/// Reading colors from text.
extension ColorError.Code {
  public static let hex: Self = "color.hex"
  public static let css: Self = "color.css"
}

/// Reading colors from stored bytes.
extension ColorError.Code {
  public static let noBytes: Self = "color.noBytes"
  public static let foreignBytes: Self = "color.foreignBytes"
  public static let newerVersion: Self = "color.newerVersion"
  public static let truncated: Self = "color.truncated"
  public static let trailingBytes: Self = "color.trailingBytes"
  public static let invalidCount: Self = "color.invalidCount"
}

extension ColorError.Code {
  /// The codes of colors; a test holds `Docs/Errors.md` to this list.
  package static let all: [Self] = [
    .notFinite, .componentCount, .unknownSpace, .unconvertible, .hex,
    .css, .noBytes, .foreignBytes, .newerVersion, .truncated,
    .trailingBytes, .invalidCount,
  ]
}
