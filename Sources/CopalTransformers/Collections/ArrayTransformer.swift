import CopalArchive
public import CopalEssentials
public import CopalModel
public import CopalObjects

/// Stores an array, with another transformer for its elements.
///
/// ```swift
/// let finishes = RawValueTransformer<Finish>("FinishTransformer")
/// try ArrayTransformer("FinishesTransformer", of: finishes).register()
/// ```
///
/// The stored form is a binary property list: an array of the stored forms of the elements, in
/// their order. An empty array is a value, not nil. The column is a BLOB.
///
/// Encoding throws `transformer.encodedElement` with the index of the element; decoding throws
/// `transformer.decodedElement`, or an `ArchiveError` for damaged bytes. The causes have the error
/// of the element's transformer.
public struct ArrayTransformer<Element: AttributeTransformer>: AttributeTransformer {
  /// The name that models use.
  public let name: TransformerName
  private let list: ElementList<Element>

  /// A transformer with the name that models use.
  ///
  /// - Parameter element: the transformer of the elements. Its name is not used.
  public init(_ name: TransformerName, of element: Element) {
    self.name = name
    list = ElementList(element: element)
  }

  /// The property list of the array.
  ///
  /// - Throws: `transformer.encodedElement`.
  public func encode(_ values: [Element.Value]) throws -> Data {
    let elements = try values.enumerated().map { try list.stored($1, at: "index \($0)") }
    return Data(PropertyListValue.array(elements).binary())
  }

  /// The array of a property list.
  ///
  /// - Throws: an `ArchiveError`, `transformer.collectionForm` or `transformer.decodedElement`.
  public func decode(_ stored: Data) throws -> [Element.Value] {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The array of a property list, without a copy of the bytes.
  ///
  /// - Throws: as ``decode(_:)``.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> [Element.Value] {
    try list.elements(bytes).enumerated().map { try list.value($1, at: "index \($0)") }
  }
}

extension ArrayTransformer: Equatable where Element: Equatable {
  /// Whether both have the same name and equal transformers for their elements.
  public static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.list.element == b.list.element
  }
}
