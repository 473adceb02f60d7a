/// Where the bytes of an import come from, part by part.
///
/// ```swift
/// let input = ByteInput(text: "name,price\nOchre,6.20\n")
/// ```
///
/// It is used once, in one isolation. A part can have any size; an empty one is the end.
public final class ByteInput {
  private let read: () throws -> [UInt8]
  private(set) var isAtEnd = false
  /// The number of bytes that were read.
  public private(set) var byteCount = 0

  /// An input whose bytes a function returns.
  ///
  /// - Parameter read: the next bytes; none at the end. What it throws ends the import.
  public init(_ read: @escaping () throws -> [UInt8]) { self.read = read }

  /// The bytes of a text.
  public convenience init(text: String) { self.init(bytes: Array(text.utf8)) }

  /// An input of bytes.
  public convenience init(bytes: [UInt8]) {
    var rest: [UInt8]? = bytes
    self.init {
      defer { rest = nil }
      return rest ?? []
    }
  }

  /// The next bytes; none at the end.
  func next() throws -> [UInt8] {
    if isAtEnd { return [] }
    let part = try read()
    byteCount += part.count
    isAtEnd = part.isEmpty
    return part
  }
}
