import CopalArchive
public import CopalEssentials
public import CopalObjects

/// Stores a ``SerializableColor`` as a keyed archive of an `NSColor` or a `UIColor`, as apps on
/// Apple's platforms do.
///
/// Use it for a file that such an app wrote with Core Data, or will read. It reads archives of both
/// classes, and writes those of the one that you name. For new data,
/// ``SerializableColorTransformer`` takes a tenth of the space and of the time.
///
/// ```swift
/// try PlatformColorArchiveTransformer(writing: .uiColor).register(as: "TintTransformer")
/// ```
///
/// These colors are exact: sRGB, extended sRGB and linear sRGB (which become sRGB), Display P3,
/// grays with gamma 2.2, and each `UIColor` with components. The components of a device space are
/// regarded as sRGB. Calibrated, generic and Adobe RGB, DCI-P3, calibrated and generic gray, and
/// spaces with a profile of primaries and curves become sRGB, with components outside of 0...1
/// where sRGB does not have the color. CMYK and a space with another profile are a ``ColorError``
/// `color.needsProfile`, unless ``UnappliedProfiles/assumingSRGB`` is chosen. A color that has only
/// a name is `color.namedOnly`, and a pattern is `color.pattern`.
///
/// `Docs/TransformerReference.md` has a table of all forms.
///
/// Decoding also accepts the 23 bytes of ``SerializableColorTransformer``. It throws an
/// `ArchiveError` for bytes that are damaged, and for an archive with another class. It never ends
/// the process.
public struct PlatformColorArchiveTransformer: RegistrableTransformer {
  private let form: PlatformColorClass
  private let reader: PlatformColorReader

  /// A transformer for archives of the colors of AppKit and UIKit.
  ///
  /// - Parameters:
  ///   - form: the class of the archives that it writes.
  ///   - profiles: what it does with a color that needs a profile.
  public init(writing form: PlatformColorClass, profiles: UnappliedProfiles = .refused) {
    self.form = form
    reader = PlatformColorReader(profiles: profiles)
  }

  /// A transformer that writes archives of `NSColor`, and that refuses colors that need a profile.
  public init() { self.init(writing: .nsColor) }

  /// A keyed archive of the color.
  ///
  /// - Throws: ``ColorError`` `color.unknownSpace` for a color whose space is not known.
  public func encode(_ color: SerializableColor) throws -> Data {
    Data(KeyedArchive.bytes(of: .object(try form.object(color))))
  }

  /// The color of the stored bytes.
  ///
  /// - Throws: `ArchiveError` or ``ColorError`` when the bytes are not a color, or one that cannot
  ///   be read exactly.
  public func decode(_ stored: Data) throws -> SerializableColor {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  /// The color of the stored bytes, without a copy of the bytes.
  ///
  /// - Throws: `ArchiveError` or ``ColorError`` when the bytes are not a color, or one that cannot
  ///   be read exactly.
  public func decode(bytes: UnsafeRawBufferPointer) throws -> SerializableColor {
    if ColorArchive.isArchive(bytes) { return try reader.color(bytes: bytes) }
    return try SerializableColorTransformer().decode(bytes: bytes)
  }
}
