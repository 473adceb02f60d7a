import CopalArchive

/// The space of the components of an archived `NSColor`, and how they become a color.
struct ArchivedColorSpace {
  /// How many components there are, without alpha.
  enum Model {
    case gray, rgb, cmyk

    /// The number of components, without and with alpha.
    var counts: ClosedRange<Int> {
      switch self {
      case .gray: 1...2
      case .rgb: 3...4
      case .cmyk: 4...5
      }
    }

    /// The names of the components, for errors.
    var names: [String] {
      switch self {
      case .gray: ["white"]
      case .rgb: ["red", "green", "blue"]
      case .cmyk: ["cyan", "magenta", "yellow", "black"]
      }
    }
  }

  enum Conversion {
    /// The components of a space that Copal has. Gray is the same amount of red, green and blue.
    case known(ColorSpace)
    /// sRGB without its transfer function.
    case linearSRGB
    /// A space that is defined by its primaries and its curves.
    case measured(MeasuredSpace)
    /// A space whose conversion needs a profile with look-up tables, or one that is not there.
    case profile(name: String)
  }

  let model: Model
  let conversion: Conversion

  static let sRGBID: Int64 = 7
  static let displayP3ID: Int64 = 12

  static let sRGB = Self(model: .rgb, conversion: .known(.sRGB))
  /// The profile "Generic Gray Gamma 2.2" has the transfer function of sRGB: its table is that of
  /// sRGB IEC61966-2.1.
  static let sRGBGray = Self(model: .gray, conversion: .known(.sRGB))
  static let linearSRGB = Self(model: .rgb, conversion: .linearSRGB)

  static let genericRGB = Self(model: .rgb, conversion: .measured(.genericRGB))
  static let genericGray = Self(model: .gray, conversion: .measured(.genericGray))

  static func profile(_ model: Model, _ name: String) -> Self {
    Self(model: model, conversion: .profile(name: name))
  }
}

extension ArchivedColorSpace {
  /// The space of an archived `NSColorSpace`. Its `NSSpaceID` has the newer names, and its `NSID`
  /// those of all versions.
  init(_ object: ArchivedObject) throws {
    let spaceID = try Self.identifier("NSSpaceID", object)
    if let space = try Self.newer(spaceID, object) {
      self = space
    } else if let space = try Self.older(try Self.identifier("NSID", object)) {
      self = space
    } else {
      self = try Self.custom(object, "a color space with an ICC profile")
    }
  }

  /// The space of the profile that the archive has.
  private static func custom(_ object: ArchivedObject, _ name: String) throws -> Self {
    let model = try model(of: object)
    guard model != .cmyk, let data = object["NSICC"]?.data,
      let space = ICCProfile(ProfileBytes(data))?.space,
      space.curves.count == model.counts.lowerBound
    else { return .profile(model, name) }
    return Self(
      model: model, conversion: space.known.map { .known($0) } ?? .measured(space))
  }

  private static func newer(_ identifier: Int64, _ object: ArchivedObject) throws -> Self? {
    switch identifier {
    case 0: nil
    case displayP3ID: Self(model: .rgb, conversion: .known(.displayP3))
    case 13: Self(model: .rgb, conversion: .measured(.dciP3))
    case 14: .sRGB
    case 15: .sRGBGray
    case 16, 17: .linearSRGB
    default: try custom(object, "the color space \(identifier) of NSSpaceID")
    }
  }

  private static func older(_ identifier: Int64) throws -> Self? {
    switch identifier {
    case 0: nil
    case 1: .genericRGB
    case 2: .genericGray
    case 3: .profile(.cmyk, "generic CMYK")
    case 4, sRGBID: .sRGB
    case 5, 9: .sRGBGray
    case 6: .profile(.cmyk, "device CMYK")
    case 8: Self(model: .rgb, conversion: .measured(.adobeRGB))
    default:
      throw ColorError(.archivedSpace, found: "the color space \(identifier) under NSID")
    }
  }

  /// The number of a space; 0 if there is none.
  private static func identifier(_ key: String, _ object: ArchivedObject) throws -> Int64 {
    try object[key] == nil ? 0 : object.integer(key)
  }

  /// `NSModel` is absent for red, green and blue.
  private static func model(of object: ArchivedObject) throws -> Model {
    switch try object["NSModel"] == nil ? 1 : object.integer("NSModel") {
    case 0: return .gray
    case 1: return .rgb
    case 2: return .cmyk
    case let model: throw ColorError(.archivedSpace, found: "the color model \(model)")
    }
  }
}

extension ArchivedColorSpace {
  /// The color of components in the space.
  ///
  /// - Parameter components: as many as the model has, and alpha if it is not 1.
  func color(_ components: [Double], _ profiles: UnappliedProfiles) throws -> SerializableColor {
    let count = model.counts.lowerBound
    let alpha = components.count > count ? components[count] : 1
    let colors = Array(components.prefix(count))
    try checkFinite(colors)
    switch conversion {
    case .known(let space):
      return try Self.color(rgb(colors), alpha, space)
    case .linearSRGB:
      return try Self.color(rgb(colors).map(SRGBTransfer.encoded), alpha, .sRGB)
    case .measured(let space):
      // A profile adapts the white, so black and white are those of sRGB. Its numbers are rounded.
      if Self.isNeutral(colors) { return try Self.color(rgb(colors), alpha, .sRGB) }
      return try Self.color(space.sRGB(colors), alpha, .sRGB)
    case .profile(let name):
      guard profiles == .assumingSRGB else { throw ColorError(.needsProfile, found: name) }
      return try Self.color(rgb(colors), alpha, .sRGB)
    }
  }

  /// A number that no `Float` holds is an error in each space, also where a conversion would cut
  /// it.
  private func checkFinite(_ colors: [Double]) throws {
    for (name, component) in zip(model.names, colors) where !Float(component).isFinite {
      throw ColorError(.notFinite, found: "infinite", expected: name)
    }
  }

  /// Whether the components are those of black or of white.
  private static func isNeutral(_ colors: [Double]) -> Bool {
    colors.allSatisfy { $0 == 0 } || colors.allSatisfy { $0 == 1 }
  }

  /// CMYK by the formula for `device-cmyk()` without a profile:
  /// <https://www.w3.org/TR/css-color-5/#cmyk-rgb>.
  private func rgb(_ colors: [Double]) -> [Double] {
    switch model {
    case .gray: [colors[0], colors[0], colors[0]]
    case .rgb: colors
    case .cmyk: colors.prefix(3).map { 1 - min(1, $0 * (1 - colors[3]) + colors[3]) }
    }
  }

  private static func color(_ rgb: [Double], _ alpha: Double, _ space: ColorSpace) throws
    -> SerializableColor
  {
    try SerializableColor(
      checking: Float(rgb[0]), Float(rgb[1]), Float(rgb[2]), alpha: Float(alpha), space)
  }
}

/// What reading does with an archived color whose conversion needs a color profile that Copal does
/// not apply: one with look-up tables only, or one that is not in the archive.
///
/// Such colors are those in CMYK, and in spaces with such a profile. Profiles with primaries and
/// curves are applied, and so are calibrated, generic and Adobe RGB, DCI-P3 and generic gray.
public enum UnappliedProfiles: Sendable, Hashable {
  /// The color is an error, ``ColorError`` `color.needsProfile`, and the stored bytes stay as they
  /// are.
  case refused
  /// The components are regarded as sRGB. The color is then approximate.
  ///
  /// CMYK is converted by the formula of CSS Color 5 for `device-cmyk()` without a profile.
  case assumingSRGB
}
