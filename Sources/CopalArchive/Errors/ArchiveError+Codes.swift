import CopalEssentials

/// Reading property lists.
extension ArchiveError.Code {
  /// The bytes are neither a binary property list nor one in XML.
  public static let notPropertyList = Self(
    "archive.notPropertyList",
    "the bytes are neither a binary property list nor XML: they begin with {found}; check which transformer wrote them"
  )
  /// The bytes end before the end of a value.
  public static let truncated = Self(
    "archive.truncated",
    "the property list ends too early: the bytes of {expected}{place} are more than there are; {restore}"
  )
  /// The last 32 bytes of a binary property list, its trailer, do not fit the rest.
  public static let trailer = Self(
    "archive.trailer",
    "the last 32 bytes of the binary property list are damaged: {expected}, but it is {found}; {restore}"
  )
  /// A value refers to one that does not exist.
  public static let reference = Self(
    "archive.reference",
    "a collection{place} refers to the value {found}, but the property list has {expected}; {restore}"
  )
  /// A collection contains itself.
  public static let cycle = Self(
    "archive.cycle", "the collection{place} contains itself; {restore}")
  /// Texts or data use the same bytes.
  public static let overlap = Self(
    "archive.overlap",
    "the binary property list is damaged: the bytes of the value{place} are those of other values, too; {restore}"
  )
  /// A value has a kind, or a size, that property lists do not have.
  public static let valueKind = Self("archive.valueKind", "the value{place} has {found}; {restore}")
  /// A text has bytes that are not of its encoding.
  public static let text = Self(
    "archive.text", "the text{place} is not valid {expected}; {restore}")
  /// A key of a dictionary is not a text, or is there twice.
  public static let key = Self(
    "archive.key", "a key of the dictionary{place} is {found}; {expected}")
  /// The XML of a property list has a mistake, or a part that property lists do not have.
  public static let xml = Self(
    "archive.xml",
    "the XML of the property list is not valid: expected {expected}{place}, found {found}")
  /// The input has more bytes than ``ArchiveLimits/size``.
  public static let size = Self(
    "archive.size",
    "the input has {found} bytes, and the limit is {expected}; if you trust it, set a greater limit: ArchiveLimits(size:)"
  )
  /// The tree has more values than ``ArchiveLimits/count``.
  public static let count = Self(
    "archive.count",
    "the property list has more than {expected} values; if you trust it, set a greater limit: ArchiveLimits(count:)"
  )
  /// The tree is deeper than ``ArchiveLimits/depth``.
  public static let depth = Self(
    "archive.depth",
    "more than {expected} {collections} inside another; if you trust the input, set a greater limit: ArchiveLimits(depth:)"
  )
}

/// Reading keyed archives.
extension ArchiveError.Code {
  /// The property list is not a keyed archive.
  public static let notKeyedArchive = Self(
    "archive.notKeyedArchive",
    #"the property list is not a keyed archive: it is {found} without "$archiver": "NSKeyedArchiver"; check which transformer wrote it"#
  )
  /// The keyed archive has a version that this version of Copal cannot read.
  public static let archiveVersion = Self(
    "archive.version",
    "the keyed archive has the version {found}; this version of Copal reads {expected}")
  /// A part of the archive, or an object in it, does not have the form of keyed archives.
  public static let archiveForm = Self(
    "archive.form", "the keyed archive is damaged: {found} must be {expected}; {restore}")
  /// The archive has nothing under the key that was asked for.
  public static let missingKey = Self(
    "archive.missingKey",
    "the keyed archive has nothing under the key '{expected}'; it has: {found}")
  /// An object refers to one that does not exist.
  public static let objectReference = Self(
    "archive.objectReference",
    "the keyed archive is damaged: {object} refers to the object {found}, but there are {expected}; {restore}"
  )
  /// An object contains itself.
  public static let objectCycle = Self(
    "archive.objectCycle",
    "{object} of the keyed archive, of the class {found}, contains itself; Copal reads trees without cycles"
  )
  /// The archive has an object of a class that is not allowed. Nothing of the archive was read.
  public static let classNotAllowed = Self(
    "archive.classNotAllowed",
    #"the keyed archive has an object of the {kind} {found}, which is not allowed; {allowed}; if you expect {it}, add "{found}" to the allowed classes"#
  )
  /// An object of a class of Foundation does not have the fields of its class.
  public static let fieldForm = Self(
    "archive.fieldForm",
    "the keyed archive is damaged: {object} of the class {class} must have {expected} under the key '{key}', but has {found}; {restore}"
  )
}

/// Writing property lists.
extension ArchiveError.Code {
  /// The form of the property list, XML, cannot express a value.
  public static let inexpressible = Self(
    "archive.inexpressible", "XML cannot express {found}; write a binary property list")
}

extension ArchiveError.Code {
  /// The codes of archives; a test compares `Docs/Errors.md` with this list.
  package static let all: [Self] = [
    .notPropertyList, .truncated, .trailer, .reference, .cycle, .overlap, .valueKind, .text, .key,
    .xml, .size, .count, .depth, .notKeyedArchive, .archiveVersion, .archiveForm, .missingKey,
    .objectReference, .objectCycle, .classNotAllowed, .fieldForm, .inexpressible,
  ]
}
