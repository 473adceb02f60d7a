#if canImport(CoreGraphics)
  import CoreFoundation
  public import CoreGraphics

  /// Conversion to and from Core Graphics.
  extension SerializableColor {
    /// Makes a color from a Core Graphics color.
    ///
    /// sRGB and Display P3, extended or not, keep their space and their components. Any other
    /// color (gray, CMYK, a device's, a linear one) is converted to extended sRGB.
    ///
    /// - Parameter strictly: whether a color of any other space is refused instead of converted.
    /// - Throws: ``ColorError`` with `color.unconvertible` when the color has no
    ///   components, for example for a pattern.
    public init(_ color: CGColor, strictly: Bool = false) throws(ColorError) {
      if let space = color.colorSpace.flatMap({ ColorSpace($0) }),
        let components = color.components, components.count == 4
      {
        try self.init(colorSpace: space, components: components.map { Float($0) })
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

    /// The color as a Core Graphics color in its own space, in the extended space when a component is outside
    /// 0...1.
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

  extension ColorSpace {
    /// The color space of Core Graphics; `nil` for a space without a number here.
    fileprivate init?(_ space: CGColorSpace) {
      guard let name = space.name else { return nil }
      func isOne(of names: CFString...) -> Bool { names.contains { CFEqual($0, name) } }
      if isOne(of: CGColorSpace.sRGB, CGColorSpace.extendedSRGB) {
        self = .sRGB
      } else if isOne(of: CGColorSpace.displayP3, CGColorSpace.extendedDisplayP3) {
        self = .displayP3
      } else {
        return nil
      }
    }
  }
#endif
