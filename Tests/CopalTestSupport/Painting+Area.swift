import Copal

extension Painting {
  /// The area of the picture, worked out when it is read and kept until a length changes.
  public var areaSquareMillimetres: Int64? {
    get {
      if let known = primitiveAreaSquareMillimetres { return known }
      let area = Int64(widthMillimetres) * Int64(heightMillimetres)
      primitiveAreaSquareMillimetres = area
      return area
    }
    set {
      primitiveAreaSquareMillimetres = newValue
      didChangeValue(forKey: PropertyNames.areaSquareMillimetres)
    }
  }
}
