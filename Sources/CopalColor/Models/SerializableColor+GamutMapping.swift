/// Finding a similar color that a space can show.
///
/// Source: CSS Color Module Level 4, section "Sample Pseudocode for the Binary Search Gamut Mapping
/// Algorithm with Local MINDE", <https://www.w3.org/TR/css-color-4/#binsearch>.
extension SerializableColor {
  /// The most similar color that a space can show: with the same lightness and hue, and with less
  /// chroma.
  ///
  /// A color that the space can show is converted only. ``clamped()`` is faster, but can change the
  /// hue.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`.
  public func mappedToGamut(of space: ColorSpace) throws(ColorError) -> SerializableColor {
    if try isInGamut(of: space) { return try converted(to: space) }
    let origin = try OKLCH(self)
    if origin.lightness >= 1 { return Self.gray(1, alpha, space) }
    if origin.lightness <= 0 { return Self.gray(0, alpha, space) }
    let limited = try origin.color(in: space).clamped()
    if try Self.difference(limited, origin) < Self.noticeable { return limited }
    return try Self.searchedChroma(of: origin, in: space)
  }

  /// The search: the chroma is halved until the limited color is just not noticeably different.
  private static func searchedChroma(of origin: OKLCH, in space: ColorSpace) throws(ColorError)
    -> SerializableColor
  {
    var (low, high) = (0.0, origin.chroma)
    var isLowInGamut = true
    var current = origin
    var limited = try origin.color(in: space).clamped()
    while high - low > 0.0001 {
      current.chroma = (low + high) / 2
      let color = try current.color(in: space)
      if isLowInGamut, try color.isInGamut(of: space) {
        low = current.chroma
        continue
      }
      limited = try color.clamped()
      let difference = try Self.difference(limited, current)
      if difference >= noticeable {
        high = current.chroma
        continue
      }
      if noticeable - difference < 0.0001 { return limited }
      isLowInGamut = false
      low = current.chroma
    }
    return limited
  }

  private static let noticeable = 0.02

  private static func difference(_ color: SerializableColor, _ lch: OKLCH) throws(ColorError)
    -> Double
  {
    try OKLab(color).difference(from: lch.lab)
  }

  private static func gray(_ white: Float, _ alpha: Float, _ space: ColorSpace)
    -> SerializableColor
  {
    SerializableColor(finite: white, white, white, alpha: alpha, space)
  }
}
