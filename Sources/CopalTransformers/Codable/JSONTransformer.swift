import CopalEssentials
public import CopalModel
public import CopalObjects

/// Stores a `Codable` value as JSON. The column is TEXT, so that other programs, and SQLite's JSON
/// functions, can read it.
///
/// ```swift
/// struct Sketch: Codable { var title: String; var strokes: [Double] }
/// try JSONTransformer<Sketch>("SketchTransformer").register()
/// ```
///
/// The keys are sorted, so that equal values have equal texts. Data is in Base64, a date is the
/// number of seconds since 2001-01-01T00:00:00Z, and the numbers that JSON does not have are the
/// texts `"NaN"`, `"Infinity"` and `"-Infinity"`.
///
/// Encoding throws the `EncodingError` of the value, and decoding the `DecodingError`.
/// ``PropertyListTransformer`` needs less space for data.
public struct JSONTransformer<Value: Codable>: AttributeTransformer, Equatable {
  /// The name that models use.
  public let name: TransformerName

  /// A transformer with the name that models use.
  public init(_ name: TransformerName) { self.name = name }

  /// The JSON of the value.
  ///
  /// - Throws: the `EncodingError` of the value.
  public func encode(_ value: Value) throws -> String {
    String(decoding: try JSONForm.encoder().encode(value), as: UTF8.self)
  }

  /// The value of the JSON.
  ///
  /// - Throws: the `DecodingError` of a text that is not JSON, or not of the type.
  public func decode(_ stored: String) throws -> Value {
    try JSONForm.decoder().decode(Value.self, from: Data(stored.utf8))
  }
}

/// How values are written as JSON.
private enum JSONForm {
  static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return encoder
  }

  static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return decoder
  }
}
