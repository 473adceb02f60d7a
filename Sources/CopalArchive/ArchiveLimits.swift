/// How much a property list or an archive may ask for. What is above a limit is refused with a
/// typed error.
///
/// A few hundred bytes can describe a tree of billions of values, because values may be shared, and
/// a few kilobytes gigabytes of text, because texts may overlap. The limits make the memory and the
/// time of reading depend on the size of the input only: at most twice the size of the input and 16
/// MB, with the limits of ``standard``. The size is there once for texts and data; twice for texts
/// that must be converted, such as those in UTF-16, and for data in XML.
public struct ArchiveLimits: Sendable, Hashable {
  /// The most bytes of the input.
  public var size: Int
  /// The most values in the tree. A value that is shared counts as often as it is used, and a key
  /// counts, too.
  public var count: Int
  /// The most collections inside each other; at most 512, because each level needs a part of the
  /// stack.
  public let depth: Int

  /// 64 MB, 131,072 values, 128 collections inside each other.
  public static let standard = ArchiveLimits()

  /// Limits of your own. A `depth` above 512 is 512.
  public init(size: Int = 64 << 20, count: Int = 1 << 17, depth: Int = 128) {
    self.size = size
    self.count = count
    self.depth = min(depth, 512)
  }
}
