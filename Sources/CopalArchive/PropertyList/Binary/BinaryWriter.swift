/// Writes a binary property list. See ``BinaryFormat``.
///
/// The values have the order and the sizes that CoreFoundation gives them: a collection before its
/// values, the keys of a dictionary before its other values, and equal leaves once. References to
/// objects of an archive are not shared, as there.
struct BinaryWriter {
  /// A value in the file. A collection has the numbers of its values.
  private enum Item {
    case leaf(PropertyListValue)
    case collection(BinaryFormat.Kind, count: Int, references: [Int])
  }

  private var items: [Item] = []
  private var numbers: [PropertyListValue: Int] = [:]
  private var bytes: [UInt8] = []

  static func bytes(of value: PropertyListValue) -> [UInt8] {
    var writer = BinaryWriter()
    writer.flatten(value)
    writer.writeAll()
    return writer.bytes
  }

  // MARK: Numbers

  /// Gives a value and what is inside it their numbers.
  @discardableResult
  private mutating func flatten(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let elements): return flatten(.array, elements.count, elements)
    case .set(let elements): return flatten(.set, elements.count, elements)
    case .dictionary(let dictionary):
      return flatten(
        .dictionary, dictionary.count,
        dictionary.pairs.map { .string($0.key) } + dictionary.pairs.map(\.value))
    case .uid: return add(.leaf(value))
    default:
      if let known = numbers[value] { return known }
      let number = add(.leaf(value))
      numbers[value] = number
      return number
    }
  }

  private mutating func flatten(
    _ kind: BinaryFormat.Kind, _ count: Int, _ values: [PropertyListValue]
  ) -> Int {
    let number = add(.collection(kind, count: count, references: []))
    let references = values.map { flatten($0) }
    items[number] = .collection(kind, count: count, references: references)
    return number
  }

  private mutating func add(_ item: Item) -> Int {
    items.append(item)
    return items.count - 1
  }

  // MARK: Bytes

  private mutating func writeAll() {
    bytes = BinaryFormat.header
    let referenceSize = Self.size(of: UInt64(items.count))
    var offsets: [Int] = []
    offsets.reserveCapacity(items.count)
    for item in items {
      offsets.append(bytes.count)
      write(item, referenceSize)
    }
    let tableStart = bytes.count
    let offsetSize = Self.size(of: UInt64(tableStart))
    for offset in offsets { write(UInt64(offset), size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [items.count, 0, tableStart] { write(UInt64(number), size: 8) }
  }

  private mutating func write(_ item: Item, _ referenceSize: Int) {
    switch item {
    case .leaf(let value): writeLeaf(value)
    case .collection(let kind, let count, let references):
      writeMarker(kind, count)
      for reference in references { write(UInt64(reference), size: referenceSize) }
    }
  }

  private mutating func writeLeaf(_ value: PropertyListValue) {
    switch value {
    case .boolean(let value): bytes.append(value ? BinaryFormat.yes : BinaryFormat.no)
    case .integer(let number): write(number)
    case .unsigned(let number):
      bytes.append(BinaryFormat.Kind.integer.rawValue << 4 | 4)
      write(0, size: 8)
      write(number, size: 8)
    case .float(let number):
      bytes.append(BinaryFormat.Kind.real.rawValue << 4 | 2)
      write(UInt64(number.bitPattern), size: 4)
    case .real(let number):
      bytes.append(BinaryFormat.Kind.real.rawValue << 4 | 3)
      write(number.bitPattern, size: 8)
    case .date(let seconds):
      bytes.append(BinaryFormat.Kind.date.rawValue << 4 | 3)
      write(seconds.bitPattern, size: 8)
    case .data(let data):
      writeMarker(.data, data.count)
      bytes += data
    case .string(let text): write(text)
    case .uid(let number):
      let size = Self.size(of: number)
      bytes.append(BinaryFormat.Kind.uid.rawValue << 4 | UInt8(size - 1))
      write(number, size: size)
    case .array, .set, .dictionary: break
    }
  }

  private mutating func write(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      writeMarker(.ascii, text.utf8.count)
      bytes += text.utf8
    } else {
      writeMarker(.utf16, text.utf16.count)
      for unit in text.utf16 { write(UInt64(unit), size: 2) }
    }
  }

  /// An integer of the fewest bytes. One of 8 bytes has a sign, the shorter ones do not.
  private mutating func write(_ number: Int64) {
    let size = number < 0 ? 8 : Self.size(of: UInt64(number))
    bytes.append(BinaryFormat.Kind.integer.rawValue << 4 | UInt8(size.trailingZeroBitCount))
    write(UInt64(bitPattern: number), size: size)
  }

  private mutating func writeMarker(_ kind: BinaryFormat.Kind, _ size: Int) {
    let marker = kind.rawValue << 4
    if size < BinaryFormat.sizeFollows {
      bytes.append(marker | UInt8(size))
    } else {
      bytes.append(marker | UInt8(BinaryFormat.sizeFollows))
      write(Int64(size))
    }
  }

  /// The lower bytes of a number, the highest first.
  private mutating func write(_ number: UInt64, size: Int) {
    for byte in (0..<size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(byte))))
    }
  }

  /// The bytes that a number needs: 1, 2, 4 or 8.
  private static func size(of number: UInt64) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
