/// Takes the bytes of a dump or an export, part by part.
///
/// ```swift
/// var text: [UInt8] = []
/// let output = ByteOutput { text += $0 }
/// ```
///
/// It is used in one isolation at a time. Memory does not grow: each part has about 64 KB.
public final class ByteOutput {
  private var pending: [UInt8] = []
  private let write: ([UInt8]) throws -> Void

  /// An output that passes its bytes to a function.
  ///
  /// - Parameter write: takes the next bytes. What it throws ends the dump.
  public init(_ write: @escaping ([UInt8]) throws -> Void) {
    self.write = write
    pending.reserveCapacity(Self.size + 4096)
  }

  private static let size = 1 << 16

  /// Adds bytes that are made in place.
  @inline(__always)
  func add(_ body: (inout [UInt8]) throws -> Void) throws {
    try body(&pending)
    if pending.count >= Self.size { try flush() }
  }

  /// Adds a text.
  func add(_ text: String) throws { try add { $0 += text.utf8 } }

  /// Adds a text of the caller, for example between two dumps.
  public func write(_ text: String) throws { try add(text) }

  /// Passes on the last bytes. A dump and an export do this at their end.
  public func finish() throws { try flush() }

  /// Passes on what is pending.
  func flush() throws {
    if pending.isEmpty { return }
    try write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
