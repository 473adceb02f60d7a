/// Red, green and blue of a color as numbers of eight bytes, for the models of hue.
struct RGBComponents {
  var red, green, blue: Double

  init(_ red: Double, _ green: Double, _ blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  init(_ color: SerializableColor) {
    self.init(Double(color.red), Double(color.green), Double(color.blue))
  }

  var greatest: Double { max(red, green, blue) }
  var least: Double { min(red, green, blue) }

  /// The hue in degrees, from 0 to less than 360; 0 for a gray.
  var hue: Double {
    let range = greatest - least
    if range == 0 { return 0 }
    let sixth =
      if greatest == red {
        (green - blue) / range + (green < blue ? 6 : 0)
      } else if greatest == green {
        (blue - red) / range + 2
      } else {
        (red - green) / range + 4
      }
    return sixth * 60
  }

  /// A color with these components.
  func color(_ alpha: Double, _ space: ColorSpace) throws(ColorError) -> SerializableColor {
    // Adding 0 turns -0.0 into 0.0.
    try SerializableColor(
      checking: Float(red) + 0, Float(green) + 0, Float(blue) + 0, alpha: Float(alpha), space)
  }
}

extension Double {
  /// An angle in degrees, from 0 to less than 360.
  var turned: Double {
    let rest = truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
  }
}
