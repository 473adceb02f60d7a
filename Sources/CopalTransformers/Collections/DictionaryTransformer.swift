import CopalArchive
public import CopalEssentials
public import CopalModel
public import CopalObjects
import CopalStore

/// Stores a dictionary, with another transformer for its values. The keys are stored as texts.
///
/// ```swift
/// let colors = SerializableColorTransformer()
/// try DictionaryTransformer<String, _>("NamedColorsTransformer", of: colors).register()
/// ```
///
/// A key can have any type that can be made from its text again: `String`, the integers, or a type
/// of your own that conforms to `LosslessStringConvertible`. The stored form is a binary property
/// list: a dictionary in the order of its keys, so that equal dictionaries have equal bytes. An
/// empty dictionary is a value, not nil. The column is a BLOB.
///
/// Encoding throws `transformer.encodedElement` with the index of the pair, and
/// `transformer.equalKeys` when two keys have the same text. Decoding throws
/// `transformer.invalidText` for a text that is not a key, `transformer.decodedElement`, or an
/// `ArchiveError` for damaged bytes.
public struct DictionaryTransformer<
  Key: LosslessStringConvertible & Hashable, Element: AttributeTransformer
>: AttributeTransformer {
  /// The name that models use.
  public let name: TransformerName
  private let list: ElementList<Element>

  /// A transformer with the name that models use.
  ///
  /// - Parameter element: the transformer of the values. Its name is not used.
  public init(_ name: TransformerName, of element: Element) {
    self.name = name
    list = ElementList(element: element)
  }

  /// The property list of the dictionary.
  ///
  /// - Throws: `transformer.encodedElement` or `transformer.equalKeys`.
  public func encode(_ values: [Key: Element.Value]) throws -> Data {
    let sorted = values.map { (key: $0.key.description, value: $0.value) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    if let index = sorted.indices.dropFirst().first(where: { sorted[$0 - 1].key == sorted[$0].key })
    {
      throw PersistenceError(.equalKeys, found: Self.place(index), expected: "\(Key.self)")
    }
    let pairs = try sorted.enumerated().map { index, pair in
      (pair.key, try list.stored(pair.value, at: Self.place(index)))
    }
    return Data(PropertyListValue.dictionary(PropertyListDictionary(pairs)).binary())
  }

  /// Where a pair is. The key itself may be private.
  private static func place(_ index: Int) -> String { "index \(index) in the order of the keys" }

  /// The dictionary of a property list.
  ///
  /// - Throws: an `ArchiveError`, `transformer.collectionForm`, `transformer.invalidText` or
  ///   `transformer.decodedElement`.
  public func decode(_ stored: Data) throws -> [Key: Element.Value] {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The dictionary of a property list, without a copy of the bytes.
  ///
  /// - Throws: as ``decode(_:)``.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> [Key: Element.Value] {
    var values: [Key: Element.Value] = [:]
    for (index, (text, stored)) in try list.pairs(bytes).enumerated() {
      guard let key = Key(text) else {
        throw PersistenceError(.invalidText, expected: "\(Key.self)")
      }
      values[key] = try list.value(stored, at: Self.place(index))
    }
    return values
  }
}

extension DictionaryTransformer: Equatable where Element: Equatable {
  /// Whether both have the same name and equal transformers for their values.
  public static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.list.element == b.list.element
  }
}
