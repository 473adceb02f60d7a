import CopalModel
import CopalStore

/// The stored forms of points, sizes and rectangles.
enum GeometryText {
  /// Two numbers in braces.
  ///
  /// - Throws: `transformer.notANumber`.
  static func text<Scalar: BinaryFloatingPoint>(
    _ first: Scalar, _ second: Scalar, of type: Any.Type
  )
    throws -> String
  {
    guard let first = NumberText.text(first), let second = NumberText.text(second) else {
      throw PersistenceError(.transformerNotANumber, expected: "\(type)")
    }
    return "{\(first), \(second)}"
  }

  /// What `read` makes of a whole text.
  ///
  /// - Throws: `transformer.invalidText` when `read` returns nil, or does not read all of it.
  static func value<Value>(
    _ text: String, example: String, _ read: (inout PairReader) -> Value?
  ) throws -> Value {
    var reader = PairReader(text)
    guard let value = read(&reader), reader.isAtEnd() else {
      throw PersistenceError(.invalidText, expected: "\(Value.self), such as \(example)")
    }
    return value
  }
}

extension PointValue {
  /// Reads a point; nil when the text has another form.
  init?(_ reader: inout PairReader) {
    guard let (x, y) = reader.pair(of: Scalar.self) else { return nil }
    self.init(x: x, y: y)
  }
}

extension SizeValue {
  /// Reads a size; nil when the text has another form.
  init?(_ reader: inout PairReader) {
    guard let (width, height) = reader.pair(of: Scalar.self) else { return nil }
    self.init(width: width, height: height)
  }
}

extension RectangleValue {
  /// Reads a rectangle; nil when the text has another form.
  init?(_ reader: inout PairReader) {
    guard reader.take("{"), let origin = Origin(&reader), reader.take(","),
      let size = Size(&reader), reader.take("}")
    else { return nil }
    self.init(origin: origin, size: size)
  }
}
