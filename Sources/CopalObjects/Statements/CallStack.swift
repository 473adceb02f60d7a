// The module of the standard library that walks the stack and reads debug information. On other platforms a statement has its
// reason only.
#if os(Linux) && compiler(>=6.2) && canImport(Runtime)
  import Runtime
#endif

/// The stack of calls at one moment, as addresses. Names and lines are looked up when somebody reads them, which costs about a
/// millisecond.
struct CallStack: Sendable {
  #if os(Linux) && compiler(>=6.2) && canImport(Runtime)
    // Taken once: they cost more than a stack.
    private static let images = ImageMap.capture()

    private let backtrace: Backtrace

    /// The stack of the caller; nil where it cannot be walked.
    static func capture() -> CallStack? {
      // Enough for the calls inside Copal, and those of the program that lead to them.
      guard
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
      guard let symbolicated = backtrace.symbolicated(with: Self.images) else { return [] }
      return symbolicated.frames.compactMap { frame in
        guard let symbol = frame.symbol, symbol.rawName != "<unknown>" else { return nil }
        return Function(
          mangledName: symbol.rawName, name: symbol.name, file: symbol.sourceLocation?.path,
          line: symbol.sourceLocation?.line)
      }
    }
  #else
    static func capture() -> CallStack? { nil }
    var addresses: [UInt64] { [] }
    func functions() -> [Function] { [] }
  #endif

  /// A function on the stack.
  struct Function {
    var mangledName: String
    /// The name that a person reads.
    var name: String
    var file: String?
    var line: Int?
  }
}
