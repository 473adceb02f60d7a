/// CIE XYZ with the white point D65, between the color spaces.
extension SerializableColor {
  /// The color in CIE XYZ.
  func xyz() throws(ColorError) -> SIMD3<Double> {
    let primaries: RGBPrimaries
    switch colorSpace {
    case .sRGB: primaries = .sRGB
    case .displayP3: primaries = .displayP3
    default: throw .unknownSpace(colorSpace)
    }
    return primaries.xyzMatrix
      * SIMD3(
        SRGBTransfer.linear(Double(red)), SRGBTransfer.linear(Double(green)),
        SRGBTransfer.linear(Double(blue)))
  }

  /// The color of CIE XYZ.
  init(xyz: SIMD3<Double>, alpha: Double, in space: ColorSpace) throws(ColorError) {
    let primaries: RGBPrimaries
    switch space {
    case .sRGB: primaries = .sRGB
    case .displayP3: primaries = .displayP3
    default: throw .unknownSpace(space)
    }
    let linear = primaries.rgbMatrix * xyz
    self = try RGBComponents(
      SRGBTransfer.encoded(linear.x), SRGBTransfer.encoded(linear.y),
      SRGBTransfer.encoded(linear.z)
    ).color(alpha, space)
  }
}
