import CopalArchive

/// Reads archived objects of `NSColor` and `UIColor`.
struct PlatformColorReader {
  let profiles: UnappliedProfiles

  func color(bytes: UnsafeRawBufferPointer) throws -> SerializableColor {
    try color(Self.root(bytes, Self.classes))
  }

  func colors(bytes: UnsafeRawBufferPointer) throws -> [SerializableColor] {
    let root = try Self.root(bytes, Self.classes.union(["NSArray"]))
    guard let elements = root.array else {
      throw ColorError(
        .wrongKind, found: "an archive of \(root.kind)", expected: "an array of colors")
    }
    return try elements.map { try color($0) }
  }

  func color(_ value: ArchivedValue) throws -> SerializableColor {
    if let object = value.object {
      if object.classNames.contains("NSColor") { return try nsColor(object) }
      if object.classNames.contains("UIColor") { return try Self.uiColor(object) }
    }
    throw ColorError(.wrongKind, found: "an archive of \(value.kind)", expected: "a color")
  }

  private static let classes: Set<String> = ["NSColor", "NSColorSpace", "UIColor"]
  private static let imageClasses: Set<String> = ["NSImage", "UIImage"]

  private static func root(_ bytes: UnsafeRawBufferPointer, _ classes: Set<String>) throws
    -> ArchivedValue
  {
    do {
      return try KeyedArchive(bytes: bytes).root(allowing: classes)
    } catch {
      throw patternError(error) ?? error
    }
  }

  /// The error for the image of a pattern, whose class is not allowed; nil for every other error.
  private static func patternError(_ error: ArchiveError) -> (any Error)? {
    guard error.code == .classNotAllowed, let name = error.found, imageClasses.contains(name) else {
      return nil
    }
    return ColorError(.pattern, found: name)
  }
}
