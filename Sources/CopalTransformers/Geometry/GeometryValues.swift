/// A point that ``PointTransformer`` can store.
///
/// ``PlanePoint`` conforms to it, and `CGPoint` where there is CoreGraphics. Another type with
/// these members needs one line; so does the `CGPoint` of Foundation on Linux:
///
/// ```swift
/// extension CGPoint: @retroactive PointValue {}
/// ```
public protocol PointValue {
  /// The type of the coordinates. `Double` must be able to represent each of its values.
  associatedtype Scalar: BinaryFloatingPoint
  /// The horizontal coordinate.
  var x: Scalar { get }
  /// The vertical coordinate.
  var y: Scalar { get }
  /// A point with these coordinates.
  init(x: Scalar, y: Scalar)
}

/// A size that ``SizeTransformer`` can store.
///
/// ``PlaneSize`` conforms to it, and `CGSize` where there is CoreGraphics. Another type with these
/// members needs one line, as for ``PointValue``.
public protocol SizeValue {
  /// The type of the lengths. `Double` must be able to represent each of its values.
  associatedtype Scalar: BinaryFloatingPoint
  /// The horizontal length.
  var width: Scalar { get }
  /// The vertical length.
  var height: Scalar { get }
  /// A size with these lengths.
  init(width: Scalar, height: Scalar)
}

/// A rectangle that ``RectangleTransformer`` can store.
///
/// ``PlaneRectangle`` conforms to it, and `CGRect` where there is CoreGraphics. Another type with
/// these members needs one line, as for ``PointValue``.
public protocol RectangleValue {
  /// The type of the origin.
  associatedtype Origin: PointValue
  /// The type of the size.
  associatedtype Size: SizeValue
  /// The corner that the size is measured from.
  var origin: Origin { get }
  /// The width and the height. They may be negative.
  var size: Size { get }
  /// A rectangle with this origin and this size.
  init(origin: Origin, size: Size)
}
