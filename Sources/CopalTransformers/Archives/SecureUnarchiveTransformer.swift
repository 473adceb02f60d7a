public import CopalArchive
public import CopalEssentials
public import CopalModel
public import CopalObjects

/// Stores a value as a keyed archive, and reads only archives whose classes are all allowed: the
/// counterpart of `NSSecureUnarchiveFromDataTransformer`.
///
/// Use it for a file that an app on Apple's platforms wrote with Core Data, or will read. For new
/// data, `JSONTransformer` and `PropertyListTransformer` need less code.
///
/// ```swift
/// try SecureUnarchiveTransformer<[Brush]>("BrushesTransformer").register()
/// ```
///
/// The classes that are allowed follow from the type: `NSArray` and the class of `Brush` for
/// `[Brush]`. With `allowing:`, the list is exactly the given one. An archive that has another
/// class anywhere is refused with `archive.classNotAllowed` and its name, before anything of it is
/// made; if the container is what is missing, the error says so. Nothing is made with the run time
/// of Objective-C, and no bytes end the process.
///
/// Equal values have equal bytes, also sets and dictionaries. The layout is the one that Apple's
/// systems read.
public struct SecureUnarchiveTransformer<Value: Archivable>: AttributeTransformer, Equatable {
  /// The name that models use.
  public let name: TransformerName
  /// The names of the classes that archives may have.
  public let allowedClassNames: Set<String>
  /// How much an archive may ask for.
  public let limits: ArchiveLimits

  /// A transformer with the name that models use.
  ///
  /// - Parameters:
  ///   - classNames: the names of the classes that archives may have, the containers too; nil for
  ///     those that follow from the type.
  ///   - limits: how much an archive may ask for. Default: 64 MB, 131,072 values, 128 levels.
  public init(
    _ name: TransformerName, of type: Value.Type = Value.self,
    allowing classNames: Set<String>? = nil, limits: ArchiveLimits = .standard
  ) {
    self.name = name
    allowedClassNames = classNames ?? Value.archivedClassNames
    self.limits = limits
  }

  /// The archive of the value.
  ///
  /// - Throws: `ArchiveError` for a value that is above the limits, because it could not be read
  ///   again.
  public func encode(_ value: Value) throws -> Data {
    let archived = value.archivedValue
    let bytes = KeyedArchive.bytes(of: archived)
    // Each value takes a byte at least, so that most archives cannot be above the limit of values.
    if bytes.count >= min(limits.size, limits.count) || archived.isDeeper(than: limits.depth / 4) {
      _ = try KeyedArchive(bytes, limits: limits).root(
        allowing: Value.archivedClassNames.union(allowedClassNames))
    }
    return Data(bytes)
  }

  /// The value of an archive.
  ///
  /// - Throws: `ArchiveError`, and what the type throws.
  public func decode(_ stored: Data) throws -> Value {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The value of an archive, without a copy of the bytes.
  ///
  /// - Throws: as ``decode(_:)``.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> Value {
    let archive = try KeyedArchive(bytes: bytes, limits: limits)
    return try Value(archivedValue: archive.root(allowing: allowedClassNames))
  }
}
