#if canImport(UIKit)
  public import UIKit

  /// Conversion to and from UIKit.
  extension SerializableColor {
    /// Makes a color from a UIKit color, for example from a color picker. Display P3 stays Display
    /// P3; a dynamic color is resolved with the current traits.
    ///
    /// - Parameter strictly: whether a color of any other space is refused, as for a `CGColor`.
    /// - Throws: ``ColorError`` with `color.unconvertible` when the color has no
    ///   components, for example for a pattern, and with `strictly` for a color of any other space.
    public init(_ color: UIColor, strictly: Bool = false) throws(ColorError) {
      try self.init(color.cgColor, strictly: strictly)
    }

    /// The color as a UIKit color.
    ///
    /// - Throws: ``ColorError`` with `color.unknownSpace` when the color space is not known.
    public func uiColor() throws(ColorError) -> UIColor { UIColor(cgColor: try cgColor()) }
  }
#endif
