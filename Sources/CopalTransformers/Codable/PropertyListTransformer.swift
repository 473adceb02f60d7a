import CopalArchive
public import CopalEssentials
public import CopalModel
public import CopalObjects

/// Stores a `Codable` value as a binary property list. The column is a BLOB.
///
/// Use it for values that contain bytes or dates, or that programs on Apple's platforms read as
/// property lists.
///
/// ```swift
/// struct Scan: Codable { var taken: Date; var pixels: Data }
/// try PropertyListTransformer<Scan>("ScanTransformer").register()
/// ```
///
/// The keys are sorted, so that equal values have equal bytes. The value must be encoded as a
/// dictionary or an array at the top: a struct, an array, a dictionary, but not a single number or
/// text.
///
/// Encoding throws the `EncodingError` of the value, and `archive.depth` for a value of more than
/// 512 collections inside each other. Decoding throws an `ArchiveError` for damaged bytes, before
/// Foundation reads them, and the `DecodingError` of the value.
public struct PropertyListTransformer<Value: Codable>: AttributeTransformer, Equatable {
  /// The name that models use.
  public let name: TransformerName

  /// A transformer with the name that models use.
  public init(_ name: TransformerName) { self.name = name }

  /// The property list of the value.
  ///
  /// - Throws: the `EncodingError` of the value, or `archive.depth`.
  public func encode(_ value: Value) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    // Foundation writes the keys in a random order.
    return Data(try checked(encoder.encode(value)).sortedByKeys.binary())
  }

  /// The value of a property list.
  ///
  /// - Throws: an `ArchiveError` for damaged bytes, or the `DecodingError` of the value.
  public func decode(_ stored: Data) throws -> Value {
    _ = try checked(stored)
    return try PropertyListDecoder().decode(Value.self, from: stored)
  }

  /// What the bytes contain. Every value takes at least one byte, unless collections are shared,
  /// which Copal does not write.
  private func checked(_ bytes: Data) throws -> PropertyListValue {
    try PropertyListValue(
      bytes, limits: ArchiveLimits(size: .max, count: bytes.count, depth: 512))
  }
}

extension PropertyListValue {
  /// The same value with the keys of its dictionaries in the order of their bytes.
  fileprivate var sortedByKeys: PropertyListValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sortedByKeys))
    case .dictionary(let dictionary):
      .dictionary(
        PropertyListDictionary(
          dictionary.pairs.map { ($0.key, $0.value.sortedByKeys) }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
    default: self
    }
  }
}
