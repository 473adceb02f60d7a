import CopalArchive

/// Colors as objects of a keyed archive: an integer under `colorSpace`, and real numbers under
/// `red`, `green`, `blue` and `alpha`.
enum ColorArchive {
  /// Archives begin as a property list: binary, or XML. Colors in the form of ``ColorBytes`` never
  /// do.
  static func isArchive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes.first {
    case UInt8(ascii: "b"): bytes.starts(with: "bplist".utf8)
    case UInt8(ascii: "<"): true
    default: false
    }
  }

  static func object(_ color: SerializableColor, _ className: String) -> ArchivedObject {
    ArchivedObject(
      classNames: [className, "NSObject"],
      fields: [
        "colorSpace": .integer(Int64(color.colorSpace.rawValue)), "red": .float(color.red),
        "green": .float(color.green), "blue": .float(color.blue), "alpha": .float(color.alpha),
      ])
  }

  static func color(_ value: ArchivedValue) throws -> SerializableColor {
    guard let object = value.object else {
      throw ColorError(.wrongKind, found: "an archive of \(value.kind)", expected: "a color")
    }
    let number = try object.integer("colorSpace")
    guard let space = Int32(exactly: number) else {
      throw ColorError(
        .wrongKind, found: "an archive with the color space \(number)", expected: "a color")
    }
    return try SerializableColor(
      checking: object.float("red"), object.float("green"), object.float("blue"),
      alpha: object.float("alpha"), ColorSpace(rawValue: space))
  }

  static func color(bytes: UnsafeRawBufferPointer, _ classNames: Set<String>) throws
    -> SerializableColor
  {
    try color(KeyedArchive(bytes: bytes).root(allowing: classNames))
  }

  static func colors(bytes: UnsafeRawBufferPointer, _ classNames: Set<String>) throws
    -> [SerializableColor]
  {
    let root = try KeyedArchive(bytes: bytes).root(allowing: classNames)
    guard let elements = root.array else {
      throw ColorError(
        .wrongKind, found: "an archive of \(root.kind)", expected: "an array of colors")
    }
    return try elements.map(color)
  }

  /// The names of the class in the archives of other programs: without a module, and with that of
  /// this class.
  static let classNames: Set<String> = ["SerializableColor", "CopalColor.SerializableColor"]

  /// The same for arrays of colors.
  static let classNamesOfArrays = classNames.union(["NSArray"])
}
