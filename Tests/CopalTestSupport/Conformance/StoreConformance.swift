public import Copal

/// What every store promises: a store that keeps all of it is a store.
///
/// The suite works at the door, with sessions, change sets and queries, so that it runs on any
/// backend:
///
/// ```swift
/// @Test(arguments: StoreConformance.promises)
/// func keeps(promise: StoreConformance.Promise) throws {
///   try promise.check(MyStore(schema: StoreModels.sampler()))
/// }
/// ```
public enum StoreConformance {
  /// One promise, as a sentence, and how it is checked on an empty store of ``StoreModels/sampler()``.
  public struct Promise: Sendable, CustomStringConvertible {
    public let description: String
    private let body: @Sendable (Workbench) throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Workbench) throws -> Void) {
      self.description = description
      self.body = body
    }

    /// - Throws: ``ConformanceFailure`` where the store breaks the promise.
    public func check(_ store: any PersistentStore) throws { try body(Workbench(store)) }
  }

  /// Every promise.
  public static let promises = values + writing + uniqueness + reading
}

/// A promise that a store does not keep.
public struct ConformanceFailure: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

func expect(_ isKept: Bool, _ words: @autoclosure () -> String, line: Int = #line) throws {
  if !isKept { throw ConformanceFailure("\(words()) (line \(line))") }
}

func expect<T: Equatable>(
  _ found: T, is expected: T, _ words: @autoclosure () -> String = "", line: Int = #line
) throws {
  try expect(found == expected, "\(words()): found \(found), expected \(expected)", line: line)
}

/// The error that the body throws.
func failure(line: Int = #line, _ body: () throws -> Void) throws -> PersistenceError {
  do {
    try body()
  } catch let error as PersistenceError {
    return error
  }
  throw ConformanceFailure("nothing was thrown (line \(line))")
}

/// The errors behind a save that was refused.
func refusals(line: Int = #line, _ body: () throws -> Void) throws -> [PersistenceError] {
  let error = try failure(line: line, body)
  try expect(error.code, is: .saveFailed, "\(error)", line: line)
  return error.causes.compactMap { $0 as? PersistenceError }
}
