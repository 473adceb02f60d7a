/// A point in a plane. Use it where there is no `CGPoint`, or in models for all platforms.
///
/// ```swift
/// sheet.center = PlanePoint(x: 12, y: 7.5)
/// ```
public struct PlanePoint: PointValue, Hashable, Codable, Sendable {
  /// The horizontal coordinate.
  public var x: Double
  /// The vertical coordinate.
  public var y: Double

  /// A point with these coordinates.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// The size of something in a plane. Use it where there is no `CGSize`, or in models for all
/// platforms.
///
/// ```swift
/// sheet.format = PlaneSize(width: 210, height: 297)
/// ```
public struct PlaneSize: SizeValue, Hashable, Codable, Sendable {
  /// The horizontal length.
  public var width: Double
  /// The vertical length.
  public var height: Double

  /// A size with these lengths.
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

/// A rectangle in a plane. Use it where there is no `CGRect`, or in models for all platforms.
///
/// ```swift
/// sheet.frame = PlaneRectangle(x: 0, y: 0, width: 210, height: 297)
/// ```
public struct PlaneRectangle: RectangleValue, Hashable, Codable, Sendable {
  /// The corner that the size is measured from.
  public var origin: PlanePoint
  /// The width and the height. They may be negative.
  public var size: PlaneSize

  /// A rectangle with this origin and this size.
  public init(origin: PlanePoint, size: PlaneSize) { (self.origin, self.size) = (origin, size) }

  /// A rectangle with the origin (`x`, `y`).
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: PlanePoint(x: x, y: y), size: PlaneSize(width: width, height: height))
  }
}
