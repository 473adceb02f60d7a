#if canImport(CoreGraphics)
  import CoreFoundation
  public import CoreGraphics

  /// Conversion to and from Core Graphics.
  extension SerializableColor {
    /// Makes a color from a Core Graphics color.
    ///
    /// These spaces are known by their names, and converted exactly: sRGB and Display P3, extended
    /// or not, which keep their components; their linear forms, by the transfer function; and gray
    /// with gamma 2.2, extended or not. Core Graphics converts a color of any other space (CMYK, a
    /// device's, one with a profile) to extended sRGB.
    ///
    /// - Parameter strictly: whether a color of any other space is refused instead of converted.
    /// - Throws: ``ColorError`` with `color.unconvertible` when the color has no components, for
    ///   example for a pattern, and with `strictly` for a color of any other space; with
    ///   `color.notFinite` when a component is NaN or infinite.
    public init(_ color: CGColor, strictly: Bool = false) throws(ColorError) {
      if let space = color.colorSpace.flatMap({ KnownSpace($0) }),
        let components = color.components, components.count == space.componentCount
      {
        try self.init(colorSpace: space.colorSpace, components: space.encoded(components))
        return
      }
      if strictly {
        throw ColorError(.unconvertible, found: "its color space is neither sRGB nor Display P3")
      }
      guard let sRGB = CGColorSpace(name: CGColorSpace.extendedSRGB),
        let converted = color.converted(to: sRGB, intent: .defaultIntent, options: nil),
        let components = converted.components, components.count == 4
      else {
        throw ColorError(.unconvertible, found: "Core Graphics cannot convert it to sRGB")
      }
      try self.init(colorSpace: .sRGB, components: components.map { Float($0) })
    }

    /// The color as a Core Graphics color in its own space, in the extended space when a component
    /// is outside 0...1.
    ///
    /// - Throws: ``ColorError`` with `color.unknownSpace` when the color space is not known.
    public func cgColor() throws(ColorError) -> CGColor {
      let extended = try !isInGamut(of: colorSpace)
      let name: CFString =
        switch (colorSpace, extended) {
        case (.displayP3, false): CGColorSpace.displayP3
        case (.displayP3, true): CGColorSpace.extendedDisplayP3
        case (_, false): CGColorSpace.sRGB
        case (_, true): CGColorSpace.extendedSRGB
        }
      guard let space = CGColorSpace(name: name),
        let color = CGColor(colorSpace: space, components: components.map { CGFloat($0) })
      else {
        throw ColorError(
          .unconvertible, found: "Core Graphics does not have the color space \(colorSpace)")
      }
      return color
    }
  }

  /// A color space of Core Graphics whose colors can be converted exactly.
  private struct KnownSpace {
    let colorSpace: ColorSpace
    var isLinear = false
    var isGray = false

    /// The space by its name; `nil` for any other one.
    init?(_ space: CGColorSpace) {
      guard let name = space.name else { return nil }
      func isOne(of names: CFString...) -> Bool { names.contains { CFEqual($0, name) } }
      if isOne(of: CGColorSpace.sRGB, CGColorSpace.extendedSRGB) {
        colorSpace = .sRGB
      } else if isOne(of: CGColorSpace.displayP3, CGColorSpace.extendedDisplayP3) {
        colorSpace = .displayP3
      } else if isOne(of: CGColorSpace.linearSRGB, CGColorSpace.extendedLinearSRGB) {
        (colorSpace, isLinear) = (.sRGB, true)
      } else if isOne(of: CGColorSpace.linearDisplayP3, CGColorSpace.extendedLinearDisplayP3) {
        (colorSpace, isLinear) = (.displayP3, true)
      } else if isOne(of: CGColorSpace.genericGrayGamma2_2, CGColorSpace.extendedGray) {
        (colorSpace, isGray) = (.sRGB, true)
      } else {
        return nil
      }
    }

    var componentCount: Int { isGray ? 2 : 4 }

    /// Red, green, blue and alpha in the form of ``colorSpace``. Only alpha is stored as it is in
    /// each space.
    func encoded(_ components: [CGFloat]) -> [Float] {
      let colors = components.dropLast().map {
        Float(isLinear ? SRGBTransfer.encoded(Double($0)) : Double($0))
      }
      return (isGray ? [colors[0], colors[0], colors[0]] : colors)
        + components.suffix(1).map { Float($0) }
    }
  }
#endif
