import CopalEssentials
public import CopalModel
public import CopalObjects

/// Stores a point as a text such as `{1, 2.5}`.
///
/// Use it for ``PlanePoint`` and `CGPoint`, and for types of your own that conform to
/// ``PointValue``. The column is TEXT, so that people and other programs can read it.
///
/// ```swift
/// try PointTransformer<PlanePoint>("PointTransformer").register()
/// ```
///
/// The numbers are decimal, and exact: each is read back bit for bit, also negative zero and the
/// infinities (`inf` and `-inf`). The form is that of `NSStringFromCGPoint`. Encoding throws
/// `transformer.notANumber` for NaN, because NaN equals no value, so that each save would write it
/// again. Decoding throws `transformer.invalidText` for another text.
public struct PointTransformer<Value: PointValue>: AttributeTransformer, Equatable {
  /// The name that models use.
  public let name: TransformerName

  /// A transformer with the name that models use.
  public init(_ name: TransformerName) { self.name = name }

  /// The text of the point.
  ///
  /// - Throws: `transformer.notANumber` when a coordinate is NaN.
  public func encode(_ value: Value) throws -> String {
    try GeometryText.text(value.x, value.y, of: Value.self)
  }

  /// The point of a text.
  ///
  /// - Throws: `transformer.invalidText` when the text has another form.
  public func decode(_ stored: String) throws -> Value {
    try GeometryText.value(stored, example: "{1, 2.5}") { Value(&$0) }
  }
}
