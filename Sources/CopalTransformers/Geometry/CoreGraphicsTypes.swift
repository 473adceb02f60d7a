#if canImport(CoreGraphics)
  public import CoreGraphics

  extension CGPoint: PointValue {
    /// The type of the coordinates.
    public typealias Scalar = CGFloat
  }

  extension CGSize: SizeValue {
    /// The type of the lengths.
    public typealias Scalar = CGFloat
  }

  extension CGRect: RectangleValue {
    /// The type of the origin.
    public typealias Origin = CGPoint
    /// The type of the size.
    public typealias Size = CGSize
  }
#endif
