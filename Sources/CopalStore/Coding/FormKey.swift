import CopalModel

/// The only key of an object in the coded form of conditions and values: it says what the object
/// is.
struct FormKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// An object with one key.
struct FormObject {
  let container: KeyedDecodingContainer<FormKey>
  let key: FormKey

  /// - Returns: nil for everything that is not an object with exactly one key.
  init?(_ decoder: any Decoder) {
    guard let container = try? decoder.container(keyedBy: FormKey.self),
      container.allKeys.count == 1, let key = container.allKeys.first
    else { return nil }
    self.container = container
    self.key = key
  }

  var name: String { key.stringValue }

  /// The text of the key.
  ///
  /// - Throws: `DecodingError` with what was expected when there is no text.
  func text(_ expected: String) throws -> String {
    guard let text = try? container.decode(String.self, forKey: key) else {
      throw mistake(expected)
    }
    return text
  }

  /// The error that something else was expected at the key.
  func mistake(_ expected: String) -> DecodingError {
    DecodingError.dataCorruptedError(
      forKey: key, in: container, debugDescription: "expected \(expected)")
  }
}

extension Decoder {
  /// The error that something else was expected at this place.
  func mistake(_ expected: String) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(expected)"))
  }
}
