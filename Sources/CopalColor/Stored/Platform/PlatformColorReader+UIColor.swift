import CopalArchive

extension PlatformColorReader {
  /// The color of an archived `UIColor`: in extended sRGB, or gray with the transfer function of
  /// sRGB. UIKit converts each color to one of them. Its dynamic colors have the components that
  /// they had when they were archived.
  static func uiColor(_ object: ArchivedObject) throws -> SerializableColor {
    let space: ArchivedColorSpace
    switch try componentCount(object) {
    case 2: space = .sRGBGray
    case 4: space = .sRGB
    case let count: throw ColorError(.componentCount, found: "\(count)", expected: "2 or 4")
    }
    return try space.color(components(object, space.model), .refused)
  }

  /// `UIColorComponentCount`, and in archives without it the number that the other fields have.
  private static func componentCount(_ object: ArchivedObject) throws -> Int64 {
    if object["UIColorComponentCount"] == nil {
      if has("UIRed", object) || object["NSRGB"] != nil { return 4 }
      if has("UIWhite", object) || object["NSWhite"] != nil { return 2 }
      let names = ["UISystemColorName", "UIDynamicCatalogName"]
      if let key = names.first(where: { object[$0] != nil }) {
        throw ColorError(.namedOnly, found: key)
      }
    }
    return try object.integer("UIColorComponentCount")
  }

  /// The components with the most digits: of eight bytes, of four bytes, or as text with three
  /// digits.
  private static func components(_ object: ArchivedObject, _ model: ArchivedColorSpace.Model)
    throws -> [Double]
  {
    let keys = model == .gray ? ["UIWhite", "UIAlpha"] : ["UIRed", "UIGreen", "UIBlue", "UIAlpha"]
    let text = model == .gray ? "NSWhite" : "NSRGB"
    if !has(keys[0], object), object[text] != nil {
      return try ComponentText.numbers(object, text, model.counts)
    }
    return try keys.map { key in
      try object.double(object["\(key)-Double"] == nil ? key : "\(key)-Double")
    }
  }

  private static func has(_ key: String, _ object: ArchivedObject) -> Bool {
    object[key] != nil || object["\(key)-Double"] != nil
  }
}
