#if canImport(UIKit)
  public import UIKit

  /// Conversion to and from UIKit.
  extension SerializableColor {
    /// Makes a color from a UIKit color, for example from a color picker. Display P3 stays Display P3;
    /// a dynamic color is resolved with the current traits.
    ///
    /// - Throws: ``ColorError`` with `color.unconvertible` when the color has no
    ///   components, for example for a pattern.
    public init(_ color: UIColor) throws(ColorError) { try self.init(color.cgColor) }

    /// The color as a UIKit color.
    ///
    /// - Throws: ``ColorError`` with `color.unknownSpace` when the color space is not known.
    public func uiColor() throws(ColorError) -> UIColor { UIColor(cgColor: try cgColor()) }
  }
#endif
