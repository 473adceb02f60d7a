public import CopalArchive

/// A type of your own that is an object in a keyed archive: the counterpart of `NSSecureCoding`.
///
/// It needs no Objective-C. An archive that an app on Apple's platforms made of a class with the
/// same keys is read, and the other way round.
///
/// ```swift
/// struct Brush: ArchivableObject {
///   static let archivedClassName = "Palette.Brush"
///   var name: String
///   var width: Double
///
///   init(archived object: ArchivedObject) throws {
///     name = try object.string("name")
///     width = try object.double("width")
///   }
///
///   var archivedFields: [String: ArchivedValue] { ["name": .string(name), "width": .real(width)] }
/// }
/// ```
public protocol ArchivableObject: Archivable {
  /// The name of the class in the archives that are written.
  ///
  /// In Swift, the name of a class in an archive has its module, as in `Palette.Brush`, unless the
  /// class has an `@objc` name.
  static var archivedClassName: String { get }

  /// Other names of the class in archives that are read. Default: none.
  static var otherClassNames: Set<String> { get }

  /// The names of the ancestors of the class, the parent first. Default: `NSObject`.
  static var ancestorClassNames: [String] { get }

  /// The names of the classes of objects in its fields. Default: none. An archive with another
  /// class is refused before anything of it is made.
  static var fieldClassNames: Set<String> { get }

  /// The value of an archived object.
  ///
  /// - Throws: any error, usually the `ArchiveError` of ``ArchivedObject``'s functions.
  init(archived object: ArchivedObject) throws

  /// What the archive keeps of the value, by key.
  var archivedFields: [String: ArchivedValue] { get }
}

extension ArchivableObject {
  /// None.
  public static var otherClassNames: Set<String> { [] }
  /// `NSObject`.
  public static var ancestorClassNames: [String] { ["NSObject"] }
  /// None.
  public static var fieldClassNames: Set<String> { [] }

  /// The names of the class, and of the classes in its fields.
  public static var archivedClassNames: Set<String> {
    otherClassNames.union(fieldClassNames).union([archivedClassName])
  }

  /// An object with the fields of the value.
  public var archivedValue: ArchivedValue {
    .object(
      ArchivedObject(
        classNames: [Self.archivedClassName] + Self.ancestorClassNames, fields: archivedFields))
  }

  /// The value of an object of the class, or of a subclass of it.
  ///
  /// - Throws: `ArchiveError` with the code `archive.fieldForm` for another kind of value, and what
  ///   ``init(archived:)`` throws.
  public init(archivedValue: ArchivedValue) throws {
    guard let object = archivedValue.object,
      object.classNames.contains(where: {
        $0 == Self.archivedClassName || Self.otherClassNames.contains($0)
      })
    else { throw archivedValue.mismatch("an object of the class \(Self.archivedClassName)") }
    try self.init(archived: object)
  }
}

extension ArchivedObject {
  /// The value under a key.
  ///
  /// ```swift
  /// let tags = try object.value("tags", as: [String].self)
  /// ```
  ///
  /// - Throws: `ArchiveError` with the code `archive.fieldForm` for a missing field and another
  ///   kind of value.
  public func value<T: Archivable>(_ key: String, as type: T.Type = T.self) throws -> T {
    guard let value = try optionalValue(key, as: type) else {
      throw ArchiveError(
        .fieldForm, found: "nothing", expected: "a value", className: className, key: key)
    }
    return value
  }

  /// The value under a key; nil when there is none.
  ///
  /// - Throws: `ArchiveError` with the code `archive.fieldForm` for another kind of value.
  public func optionalValue<T: Archivable>(_ key: String, as type: T.Type = T.self) throws -> T? {
    guard let value = self[key] else { return nil }
    do {
      return try T(archivedValue: value)
    } catch var error as ArchiveError {
      error.className = error.className ?? className
      error.key = error.key ?? key
      throw error
    }
  }
}
