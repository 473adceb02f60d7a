public import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The library of `Scripts/io-faults.c`, in a process that was started with it: it records what the
/// process does with the files of a folder, lets one of its system calls fail, or changes its clock.
public enum IOFaults {
  /// Whether the process was started with the library.
  public static var isLoaded: Bool { symbol("copal_io_record") != nil }

  /// Records from now on what happens in a folder.
  ///
  /// - Parameter record: where the record is kept; not in the folder.
  public static func record(_ folder: URL, into record: URL) {
    typealias Function = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
    function("copal_io_record", Function.self)(path(folder), path(record))
  }

  /// Adds a mark to the record.
  public static func mark(_ text: String) {
    typealias Function = @convention(c) (UnsafePointer<CChar>) -> Void
    function("copal_io_mark", Function.self)(text)
  }

  /// Counts from now on the calls that concern a folder, and lets one of them fail.
  ///
  /// - Parameters:
  ///   - number: the number of the call, from 1.
  ///   - error: the error of the system.
  ///   - forever: whether all later calls fail, too.
  public static func fail(_ folder: URL, at number: Int, with error: Int32, forever: Bool) {
    typealias Function = @convention(c) (UnsafePointer<CChar>, Int, CInt, CInt) -> Void
    function("copal_io_fail", Function.self)(path(folder), number, error, forever ? 1 : 0)
  }

  /// Lets no call fail any more.
  ///
  /// - Returns: the number of calls that were counted.
  @discardableResult
  public static func end() -> Int {
    typealias Function = @convention(c) () -> Int
    return function("copal_io_end", Function.self)()
  }

  /// Sets the clock forward or back, for this process alone.
  public static func setClock(ahead seconds: Int) {
    typealias Function = @convention(c) (Int) -> Void
    function("copal_io_clock", Function.self)(seconds)
  }

  private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }

  private static func function<F>(_ name: String, _ type: F.Type) -> F {
    guard let symbol = symbol(name) else {
      fatalError("the process was not started with the library of Scripts/io-faults.c")
    }
    return unsafeBitCast(symbol, to: type)
  }
}
