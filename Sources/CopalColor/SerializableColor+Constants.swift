/// Colors of sRGB with a name. The CSS names, 148 of them, are for
/// ``SerializableColor/init(css:)``.
extension SerializableColor {
  public static let black = SerializableColor(red8: 0, green8: 0, blue8: 0)
  public static let gray = SerializableColor(red8: 128, green8: 128, blue8: 128)
  public static let white = SerializableColor(red8: 255, green8: 255, blue8: 255)
  /// Transparent black.
  public static let clear = SerializableColor(red8: 0, green8: 0, blue8: 0, alpha8: 0)
  public static let red = SerializableColor(red8: 255, green8: 0, blue8: 0)
  public static let orange = SerializableColor(red8: 255, green8: 165, blue8: 0)
  public static let yellow = SerializableColor(red8: 255, green8: 255, blue8: 0)
  /// Full green, CSS's "lime".
  public static let green = SerializableColor(red8: 0, green8: 255, blue8: 0)
  public static let cyan = SerializableColor(red8: 0, green8: 255, blue8: 255)
  public static let blue = SerializableColor(red8: 0, green8: 0, blue8: 255)
  public static let purple = SerializableColor(red8: 128, green8: 0, blue8: 128)
  public static let magenta = SerializableColor(red8: 255, green8: 0, blue8: 255)
  public static let brown = SerializableColor(red8: 165, green8: 42, blue8: 42)
}
