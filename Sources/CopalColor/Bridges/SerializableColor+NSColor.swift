// Mac Catalyst can import a part of AppKit, without NSColor.
#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  /// Conversion to and from AppKit.
  extension SerializableColor {
    /// Makes a color from an AppKit color, for example from a color well. Display P3 stays Display P3;
    /// a dynamic color is resolved with the current appearance.
    ///
    /// - Throws: ``ColorError`` with `color.unconvertible` when the color has no
    ///   components, for example for a pattern.
    public init(_ color: NSColor) throws(ColorError) { try self.init(color.cgColor) }

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
