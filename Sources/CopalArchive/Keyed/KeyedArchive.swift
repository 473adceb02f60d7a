/// A keyed archive, as `NSKeyedArchiver` writes it: a property list with a table of objects that
/// refer to each other.
///
/// Reading one makes no object of any class. It gives a tree of plain values (``ArchivedValue``),
/// and only if every class in it is allowed.
///
/// ```swift
/// let archive = try KeyedArchive(bytes)
/// let color = try archive.root(allowing: ["NSColor"])
/// print(color.object?["NSColorSpace"]?.integer ?? 0)
/// ```
///
/// The format is that of the open source of Foundation:
/// <https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/Foundation/NSKeyedArchiver.swift>.
public struct KeyedArchive: Sendable {
  /// The table of objects. The first one stands for nil.
  let objects: [PropertyListValue]
  /// What was encoded at the top, by key. Most archives have only `root`.
  let top: PropertyListDictionary
  let limits: ArchiveLimits

  /// The archive that some bytes hold, in a binary property list or in XML.
  ///
  /// - Throws: ``ArchiveError`` for bytes that are not a keyed archive, and for those that are
  ///   above a limit.
  public init(_ bytes: some Collection<UInt8>, limits: ArchiveLimits = .standard)
    throws(ArchiveError)
  {
    try self.init(PropertyListValue(bytes, limits: limits), limits: limits)
  }

  /// The archive that some bytes hold, without a copy of the bytes.
  ///
  /// - Throws: ``ArchiveError``, as ``init(_:limits:)``.
  public init(bytes: UnsafeRawBufferPointer, limits: ArchiveLimits = .standard)
    throws(ArchiveError)
  {
    try self.init(PropertyListValue(bytes: bytes, limits), limits: limits)
  }

  /// The archive that a property list holds.
  ///
  /// - Throws: ``ArchiveError`` for a property list that is not a keyed archive.
  public init(_ list: PropertyListValue, limits: ArchiveLimits = .standard) throws(ArchiveError) {
    guard let archiver = list["$archiver"]?.string, archiver == "NSKeyedArchiver" else {
      let found = list["$archiver"] == nil ? list.kind : "another archiver"
      throw ArchiveError(.notKeyedArchive, found: found)
    }
    guard list["$version"]?.integer == Self.version else {
      let found = list["$version"]?.integer.map { "\($0)" } ?? "no integer"
      throw ArchiveError(.archiveVersion, found: found, expected: "\(Self.version)")
    }
    guard let objects = list["$objects"]?.array, objects.first?.string == Self.null else {
      throw ArchiveError(
        .archiveForm, found: "$objects", expected: "an array that begins with $null")
    }
    guard let top = list["$top"]?.dictionary else {
      throw ArchiveError(.archiveForm, found: "$top", expected: "a dictionary")
    }
    self.objects = objects
    self.top = top
    self.limits = limits
  }

  static let version: Int64 = 100_000
  static let null = "$null"

  /// The keys at the top. Most archives have only `root`.
  public var keys: [String] { top.keys }

  /// The value at the top of the archive.
  ///
  /// - Parameters:
  ///   - classes: the names of the classes that may be in the archive, the collections too: an
  ///     array of colors needs `NSArray` and `NSColor`. A class whose ancestor is allowed is
  ///     allowed. Strings, numbers, dates, data, URLs, UUIDs and null always are.
  ///   - key: the key at the top.
  /// - Throws: ``ArchiveError`` for a class that is not allowed, with its name, before any value is
  ///   read; for references to nothing and for cycles; and for a value that is not in the form of
  ///   its class.
  public func root(allowing classes: Set<String>, key: String = "root") throws(ArchiveError)
    -> ArchivedValue
  {
    guard let value = top[key] else {
      throw ArchiveError(
        .missingKey, found: top.keys.prefix(8).joined(separator: ", "), expected: key)
    }
    var check = ClassCheck(self, classes)
    try check.visit(value)
    var reader = ArchiveReader(self, check.types, root: value)
    return try reader.value(value)
  }
}
