/// A number for each Unicode scalar; 0 for most of them.
///
/// Two steps find the number: a page for every 256 scalars, and a place in the page. All scalars
/// without a number share one page.
struct ScalarTable: Sendable {
  private var pages = [UInt16](repeating: 0, count: 0x110000 >> 8)
  private var numbers = [UInt16](repeating: 0, count: 256)

  subscript(_ scalar: UInt32) -> UInt16 {
    get { numbers[Int(pages[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)] }
    set {
      if pages[Int(scalar >> 8)] == 0 {
        pages[Int(scalar >> 8)] = UInt16(numbers.count >> 8)
        numbers += [UInt16](repeating: 0, count: 256)
      }
      numbers[Int(pages[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)] = newValue
    }
  }
}

/// Sequences of scalars in place of single ones: a decomposition or a case folding.
struct ScalarMapping: Sendable {
  private let sequences: [UInt32]
  /// The place of the length of a sequence in `sequences`, plus 1.
  private let places: ScalarTable

  /// - Parameter sequences: for each mapping the length, how far the scalar is behind the last one,
  ///   and what it is mapped to.
  init(_ sequences: [UInt32]) {
    self.sequences = sequences
    var places = ScalarTable()
    var (place, scalar) = (0, UInt32(0))
    while place < sequences.count {
      scalar += sequences[place + 1]
      places[scalar] = UInt16(place + 1)
      place += Int(sequences[place]) + 2
    }
    self.places = places
  }

  /// Passes on what a scalar is mapped to, or the scalar itself.
  func map(_ scalar: UInt32, _ body: (UInt32) -> Void) {
    let place = Int(places[scalar])
    if place == 0 { return body(scalar) }
    let start = place + 1
    for index in start..<start + Int(sequences[place - 1]) { body(sequences[index]) }
  }
}

extension [UInt32] {
  /// The numbers of a text with hexadecimal digits in lower case, between spaces and line ends.
  init(hexadecimal text: StaticString) {
    self = []
    var number: UInt32?
    text.withUTF8Buffer { bytes in
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): number = (number ?? 0) << 4 | UInt32(byte & 15)
        case UInt8(ascii: "a")...UInt8(ascii: "f"):
          number = (number ?? 0) << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
        default:
          if let number { append(number) }
          number = nil
        }
      }
    }
    if let number { append(number) }
  }
}
