public import CopalModel

/// Making and converting colours.
extension ErrorCode {
  public static let colorNotFinite: ErrorCode = "color.notFinite"
  public static let colorComponentCount: ErrorCode = "color.componentCount"
  public static let colorUnknownSpace: ErrorCode = "color.unknownSpace"
  public static let colorUnconvertible: ErrorCode = "color.unconvertible"
}

/// Reading colours from text.
extension ErrorCode {
  public static let colorHex: ErrorCode = "color.hex"
  public static let colorCSS: ErrorCode = "color.css"
}

/// Reading colours from stored bytes.
extension ErrorCode {
  public static let colorNoBytes: ErrorCode = "color.noBytes"
  public static let colorForeignBytes: ErrorCode = "color.foreignBytes"
  public static let colorNewerVersion: ErrorCode = "color.newerVersion"
  public static let colorTruncated: ErrorCode = "color.truncated"
  public static let colorTrailingBytes: ErrorCode = "color.trailingBytes"
  public static let colorCount: ErrorCode = "color.count"
}

extension ErrorCode {
  /// The codes of colours; a test holds `Docs/Errors.md` to this list.
  package static let allColorCodes: [ErrorCode] = [
    .colorNotFinite, .colorComponentCount, .colorUnknownSpace, .colorUnconvertible, .colorHex,
    .colorCSS, .colorNoBytes, .colorForeignBytes, .colorNewerVersion, .colorTruncated,
    .colorTrailingBytes, .colorCount,
  ]
}
