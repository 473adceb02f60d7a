import CopalEssentials
import CopalModel

/// The order of many objects as bytes: the sorted values of each object are in a form whose bytes
/// compare as the values do, so that sorting compares bytes and no values.
///
/// The form of a value: a byte that says whether it is null; then eight bytes of a number, the
/// greatest one first, or the bytes of a text and an end. Those of a descending key are inverted.
struct OrderedBytes {
  private let keys: [BoundSortKey]
  private let forms: [TextOrderForm?]
  private var bytes: [UInt8] = []
  /// The end of each object's bytes.
  private var ends: [Int] = []
  /// The kind of each key's values; nil until there is one.
  private var kinds: [Kind?]

  private enum Kind { case integer, double, boolean, bytes }

  /// An object with eight of its bytes.
  private struct Entry {
    var number: UInt64
    let place: Int

    static func < (a: Entry, b: Entry) -> Bool {
      a.number == b.number ? a.place < b.place : a.number < b.number
    }
  }

  init(_ keys: [BoundSortKey], count: Int) {
    self.keys = keys
    forms = keys.map { $0.textOrder == .bytes ? nil : TextOrderForm($0.textOrder) }
    kinds = keys.map { _ in nil }
    ends.reserveCapacity(count)
    bytes.reserveCapacity(count * keys.count * 24)
  }

  /// The number of objects.
  var count: Int { ends.count }

  /// Adds an object.
  ///
  /// - Parameter value: returns the value of a key.
  /// - Returns: false for a value without such a form: a decimal, or one of another type than those
  ///   before.
  mutating func append(_ value: (BoundSortKey) -> PropertyValue) -> Bool {
    for (place, key) in keys.enumerated() {
      guard append(value(key), key, place) else { return false }
    }
    ends.append(bytes.count)
    return true
  }

  private mutating func append(_ value: PropertyValue, _ key: BoundSortKey, _ place: Int) -> Bool {
    if value.isNull {
      bytes.append(key.isNullFirst ? 0 : 2)
      return true
    }
    bytes.append(1)
    let start = bytes.count
    let kind: Kind
    switch value {
    case .integer(let number):
      kind = .integer
      append(UInt64(bitPattern: number) ^ (1 << 63))
    case .double(let number):
      kind = .double
      append(Self.ordered(number))
    case .date(let date):
      kind = .double
      append(Self.ordered(date.timeIntervalSinceReferenceDate))
    case .boolean(let flag):
      kind = .boolean
      bytes.append(flag ? 1 : 0)
    case .string(let text):
      kind = .bytes
      if let form = forms[place] { append(form.form(of: text)) } else { append(text.utf8) }
    case .uri(let url):
      kind = .bytes
      append(url.absoluteString.utf8)
    case .binary(let data):
      kind = .bytes
      append(data)
    case .uuid(let id):
      kind = .bytes
      withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
    case .decimal, .object, .null: return false
    }
    if !key.isAscending { for place in start..<bytes.count { bytes[place] = ~bytes[place] } }
    defer { kinds[place] = kind }
    return kinds[place] == nil || kinds[place] == kind
  }

  private mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// The bytes with an end that is before all others: zero, and zero again. A zero among them is
  /// followed by 255.
  private mutating func append(_ text: some Sequence<UInt8>) {
    for byte in text {
      bytes.append(byte)
      if byte == 0 { bytes.append(255) }
    }
    bytes.append(0)
    bytes.append(0)
  }

  /// The bits of a double as a number with the same order. Both zeros are one.
  private static func ordered(_ number: Double) -> UInt64 {
    let bits = number == 0 ? 0 : number.bitPattern
    return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
  }

  /// The places of the objects in their order; equal ones stay in theirs.
  ///
  /// The objects are sorted by their first eight bytes as one number. Those that have the same are
  /// sorted by the next eight, and so on.
  ///
  /// - Parameter check: is called again and again. What it throws ends the sort.
  func places(check: () throws -> Void) rethrows -> [Int] {
    var objects = ends.indices.map { Entry(number: 0, place: $0) }
    try objects.withUnsafeMutableBufferPointer { objects in
      var parts = [(places: objects.indices, offset: 0)]
      while let part = parts.popLast() {
        for index in part.places {
          try check()
          objects[index].number = number(objects[index].place, part.offset)
        }
        var comparisons = 0
        // The standard library's sort: this closure is short, and runs millions of times.
        var entries = UnsafeMutableBufferPointer(rebasing: objects[part.places])
        try entries.sort { a, b in
          comparisons &+= 1
          if comparisons & 15 == 0 { try check() }
          return a < b
        }
        let next = part.offset + 8
        parts += runs(objects, part.places, longerThan: next).map { ($0, next) }
      }
    }
    return objects.map(\.place)
  }

  private func start(_ place: Int) -> Int { place == 0 ? 0 : ends[place - 1] }

  /// Eight bytes of an object as a number, with zeros behind its end.
  private func number(_ place: Int, _ offset: Int) -> UInt64 {
    let start = self.start(place) + offset
    let end = min(ends[place], start + 8)
    var number: UInt64 = 0
    var index = start
    while index < end {
      number = (number << 8) | UInt64(bytes[index])
      index += 1
    }
    let missing = 8 - (end - start)
    return number << (8 * missing)
  }

  /// The runs of objects with the same number that have more bytes.
  private func runs(
    _ objects: UnsafeMutableBufferPointer<Entry>, _ places: Range<Int>,
    longerThan offset: Int
  ) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = places.lowerBound
    while start < places.upperBound {
      let first = objects[start]
      var end = start + 1
      while end < places.upperBound, objects[end].number == first.number { end += 1 }
      let length = ends[first.place] - self.start(first.place)
      if end - start > 1, length > offset { runs.append(start..<end) }
      start = end
    }
    return runs
  }
}
