/// Reads a binary property list. See ``BinaryFormat``.
///
/// Nothing in the bytes is trusted: each offset, size and reference is checked before it is used.
struct BinaryReader {
  private let bytes: UnsafeRawBufferPointer
  private let limits: ArchiveLimits
  private let offsetSize: Int
  private let referenceSize: Int
  /// The number of values in the offset table.
  private let valueCount: Int
  private let top: Int
  /// Where the values end and the offset table begins.
  private let tableStart: Int

  /// The values of the tree so far.
  private var count = 0
  /// The numbers of the collections around the value that is read.
  private var path: [Int] = []
  private var copies: CopiedValues
  /// The most elements for which memory is taken before they are read: the size of a collection is
  /// only what the bytes say.
  private static let mostReserved = 256

  /// Whether the bytes begin as a binary property list.
  static func canRead(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The last digit of the version has no meaning for readers.
    bytes.starts(with: BinaryFormat.header.dropLast())
  }

  init(_ bytes: UnsafeRawBufferPointer, _ limits: ArchiveLimits) throws(ArchiveError) {
    self.bytes = bytes
    self.limits = limits
    let headerSize = BinaryFormat.header.count
    let end = bytes.count - BinaryFormat.trailerSize
    guard end > headerSize else {
      throw ArchiveError(.truncated, expected: "the trailer", position: headerSize)
    }
    offsetSize = Int(bytes[end + 6])
    referenceSize = Int(bytes[end + 7])
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else {
      throw Self.trailer(
        "an offset and a reference must have 1 to 8 bytes", "\(offsetSize) and \(referenceSize)")
    }
    func number(_ offset: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: end + offset, as: UInt64.self))
    }
    let (values, top, start) = (number(8), number(16), number(24))
    guard start > headerSize, start < end else {
      throw Self.trailer(
        "the offset table must begin after byte 8 and before byte \(end)", "\(start)")
    }
    tableStart = Int(start)
    guard values > 0, values <= UInt64((end - tableStart) / offsetSize) else {
      throw Self.trailer(
        "the number of values must be 1 to \((end - tableStart) / offsetSize)", "\(values)")
    }
    valueCount = Int(values)
    // The tree has each value of the table, because no program writes one that nothing refers to.
    guard valueCount <= limits.count else {
      throw ArchiveError(.count, expected: "\(limits.count)")
    }
    copies = CopiedValues(valueCount: valueCount, mostBytes: bytes.count)
    guard top < values else {
      throw Self.trailer("the number of the top value must be below \(values)", "\(top)")
    }
    self.top = Int(top)
  }

  private static func trailer(_ expected: String, _ found: String) -> ArchiveError {
    ArchiveError(.trailer, found: found, expected: expected)
  }

  mutating func read() throws(ArchiveError) -> PropertyListValue { try value(top) }

  // MARK: Values

  private mutating func value(_ number: Int) throws(ArchiveError) -> PropertyListValue {
    try addValue()
    let start = try offset(of: number)
    let marker = bytes[start]
    let low = Int(marker & 0xF)
    guard let kind = BinaryFormat.Kind(rawValue: marker >> 4) else { throw wrongKind(start) }
    switch kind {
    case .simple:
      guard marker == BinaryFormat.no || marker == BinaryFormat.yes else { throw wrongKind(start) }
      return .boolean(marker == BinaryFormat.yes)
    case .integer: return try integer(start, exponent: low)
    case .real: return try real(start, exponent: low)
    case .date:
      guard low == 3 else { throw wrongKind(start) }
      return .date(Double(bitPattern: try bigEndian(start + 1, 8, "a date")))
    case .uid:
      guard low < 8 else { throw wrongKind(start) }
      return .uid(try bigEndian(start + 1, low + 1, "a reference to an object"))
    case .data:
      let body = try body(start, low, unit: 1, "data")
      if let known = copies.value(number, size: body.count) { return known }
      return try copies.keep(.data(Array(bytes[body])), number, size: body.count, start)
    case .ascii, .utf8, .utf16: return try text(start, low, kind, number: number)
    case .array, .set, .dictionary: return try collection(start, low, kind, number: number)
    }
  }

  private mutating func addValue() throws(ArchiveError) {
    count += 1
    if count > limits.count { throw ArchiveError(.count, expected: "\(limits.count)") }
  }

  private func integer(_ start: Int, exponent: Int) throws(ArchiveError) -> PropertyListValue {
    switch exponent {
    // Of 8 bytes and more with a sign, of fewer without.
    case 0...2: return .integer(Int64(try bigEndian(start + 1, 1 << exponent, "an integer")))
    case 3: return .integer(Int64(bitPattern: try bigEndian(start + 1, 8, "an integer")))
    case 4:
      let high = try bigEndian(start + 1, 8, "an integer")
      let low = try bigEndian(start + 9, 8, "an integer")
      if high == 0 { return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low) }
      let signed = Int64(bitPattern: low)
      if high == .max, signed < 0 { return .integer(signed) }
      throw ArchiveError(
        .valueKind, found: "more than 64 bits", position: start)
    default: throw wrongKind(start)
    }
  }

  private func real(_ start: Int, exponent: Int) throws(ArchiveError) -> PropertyListValue {
    switch exponent {
    case 2:
      .float(Float(bitPattern: UInt32(try bigEndian(start + 1, 4, "a real number"))))
    case 3: .real(Double(bitPattern: try bigEndian(start + 1, 8, "a real number")))
    default: throw wrongKind(start)
    }
  }

  private mutating func text(_ start: Int, _ low: Int, _ kind: BinaryFormat.Kind, number: Int)
    throws(ArchiveError) -> PropertyListValue
  {
    let body = try body(start, low, unit: kind == .utf16 ? 2 : 1, "a text")
    if let known = copies.value(number, size: body.count) { return known }
    let units = UnsafeRawBufferPointer(rebasing: bytes[body])
    let text: String? =
      switch kind {
      case .utf16: TextReader.utf16(units)
      case .utf8: TextReader.utf8(units)
      default: TextReader.ascii(units)
      }
    guard let text else {
      let encoding = kind == .utf16 ? "UTF-16" : kind == .utf8 ? "UTF-8" : "ASCII"
      throw ArchiveError(
        .text, expected: encoding, position: start)
    }
    return try copies.keep(.string(text), number, size: body.count, start)
  }

  // MARK: Collections

  private mutating func collection(
    _ start: Int, _ low: Int, _ kind: BinaryFormat.Kind, number: Int
  ) throws(ArchiveError) -> PropertyListValue {
    if path.contains(number) { throw ArchiveError(.cycle, position: start) }
    guard path.count < limits.depth else {
      throw ArchiveError(.depth, expected: "\(limits.depth)")
    }
    let isDictionary = kind == .dictionary
    let body = try body(
      start, low, unit: referenceSize * (isDictionary ? 2 : 1),
      isDictionary ? "a dictionary" : "an array")
    path.append(number)
    defer { path.removeLast() }
    if isDictionary { return .dictionary(try dictionary(start, body)) }
    let elements = try elements(start, body)
    return kind == .set ? .set(elements) : .array(elements)
  }

  private mutating func elements(_ start: Int, _ body: Range<Int>) throws(ArchiveError)
    -> [PropertyListValue]
  {
    var elements: [PropertyListValue] = []
    elements.reserveCapacity(min(body.count / referenceSize, Self.mostReserved))
    for place in stride(from: body.lowerBound, to: body.upperBound, by: referenceSize) {
      elements.append(try value(try reference(place, start)))
    }
    return elements
  }

  private mutating func dictionary(_ start: Int, _ body: Range<Int>) throws(ArchiveError)
    -> PropertyListDictionary
  {
    let half = body.count / 2
    var pairs = PropertyListDictionary()
    pairs.reserveCapacity(min(half / referenceSize, Self.mostReserved))
    for place in stride(from: body.lowerBound, to: body.lowerBound + half, by: referenceSize) {
      let key = try value(try reference(place, start))
      guard case .string(let name) = key else {
        throw ArchiveError(
          .key, found: key.kind, expected: "keys are strings", position: start)
      }
      let value = try value(try reference(place + half, start))
      if !pairs.addIfAbsent(name, value) {
        throw ArchiveError(
          .key, found: "there twice", expected: "each key may be there once", position: start,
          key: name)
      }
    }
    return pairs
  }

  /// The number of a value that a collection refers to.
  private func reference(_ place: Int, _ start: Int) throws(ArchiveError) -> Int {
    let number = try bigEndian(place, referenceSize, "a reference")
    guard number < UInt64(valueCount) else {
      throw ArchiveError(
        .reference, found: "\(number)", expected: "\(valueCount)", position: start)
    }
    return Int(number)
  }

  // MARK: Bytes

  private func offset(of number: Int) throws(ArchiveError) -> Int {
    let place = tableStart + number * offsetSize
    let offset = try bigEndian(place, offsetSize, "an offset", before: bytes.count)
    guard offset >= UInt64(BinaryFormat.header.count), offset < UInt64(tableStart) else {
      throw ArchiveError(
        .trailer, found: "\(offset)",
        expected: "the offset of the value \(number) must be between byte 8 and byte \(tableStart)")
    }
    return Int(offset)
  }

  /// The place of what follows a marker: `unit` bytes for each of the marker's size.
  private func body(_ start: Int, _ low: Int, unit: Int, _ what: String) throws(ArchiveError)
    -> Range<Int>
  {
    var (size, place) = (UInt64(low), start + 1)
    if low == BinaryFormat.sizeFollows {
      guard place < tableStart, bytes[place] >> 4 == BinaryFormat.Kind.integer.rawValue,
        bytes[place] & 0xF <= 3
      else { throw wrongKind(place) }
      let width = 1 << Int(bytes[place] & 0xF)
      size = try bigEndian(place + 1, width, what)
      place += 1 + width
    }
    let room = UInt64(max(0, tableStart - place) / unit)
    guard size <= room else { throw ArchiveError(.truncated, expected: what, position: start) }
    return place..<place + Int(size) * unit
  }

  /// A number of 1 to 8 bytes, before the offset table or another place.
  private func bigEndian(_ place: Int, _ size: Int, _ what: String, before end: Int? = nil)
    throws(ArchiveError) -> UInt64
  {
    guard place + size <= end ?? tableStart else {
      throw ArchiveError(.truncated, expected: what, position: place)
    }
    if size == 1 { return UInt64(bytes[place]) }
    var number: UInt64 = 0
    for offset in place..<place + size { number = number << 8 | UInt64(bytes[offset]) }
    return number
  }

  private func wrongKind(_ place: Int) -> ArchiveError {
    let marker = place < bytes.count ? String(bytes[place], radix: 16, uppercase: true) : "none"
    return ArchiveError(.valueKind, found: "the unknown kind \(marker)", position: place)
  }
}
