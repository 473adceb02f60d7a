// Mac Catalyst can import a part of AppKit, without NSColor.
#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  /// Conversion to and from AppKit.
  extension SerializableColor {
    /// Makes a color from an AppKit color, for example from a color well. Display P3 stays Display
    /// P3; a dynamic color is resolved with the current appearance.
    ///
    /// - Parameter strictly: whether a color of any other space is refused, as for a `CGColor`.
    /// - Throws: ``ColorError`` with `color.unconvertible` when the color has no
    ///   components, for example for a pattern, and with `strictly` for a color of any other space.
    public init(_ color: NSColor, strictly: Bool = false) throws(ColorError) {
      try self.init(color.cgColor, strictly: strictly)
    }

    /// The color as an AppKit color.
    ///
    /// - Throws: ``ColorError`` with `color.unknownSpace` when the color space is not known.
    public func nsColor() throws(ColorError) -> NSColor {
      guard let color = NSColor(cgColor: try cgColor()) else {
        throw ColorError(.unconvertible, found: "AppKit cannot represent it")
      }
      return color
    }
  }
#endif
