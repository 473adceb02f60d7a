import CopalArchive
public import CopalEssentials
public import CopalModel
public import CopalObjects

/// Stores a set, with another transformer for its elements.
///
/// ```swift
/// let finishes = RawValueTransformer<Finish>("FinishTransformer")
/// try SetTransformer("PossibleFinishesTransformer", of: finishes).register()
/// ```
///
/// The stored form is the one of ``ArrayTransformer``, with the elements in the order of their
/// stored forms, so that equal sets have equal bytes. When two stored elements decode to equal
/// values, the set has one of them.
///
/// It throws the errors of ``ArrayTransformer``.
public struct SetTransformer<Element: AttributeTransformer>: AttributeTransformer
where Element.Value: Hashable {
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

  /// The property list of the set.
  ///
  /// - Throws: `transformer.encodedElement`.
  public func encode(_ values: Set<Element.Value>) throws -> Data {
    let elements = try values.map { try list.stored($0, at: "an element of the set") }
    return Data(PropertyListValue.array(elements.sorted { $0.precedes($1) }).binary())
  }

  /// The set of a property list.
  ///
  /// - Throws: an `ArchiveError`, `transformer.collectionForm` or `transformer.decodedElement`.
  public func decode(_ stored: Data) throws -> Set<Element.Value> {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The set of a property list, without a copy of the bytes.
  ///
  /// - Throws: as ``decode(_:)``.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> Set<Element.Value> {
    Set(try list.elements(bytes).enumerated().map { try list.value($1, at: "index \($0)") })
  }
}

extension SetTransformer: Equatable where Element: Equatable {
  /// Whether both have the same name and equal transformers for their elements.
  public static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.list.element == b.list.element
  }
}
