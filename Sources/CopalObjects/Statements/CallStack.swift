// The module of the standard library that walks the stack and reads debug information. On other
// platforms a statement has its reason only.
#if os(Linux) && compiler(>=6.2) && canImport(Runtime)
  import CopalEssentials
  import Runtime
#endif

/// The stack of calls at one moment, as addresses. Names are looked up when somebody reads them,
/// and the line of one function only: a line costs some milliseconds, and in a large program with
/// debug information some tens of them.
struct CallStack: Sendable {
  /// A function on the stack.
  struct Function {
    var mangledName: String
    /// The name that a person reads.
    var name: String
    /// The return address in the function.
    var address: UInt64

    /// A function by its names, without what the optimizer has done with it: `specialized f()` is
    /// `f()`.
    init(mangledName: String, name: String, address: UInt64) {
      self.mangledName = mangledName
      var rest = name[...]
      while let prefix = Self.optimizations.first(where: rest.hasPrefix) {
        rest = rest.dropFirst(prefix.count)
      }
      self.name = String(rest)
      self.address = address
    }

    private static let optimizations = ["specialized ", "partial apply for ", "merged "]
  }

  #if os(Linux) && compiler(>=6.2) && canImport(Runtime)
    // Taken once: they cost more than a stack.
    private static let images = LoadedImages.current().map()

    private let backtrace: Backtrace

    /// The stack of the caller; nil where it cannot be walked.
    static func capture() -> CallStack? {
      // Enough for the calls inside Copal, and those of the program that lead to them.
      guard let images,
        let backtrace = try? Backtrace.capture(
          algorithm: .auto, limit: 64, offset: 1, top: 0, images: images)
      else { return nil }
      return CallStack(backtrace: backtrace)
    }

    /// The addresses, which are equal for equal stacks.
    var addresses: [UInt64] {
      backtrace.frames.compactMap { UInt64($0.originalProgramCounter) }
    }

    /// The functions, the innermost one first.
    func functions() -> [Function] {
      guard let images = Self.images else { return [] }
      let named = backtrace.symbolicated(with: images, options: .useSymbolCache)
      return (named?.frames ?? []).compactMap { frame in
        guard let symbol = frame.symbol, symbol.rawName != "<unknown>",
          let address = UInt64(frame.captured.originalProgramCounter)
        else { return nil }
        return Function(mangledName: symbol.rawName, name: symbol.name, address: address)
      }
    }

    /// The path and the line of a call in a function; nil without debug information.
    func location(of function: Function) -> (path: String, line: Int)? {
      guard let images = Self.images else { return nil }
      let one = Self.backtrace(of: function.address, backtrace.architecture) ?? backtrace
      let symbols = one.symbolicated(with: images)?.frames.compactMap(\.symbol)
      // Functions that the compiler has inlined there are frames of their own.
      let symbol = symbols?.first { $0.rawName == function.mangledName }
      // A line of 0 is that of code which the compiler has made.
      guard let location = symbol?.sourceLocation, location.line > 0 else { return nil }
      return (location.path, location.line)
    }

    /// A stack of one return address. It can be made only by decoding it:
    /// https://github.com/swiftlang/swift/blob/main/docs/CompactBacktraceFormat.md.
    private static func backtrace(of address: UInt64, _ architecture: String) -> Backtrace? {
      // Version 0 with addresses of 64 bits; an absolute return address of 8 bytes; the end.
      let bytes: [UInt8] = [0x02, 0x2f] + withUnsafeBytes(of: address.bigEndian, Array.init) + [0]
      let text = Data(bytes).base64EncodedString().prefix { $0 != "=" }
      let json = #"{"architecture":"\#(architecture)","backtrace":"\#(text)"}"#
      return try? JSONDecoder().decode(Backtrace.self, from: Data(json.utf8))
    }
  #else
    static func capture() -> CallStack? { nil }
    var addresses: [UInt64] { [] }
    func functions() -> [Function] { [] }
    func location(of function: Function) -> (path: String, line: Int)? { nil }
  #endif
}
