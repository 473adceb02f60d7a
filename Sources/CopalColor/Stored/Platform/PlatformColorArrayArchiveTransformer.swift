import CopalArchive
public import CopalEssentials
public import CopalObjects

/// Stores an array of ``SerializableColor`` in order, as a keyed archive of an `NSArray` of
/// `NSColor` or `UIColor`.
///
/// The colors are as in ``PlatformColorArchiveTransformer``. Decoding also accepts the bytes of
/// ``ColorArrayTransformer``.
///
/// ```swift
/// try PlatformColorArrayArchiveTransformer(writing: .uiColor).register(as: "PaletteTransformer")
/// ```
///
/// The empty array is a value. It differs from nil, which is NULL in the store. One color that
/// cannot be read makes the whole array an error, so that no later save writes an array without it.
public struct PlatformColorArrayArchiveTransformer: RegistrableTransformer {
  private let form: PlatformColorClass
  private let reader: PlatformColorReader

  /// A transformer for archives of arrays of the colors of AppKit and UIKit.
  ///
  /// - Parameters:
  ///   - form: the class of the colors in the archives that it writes.
  ///   - profiles: what it does with a color that needs a profile.
  public init(writing form: PlatformColorClass, profiles: UnappliedProfiles = .refused) {
    self.form = form
    reader = PlatformColorReader(profiles: profiles)
  }

  /// A transformer that writes archives of `NSColor`, and that refuses colors that need a profile.
  public init() { self.init(writing: .nsColor) }

  /// A keyed archive of the colors.
  ///
  /// - Throws: ``ColorError`` `color.unknownSpace` for a color whose space is not known.
  public func encode(_ colors: [SerializableColor]) throws -> Data {
    let objects = try colors.map { ArchivedValue.object(try form.object($0)) }
    return Data(KeyedArchive.bytes(of: .array(objects)))
  }

  /// The colors of the stored bytes.
  ///
  /// - Throws: `ArchiveError` or ``ColorError`` when the bytes are not an array of colors, or one
  ///   of them cannot be read exactly.
  public func decode(_ stored: Data) throws -> [SerializableColor] {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The colors of the stored bytes, without a copy of the bytes.
  ///
  /// - Throws: `ArchiveError` or ``ColorError`` when the bytes are not an array of colors, or one
  ///   of them cannot be read exactly.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> [SerializableColor] {
    if ColorArchive.isArchive(bytes) { return try reader.colors(bytes: bytes) }
    return try ColorArrayTransformer().decode(bytes: bytes)
  }
}
