/// Reading property lists.
extension ArchiveError.Code {
  /// The bytes are neither a binary property list nor one in XML.
  public static let notPropertyList = Self("archive.notPropertyList")
  /// The bytes end before the end of a value.
  public static let truncated = Self("archive.truncated")
  /// The last 32 bytes of a binary property list, its trailer, do not fit the rest.
  public static let trailer = Self("archive.trailer")
  /// A value refers to one that does not exist.
  public static let reference = Self("archive.reference")
  /// A collection contains itself.
  public static let cycle = Self("archive.cycle")
  /// Texts or data use the same bytes.
  public static let overlap = Self("archive.overlap")
  /// A value has a kind, or a size, that property lists do not have.
  public static let valueKind = Self("archive.valueKind")
  /// A text has bytes that are not of its encoding.
  public static let text = Self("archive.text")
  /// A key of a dictionary is not a text, or is there twice.
  public static let key = Self("archive.key")
  /// The XML of a property list has a mistake, or a part that property lists do not have.
  public static let xml = Self("archive.xml")
  /// The input has more bytes than ``ArchiveLimits/size``.
  public static let size = Self("archive.size")
  /// The tree has more values than ``ArchiveLimits/count``.
  public static let count = Self("archive.count")
  /// The tree is deeper than ``ArchiveLimits/depth``.
  public static let depth = Self("archive.depth")
}

/// Reading keyed archives.
extension ArchiveError.Code {
  /// The property list is not a keyed archive.
  public static let notKeyedArchive = Self("archive.notKeyedArchive")
  /// The keyed archive has a version that this version of Copal cannot read.
  public static let archiveVersion = Self("archive.version")
  /// A part of the archive, or an object in it, does not have the form of keyed archives.
  public static let archiveForm = Self("archive.form")
  /// The archive has nothing under the key that was asked for.
  public static let missingKey = Self("archive.missingKey")
  /// An object refers to one that does not exist.
  public static let objectReference = Self("archive.objectReference")
  /// An object contains itself.
  public static let objectCycle = Self("archive.objectCycle")
  /// The archive has an object of a class that is not allowed. Nothing of the archive was read.
  public static let classNotAllowed = Self("archive.classNotAllowed")
  /// An object of a class of Foundation does not have the fields of its class.
  public static let fieldForm = Self("archive.fieldForm")
}

/// Writing property lists.
extension ArchiveError.Code {
  /// The form of the property list, XML, cannot express a value.
  public static let inexpressible = Self("archive.inexpressible")
}

extension ArchiveError.Code {
  /// The codes of archives; a test compares `Docs/Errors.md` with this list.
  package static let all: [Self] = [
    .notPropertyList, .truncated, .trailer, .reference, .cycle, .overlap, .valueKind, .text, .key,
    .xml, .size, .count, .depth, .notKeyedArchive, .archiveVersion, .archiveForm, .missingKey,
    .objectReference, .objectCycle, .classNotAllowed, .fieldForm, .inexpressible,
  ]
}
