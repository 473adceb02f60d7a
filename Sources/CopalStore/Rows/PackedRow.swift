/// One row as the store hands it over: a single immutable block with every stored value.
///
/// It is at once an object's values, its snapshot for rollback and conflict detection, and what
/// travels between a store and a context. Layout of the block, in words of eight bytes:
///
///     null bitmap, last word first │ one word a slot │ bytes of texts and blobs
///                                  ^ base
///
/// An integer or real is its slot's word; a text or blob has its offset from `base` in the low 32 bits
/// and its length in the high ones. A null's word is zero, so that zero, false, empty and the reference
/// date are what a required attribute without a value reads as. The bitmap lies before `base` so that a
/// slot's word and bit are at constant places, whatever the entity.
///
/// A value that the attribute's type never writes, such as one of another storage class, is null in the
/// bitmap, and its word holds what was found; the row is then `hasTypeMismatch`, and readers take the careful path.
// @unchecked: immutable after `PackedRowWriter` has built it, and the writer lets go of it then.
public final class PackedRow: @unchecked Sendable {
  // The header and the words live in the tail of the object, so that a row is one allocation.
  private init() {}

  @usableFromInline typealias Buffer = ManagedBufferPointer<PackedRowHeader, UInt64>

  /// A row with room for its values, all of which are still to be set.
  @usableFromInline
  static func allocate(slotCount: Int, tailBytes: Int) -> PackedRow {
    let nullWords = nullWords(slotCount)
    let words = nullWords &+ slotCount &+ (tailBytes &+ 7) / 8
    let buffer = Buffer(bufferClass: PackedRow.self, minimumCapacity: words) { _, _ in
      PackedRowHeader(version: 0, nullWords: UInt32(truncatingIfNeeded: nullWords))
    }
    return unsafeDowncast(buffer.buffer, to: PackedRow.self)
  }

  /// The words that the bits of nulls take.
  @inlinable @inline(__always)
  static func nullWords(_ slotCount: Int) -> Int { (slotCount &+ 63) &>> 6 }

  var header: PackedRowHeader {
    Buffer(unsafeBufferObject: self).header
  }

  func setHeader(version: Int64, hasTypeMismatch: Bool) {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToHeader {
      $0.pointee.version = version
      $0.pointee.hasTypeMismatch = hasTypeMismatch
    }
  }

  /// Where the block begins: the bits of nulls.
  var start: UnsafeMutableRawPointer {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToElements {
      UnsafeMutableRawPointer($0)
    }
  }

  /// The most bytes that texts and blobs of one row may take together: what SQLite takes in a row at the
  /// very most (<https://www.sqlite.org/limits.html>), and well within the 32 bits of an offset.
  @usableFromInline static let tailLimit = 2_147_483_647

  /// The version of the row when it was read or written.
  public var version: Int64 { header.version }

  /// Whether the store holds a value that the model does not allow.
  public var hasTypeMismatch: Bool { header.hasTypeMismatch }

  /// The place of the first slot's word. Valid as long as the row is.
  ///
  /// Tail-allocated memory does not move while its object lives, so the pointer may be kept beside
  /// the row.
  public var base: UnsafeRawPointer {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointers { header, words in
      UnsafeRawPointer(words + Int(header.pointee.nullWords))
    }
  }
}

@usableFromInline
struct PackedRowHeader: Sendable {
  @usableFromInline var version: Int64
  @usableFromInline var nullWords: UInt32
  @usableFromInline var hasTypeMismatch: Bool

  @usableFromInline
  init(version: Int64, nullWords: UInt32, hasTypeMismatch: Bool = false) {
    self.version = version
    self.nullWords = nullWords
    self.hasTypeMismatch = hasTypeMismatch
  }
}

/// How the values of a row are found from its base.
///
/// Free of checks: the slot must be one of the row's entity, of the storage type that is read.
public enum PackedRowValues {
  @inlinable @inline(__always)
  public static func isNull(_ base: UnsafeRawPointer, _ slot: Int) -> Bool {
    let word = base.load(fromByteOffset: -8 &* (1 &+ slot &>> 6), as: UInt64.self)
    return word & (1 &<< UInt64(truncatingIfNeeded: slot & 63)) != 0
  }

  @inlinable @inline(__always)
  public static func integer(_ base: UnsafeRawPointer, _ slot: Int) -> Int64 {
    base.load(fromByteOffset: slot &* 8, as: Int64.self)
  }

  @inlinable @inline(__always)
  public static func real(_ base: UnsafeRawPointer, _ slot: Int) -> Double {
    base.load(fromByteOffset: slot &* 8, as: Double.self)
  }

  @inlinable @inline(__always)
  public static func bytes(_ base: UnsafeRawPointer, _ slot: Int) -> UnsafeRawBufferPointer {
    let word = base.load(fromByteOffset: slot &* 8, as: UInt64.self)
    return UnsafeRawBufferPointer(
      start: base + Int(truncatingIfNeeded: word & 0xffff_ffff),
      count: Int(truncatingIfNeeded: word &>> 32))
  }

  @inlinable @inline(__always)
  public static func text(_ base: UnsafeRawPointer, _ slot: Int) -> String {
    let bytes = bytes(base, slot)
    if bytes.count <= SmallText.maximumLength,
      let text = SmallText.string(bytes.baseAddress.unsafelyUnwrapped, bytes.count)
    {
      return text
    }
    let start = bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
    return String(
      decoding: UnsafeBufferPointer(start: start, count: bytes.count), as: UTF8.self)
  }
}
