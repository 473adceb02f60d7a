/// The format of binary property lists, version 00, as the open source of Apple's CoreFoundation
/// has it:
/// <https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/CoreFoundation/CFBinaryPList.c>
///
///     "bplist00"
///     the values, each with a marker: its kind in the upper four bits, its size in the lower ones
///     the offset table: where each value begins
///     the trailer: 5 unused bytes, a sort version, the size of an offset, the size of a
///                  reference, and three numbers of 8 bytes: of values, of the top value, and
///                  where the offset table begins
///
/// All numbers are big-endian. A collection has references to its values: their numbers in the
/// offset table.
enum BinaryFormat {
  static let header = Array("bplist00".utf8)
  static let trailerSize = 32

  /// The upper four bits of a marker.
  enum Kind: UInt8 {
    case simple = 0x0
    case integer = 0x1
    case real = 0x2
    case date = 0x3
    case data = 0x4
    case ascii = 0x5
    case utf16 = 0x6
    case utf8 = 0x7
    case uid = 0x8
    case array = 0xA
    case set = 0xC
    case dictionary = 0xD
  }

  static let no: UInt8 = 0x08
  static let yes: UInt8 = 0x09
  /// The lower bits of a marker after which an integer with the size comes.
  static let sizeFollows = 0xF
}
