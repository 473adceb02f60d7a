// https://developer.apple.com/documentation/swiftui

#if canImport(UIKit)
  public import UIKit
#else
  public import AppKit
#endif

/// https://developer.apple.com/documentation/swiftui/environmentvalues
public struct EnvironmentValues {
  public init() {}
}

/// https://developer.apple.com/documentation/swiftui/color
public struct Color: Hashable, Sendable {
  /// https://developer.apple.com/documentation/swiftui/color/rgbcolorspace
  public enum RGBColorSpace: Hashable, Sendable {
    case sRGB
    case sRGBLinear
    case displayP3
  }

  /// https://developer.apple.com/documentation/swiftui/color/init(_:red:green:blue:opacity:)
  public init(
    _ colorSpace: Color.RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double,
    opacity: Double = 1
  ) {}

  /// https://developer.apple.com/documentation/swiftui/color/resolve(in:)
  public func resolve(in environment: EnvironmentValues) -> Color.Resolved { fatalError() }

  /// https://developer.apple.com/documentation/swiftui/color/resolved
  public struct Resolved: Hashable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/color/resolved/red
    public var red: Float
    /// https://developer.apple.com/documentation/swiftui/color/resolved/green
    public var green: Float
    /// https://developer.apple.com/documentation/swiftui/color/resolved/blue
    public var blue: Float
    /// https://developer.apple.com/documentation/swiftui/color/resolved/opacity
    public var opacity: Float
  }
}

#if canImport(UIKit)
  extension UIColor {
    /// https://developer.apple.com/documentation/uikit/uicolor/init(_:)
    public convenience init(_ color: Color) { fatalError() }
  }
#else
  extension NSColor {
    /// https://developer.apple.com/documentation/appkit/nscolor/init(_:)
    public convenience init(_ color: Color) { fatalError() }
  }
#endif
