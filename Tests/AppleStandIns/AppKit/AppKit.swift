// https://developer.apple.com/documentation/appkit

public import CoreGraphics

public import class Foundation.NSObject

/// https://developer.apple.com/documentation/appkit/nscolor
open class NSColor: NSObject {
  public override init() {}

  /// https://developer.apple.com/documentation/appkit/nscolor/init(cgcolor:)-1hzl8
  public init?(cgColor: CGColor) { return nil }

  /// https://developer.apple.com/documentation/appkit/nscolor/cgcolor
  open var cgColor: CGColor { fatalError() }
}
