/// Colors of sRGB with a name. The CSS names, 148 of them, are for
/// ``SerializableColor/init(css:)``.
extension SerializableColor {
  /// Black, `#000000`.
  public static let black = SerializableColor(red8: 0, green8: 0, blue8: 0)
  /// Medium gray, `#808080`.
  public static let gray = SerializableColor(red8: 128, green8: 128, blue8: 128)
  /// White, `#FFFFFF`.
  public static let white = SerializableColor(red8: 255, green8: 255, blue8: 255)
  /// Transparent black, `#00000000`.
  public static let clear = SerializableColor(red8: 0, green8: 0, blue8: 0, alpha8: 0)
  /// Full red, `#FF0000`.
  public static let red = SerializableColor(red8: 255, green8: 0, blue8: 0)
  /// Orange, `#FFA500`.
  public static let orange = SerializableColor(red8: 255, green8: 165, blue8: 0)
  /// Yellow, `#FFFF00`.
  public static let yellow = SerializableColor(red8: 255, green8: 255, blue8: 0)
  /// Full green, `#00FF00`. Its name in CSS is "lime".
  public static let green = SerializableColor(red8: 0, green8: 255, blue8: 0)
  /// Cyan, `#00FFFF`.
  public static let cyan = SerializableColor(red8: 0, green8: 255, blue8: 255)
  /// Full blue, `#0000FF`.
  public static let blue = SerializableColor(red8: 0, green8: 0, blue8: 255)
  /// Purple, `#800080`.
  public static let purple = SerializableColor(red8: 128, green8: 0, blue8: 128)
  /// Magenta, `#FF00FF`.
  public static let magenta = SerializableColor(red8: 255, green8: 0, blue8: 255)
  /// Brown, `#A52A2A`.
  public static let brown = SerializableColor(red8: 165, green8: 42, blue8: 42)
}
