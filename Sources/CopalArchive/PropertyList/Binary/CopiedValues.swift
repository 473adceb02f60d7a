/// The long texts and data of a binary property list, by the number of each. None is copied twice.
///
/// A value that is shared is used as often as the bytes say. And the values of a hostile file can
/// overlap: then a few kilobytes are the content of thousands of values. What is not long needs no
/// look-up, because the number of values is limited.
struct CopiedValues {
  private var values: [PropertyListValue] = []
  /// Where the value of a number is in `values`, plus one; 0 for a value that was not copied. Empty
  /// before the first copy.
  private var places: [UInt32] = []
  private var copiedBytes = 0
  private let valueCount: Int
  private let mostBytes: Int
  /// From this size on, a value is long.
  private static let leastSize = 32

  /// - Parameters:
  ///   - valueCount: the number of values in the offset table.
  ///   - mostBytes: the size of the input. Values that do not overlap cannot have more.
  init(valueCount: Int, mostBytes: Int) {
    self.valueCount = valueCount
    self.mostBytes = mostBytes
  }

  /// The value of a number, if it is long and was copied before.
  func value(_ number: Int, size: Int) -> PropertyListValue? {
    guard size >= Self.leastSize, !places.isEmpty, places[number] > 0 else { return nil }
    return values[Int(places[number]) - 1]
  }

  /// Keeps a value that was copied, if it is long.
  ///
  /// - Parameter start: the byte at which the value begins.
  mutating func keep(_ value: PropertyListValue, _ number: Int, size: Int, _ start: Int)
    throws(ArchiveError) -> PropertyListValue
  {
    if size < Self.leastSize { return value }
    copiedBytes += size
    if copiedBytes > mostBytes { throw ArchiveError(.overlap, position: start) }
    if places.isEmpty { places = Array(repeating: 0, count: valueCount) }
    values.append(value)
    places[number] = UInt32(truncatingIfNeeded: values.count)
    return value
  }
}
