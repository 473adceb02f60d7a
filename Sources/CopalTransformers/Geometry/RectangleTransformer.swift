import CopalEssentials
public import CopalModel
public import CopalObjects

/// Stores a rectangle as a text such as `{{1, 2.5}, {210, 297}}`.
///
/// Use it for ``PlaneRectangle`` and `CGRect`, and for types of your own that conform to
/// ``RectangleValue``. The column is TEXT, so that people and other programs can read it.
///
/// ```swift
/// try RectangleTransformer<PlaneRectangle>("RectangleTransformer").register()
/// ```
///
/// The numbers are decimal, and exact: each is read back bit for bit, also negative zero and the
/// infinities (`inf` and `-inf`). The form is that of `NSStringFromCGRect`. Encoding throws
/// `transformer.notANumber` for NaN, because NaN equals no value, so that each save would write it
/// again. Decoding throws `transformer.invalidText` for another text.
public struct RectangleTransformer<Value: RectangleValue>: AttributeTransformer, Equatable {
  /// The name that models use.
  public let name: TransformerName

  /// A transformer with the name that models use.
  public init(_ name: TransformerName) { self.name = name }

  /// The text of the rectangle.
  ///
  /// - Throws: `transformer.notANumber` when a coordinate or length is NaN.
  public func encode(_ value: Value) throws -> String {
    let (origin, size) = (value.origin, value.size)
    let first = try GeometryText.text(origin.x, origin.y, of: Value.self)
    let second = try GeometryText.text(size.width, size.height, of: Value.self)
    return "{\(first), \(second)}"
  }

  /// The rectangle of a text.
  ///
  /// - Throws: `transformer.invalidText` when the text has another form.
  public func decode(_ stored: String) throws -> Value {
    try GeometryText.value(stored, example: "{{1, 2.5}, {210, 297}}") { Value(&$0) }
  }
}
