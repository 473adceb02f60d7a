public import CopalArchive

/// A value that a keyed archive can hold, for a ``SecureUnarchiveTransformer``.
///
/// Texts, numbers, Booleans, dates, data, URLs and UUIDs conform to it, and arrays, sets and
/// dictionaries of such values. A type of your own conforms to ``ArchivableObject``.
public protocol Archivable {
  /// The names of the classes that an archive of such a value may have. Empty for texts, numbers,
  /// dates, data, URLs and UUIDs, which are always allowed.
  static var archivedClassNames: Set<String> { get }

  /// The value as an archive has it.
  var archivedValue: ArchivedValue { get }

  /// The value of an archive.
  ///
  /// - Throws: `ArchiveError` with the code `archive.fieldForm` when it is another kind of value.
  init(archivedValue: ArchivedValue) throws
}

extension Archivable {
  /// None.
  public static var archivedClassNames: Set<String> { [] }
}

extension ArchivedValue {
  /// The error for a value of another kind.
  func mismatch(_ expected: String) -> ArchiveError {
    ArchiveError(.fieldForm, found: kind, expected: expected)
  }

  /// Whether the value has more than a number of levels.
  func isDeeper(than levels: Int) -> Bool {
    if levels == 0 { return true }
    return switch self {
    case .array(let elements), .set(let elements):
      elements.contains { $0.isDeeper(than: levels - 1) }
    case .dictionary(let pairs):
      pairs.contains { $0.key.isDeeper(than: levels - 1) || $0.value.isDeeper(than: levels - 1) }
    case .object(let object): object.fields.values.contains { $0.isDeeper(than: levels - 1) }
    default: false
    }
  }
}
