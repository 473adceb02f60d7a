import CopalEssentials
public import CopalModel
public import CopalObjects

/// Stores a size as a text such as `{210, 297}`.
///
/// Use it for ``PlaneSize`` and `CGSize`, and for types of your own that conform to ``SizeValue``.
/// The column is TEXT, so that people and other programs can read it.
///
/// ```swift
/// try SizeTransformer<PlaneSize>("SizeTransformer").register()
/// ```
///
/// The numbers are decimal, and exact: each is read back bit for bit, also negative zero and the
/// infinities (`inf` and `-inf`). The form is that of `NSStringFromCGSize`. Encoding throws
/// `transformer.notANumber` for NaN, because NaN equals no value, so that each save would write it
/// again. Decoding throws `transformer.invalidText` for another text.
public struct SizeTransformer<Value: SizeValue>: AttributeTransformer, Equatable {
  /// The name that models use.
  public let name: TransformerName

  /// A transformer with the name that models use.
  public init(_ name: TransformerName) { self.name = name }

  /// The text of the size.
  ///
  /// - Throws: `transformer.notANumber` when a length is NaN.
  public func encode(_ value: Value) throws -> String {
    try GeometryText.text(value.width, value.height, of: Value.self)
  }

  /// The size of a text.
  ///
  /// - Throws: `transformer.invalidText` when the text has another form.
  public func decode(_ stored: String) throws -> Value {
    try GeometryText.value(stored, example: "{210, 297}") { Value(&$0) }
  }
}
