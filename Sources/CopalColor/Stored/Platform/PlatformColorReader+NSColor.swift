import CopalArchive

extension PlatformColorReader {
  /// The color of an archived `NSColor`. The integer `NSColorSpace` says which fields it has.
  func nsColor(_ object: ArchivedObject) throws -> SerializableColor {
    switch try object.integer("NSColorSpace") {
    case 1: return try color(object, "NSRGB", .genericRGB)
    case 2: return try color(object, "NSRGB", .sRGB)
    case 3: return try color(object, "NSWhite", .genericGray)
    case 4: return try color(object, "NSWhite", .sRGBGray)
    case 5: return try color(object, "NSCMYK", .profile(.cmyk, "device CMYK"))
    case 6: return try namedColor(object)
    case 10: throw ColorError(.pattern, found: "NSColorSpace 10")
    case let number:
      throw ColorError(.archivedSpace, found: "the color space \(number) under NSColorSpace")
    }
  }

  /// A color of a space of its own, or else of the space of `NSColorSpace`. In the first case the
  /// field of the second one has approximate components, and `NSComponents` has the exact ones. It
  /// is absent for generic RGB and generic gray, whose components are those of the field.
  private func color(_ object: ArchivedObject, _ key: String, _ space: ArchivedColorSpace) throws
    -> SerializableColor
  {
    guard let value = object["NSCustomColorSpace"] else {
      return try space.color(ComponentText.numbers(object, key, space.model.counts), profiles)
    }
    guard let custom = value.object, custom.classNames.contains("NSColorSpace") else {
      throw ColorError(.archivedSpace, found: "\(value.kind) under NSCustomColorSpace")
    }
    try checkExposure(object)
    let own = try ArchivedColorSpace(custom)
    let isGeneric = [1, 2].contains(custom["NSID"]?.integer ?? 0)
    let exact = isGeneric && object["NSComponents"] == nil ? key : "NSComponents"
    return try own.color(ComponentText.numbers(object, exact, own.model.counts), profiles)
  }

  /// A color with another exposure than 1 is brighter than its components.
  private func checkExposure(_ object: ArchivedObject) throws {
    guard let exposure = object["NSLinearExposure"] else { return }
    let texts: [[UInt8]] = [Array("0".utf8), Array("1".utf8)]
    guard let bytes = exposure.data, texts.contains(bytes.filter { $0 != 0 }) else {
      throw ColorError(.archivedSpace, found: "a linear exposure other than 1")
    }
  }

  /// A color of a list: its name, and the color that it had when it was archived.
  private func namedColor(_ object: ArchivedObject) throws -> SerializableColor {
    guard let color = object["NSColor"] else {
      throw ColorError(.namedOnly, found: "NSColorName")
    }
    return try self.color(color)
  }
}
