import CopalEssentials

/// A color profile of the matrix-and-curve form, versions 2 and 4.
///
/// Source: ICC.1:2022, sections 7.2 (header), 7.3 (table of tags), 8.3 (models with three
/// components and with one) and 9.2 (tags), <https://www.color.org/icc_specs2.xalter>.
struct ICCProfile {
  let space: MeasuredSpace

  /// Reads a profile.
  ///
  /// - Returns: nil for a profile with look-up tables only, for one of another model than red,
  ///   green and blue or gray, and for damaged bytes.
  init?(_ bytes: ProfileBytes) {
    guard bytes.signature(at: 36) == "acsp", let version = bytes.unsigned16(at: 8),
      version >> 8 == 2 || version >> 8 == 4, let tags = Self.tags(bytes)
    else { return nil }
    switch (bytes.signature(at: 16), bytes.signature(at: 20)) {
    case ("RGB ", "XYZ "): self.init(rgb: tags)
    case ("GRAY", "XYZ "): self.init(gray: tags)
    default: return nil
    }
  }

  /// The tags by their signatures.
  private static func tags(_ bytes: ProfileBytes) -> [String: ProfileBytes]? {
    guard let count = bytes.unsigned32(at: 128), count <= 1000 else { return nil }
    var tags: [String: ProfileBytes] = [:]
    for index in 0..<Int(count) {
      let place = 132 + 12 * index
      guard let name = bytes.signature(at: place), let start = bytes.unsigned32(at: place + 4),
        let size = bytes.unsigned32(at: place + 8), let tag = bytes.part(at: start, count: size)
      else { return nil }
      tags[name] = tag
    }
    return tags
  }

  private init?(rgb tags: [String: ProfileBytes]) {
    var primaries: [SIMD3<Double>] = []
    var curves: [ToneCurve] = []
    for channel in ["r", "g", "b"] {
      guard let primary = tags[channel + "XYZ"].flatMap(Self.xyz),
        let curve = tags[channel + "TRC"].flatMap({ ToneCurve($0) })
      else { return nil }
      primaries.append(primary)
      curves.append(curve)
    }
    space = MeasuredSpace(curves: curves, primaries: primaries)
  }

  private init?(gray tags: [String: ProfileBytes]) {
    guard let curve = tags["kTRC"].flatMap({ ToneCurve($0) }) else { return nil }
    space = MeasuredSpace(gray: curve)
  }

  /// `XYZ `: three numbers.
  private static func xyz(_ tag: ProfileBytes) -> SIMD3<Double>? {
    guard tag.signature(at: 0) == "XYZ ", let x = tag.fixed(at: 8), let y = tag.fixed(at: 12),
      let z = tag.fixed(at: 16)
    else { return nil }
    return [x, y, z]
  }
}
