// https://developer.apple.com/documentation/uikit

public import CoreGraphics

public import class Foundation.NSObject

/// https://developer.apple.com/documentation/uikit/uicolor
open class UIColor: NSObject {
  public override init() {}

  /// https://developer.apple.com/documentation/uikit/uicolor/init(cgcolor:)-27r9g
  public init(cgColor: CGColor) {}

  /// https://developer.apple.com/documentation/uikit/uicolor/cgcolor
  open var cgColor: CGColor { fatalError() }
}
