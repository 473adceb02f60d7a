// https://developer.apple.com/documentation/coregraphics

public import CoreFoundation

// Foundation of Linux has these types; Apple's Core Graphics has them itself.
@_exported import struct Foundation.CGFloat
@_exported import struct Foundation.CGPoint
@_exported import struct Foundation.CGRect
@_exported import struct Foundation.CGSize

/// https://developer.apple.com/documentation/coregraphics/cgcolorrenderingintent
public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent = 0
  case absoluteColorimetric = 1
  case relativeColorimetric = 2
  case perceptual = 3
  case saturation = 4
}

/// https://developer.apple.com/documentation/coregraphics/cgcolorspace
public class CGColorSpace {
  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/init(name:)
  public init?(name: CFString) { return nil }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/name
  public var name: CFString? { nil }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/srgb
  public class var sRGB: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/extendedsrgb
  public class var extendedSRGB: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/linearsrgb
  public class var linearSRGB: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/extendedlinearsrgb
  public class var extendedLinearSRGB: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/displayp3
  public class var displayP3: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/extendeddisplayp3
  public class var extendedDisplayP3: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/lineardisplayp3
  public class var linearDisplayP3: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/extendedlineardisplayp3
  public class var extendedLinearDisplayP3: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/genericgraygamma2_2
  public class var genericGrayGamma2_2: CFString { fatalError() }

  /// https://developer.apple.com/documentation/coregraphics/cgcolorspace/extendedgray
  public class var extendedGray: CFString { fatalError() }
}

/// https://developer.apple.com/documentation/coregraphics/cgcolor
public class CGColor {
  /// https://developer.apple.com/documentation/coregraphics/cgcolor/init(colorspace:components:)
  public init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) { return nil }

  /// https://developer.apple.com/documentation/coregraphics/cgcolor/colorspace
  public var colorSpace: CGColorSpace? { nil }

  /// https://developer.apple.com/documentation/coregraphics/cgcolor/components
  public var components: [CGFloat]? { nil }

  /// https://developer.apple.com/documentation/coregraphics/cgcolor/converted(to:intent:options:)
  public func converted(
    to _: CGColorSpace, intent: CGColorRenderingIntent, options: CFDictionary?
  ) -> CGColor? { nil }
}
