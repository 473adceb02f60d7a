#if canImport(SwiftUI)
  #if canImport(UIKit)
    import UIKit
  #elseif canImport(AppKit)
    import AppKit
  #endif
  public import SwiftUI

  /// Conversion to and from SwiftUI.
  extension SerializableColor {
    /// Makes a color from a SwiftUI color, for example from a `ColorPicker`. Display P3 stays
    /// Display P3.
    ///
    /// It uses UIKit's or AppKit's color, because a named color may have no `CGColor`.
    ///
    /// - Parameter strictly: whether a color of any other space is refused, as for a `CGColor`.
    /// - Throws: ``ColorError`` with `color.unconvertible` when the color has no components, and
    ///   with `strictly` for a color of any other space.
    public init(_ color: Color, strictly: Bool = false) throws(ColorError) {
      #if canImport(UIKit)
        try self.init(UIColor(color), strictly: strictly)
      #else
        try self.init(NSColor(color), strictly: strictly)
      #endif
    }

    /// Makes a color from a SwiftUI color as an environment shows it, light or dark. The result is
    /// extended sRGB, because SwiftUI resolves colors to it.
    ///
    /// - Throws: ``ColorError`` with `color.notFinite` when a component is NaN or infinite.
    public init(_ color: Color, in environment: EnvironmentValues) throws(ColorError) {
      try self.init(color.resolve(in: environment))
    }

    /// Makes a color from a resolved SwiftUI color, bit for bit.
    ///
    /// - Throws: ``ColorError`` with `color.notFinite` when a component is NaN or infinite.
    public init(_ color: Color.Resolved) throws(ColorError) {
      try self.init(
        colorSpace: .sRGB, components: [color.red, color.green, color.blue, color.opacity])
    }

    /// The color as a SwiftUI color.
    ///
    /// - Throws: ``ColorError`` with `color.unknownSpace` when the color space is not known.
    public func swiftUIColor() throws(ColorError) -> Color {
      guard colorSpace.isKnown else { throw .unknownSpace(colorSpace) }
      return Color(
        colorSpace == .displayP3 ? .displayP3 : .sRGB, red: Double(red), green: Double(green),
        blue: Double(blue), opacity: Double(alpha))
    }
  }
#endif
