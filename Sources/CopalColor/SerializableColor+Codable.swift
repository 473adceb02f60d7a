extension SerializableColor: Codable {
  /// The keys of the coded form. They are part of files: never rename one.
  enum CodingKeys: String, CodingKey {
    case colorSpace, red, green, blue, alpha
  }

  /// Reads the keys `colorSpace` (a number; unknown ones are kept), `red`, `green`, `blue` and
  /// `alpha`.
  ///
  /// - Throws: `DecodingError` when a key is missing or a component is NaN or infinite.
  public init(from decoder: any Decoder) throws {
    let keyed = try decoder.container(keyedBy: CodingKeys.self)
    let space = try keyed.decode(ColorSpace.self, forKey: .colorSpace)
    self.init(
      finite: try keyed.decode(Float.self, forKey: .red),
      try keyed.decode(Float.self, forKey: .green), try keyed.decode(Float.self, forKey: .blue),
      alpha: try keyed.decode(Float.self, forKey: .alpha), space)
    guard isFinite else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: notFinite.description,
          underlyingError: notFinite))
    }
  }

  /// Writes the keys that ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: CodingKeys.self)
    try keyed.encode(colorSpace, forKey: .colorSpace)
    try keyed.encode(red, forKey: .red)
    try keyed.encode(green, forKey: .green)
    try keyed.encode(blue, forKey: .blue)
    try keyed.encode(alpha, forKey: .alpha)
  }
}
