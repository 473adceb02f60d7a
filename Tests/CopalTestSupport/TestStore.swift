public import Copal
import CopalStore
import Foundation

/// The stores that every promise of a context is tested on.
public enum StoreKind: String, CaseIterable, Sendable {
  case sqlite, memory
  /// SQLite's, whose requests are decided by a ``RowDecider``.
  case decided

  /// SQLite's and the one in memory; others where `COPAL_STORES` names them, such as `decided`.
  public static let allCases =
    ProcessInfo.processInfo.environment["COPAL_STORES"].map { names in
      names.split(separator: ",").compactMap { StoreKind(rawValue: String($0)) }
    } ?? [.sqlite, .memory]
}

/// A place for one test: a folder that goes when the test ends, and containers in it.
///
/// When the test ends, SQLite checks the files, as ``TemporaryFolder`` says.
public final class TestStore: Sendable {
  public let kind: StoreKind
  private let place: TemporaryFolder
  public let recorder = StatementRecorder()
  private let readFailures = Locked<[PersistenceError]>([])

  public init(
    _ kind: StoreKind = .sqlite, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws {
    self.kind = kind
    place = try TemporaryFolder(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// See ``TemporaryFolder/expectsBrokenReferences()``.
  public func expectsBrokenReferences() { place.expectsBrokenReferences() }

  /// See ``TemporaryFolder/allowsDamage()``.
  public func allowsDamage() { place.allowsDamage() }

  public var folder: URL { place.url }

  public var file: URL { folder.appending(path: "Atelier.sqlite") }

  /// The configuration of the test's store. A memory store is a new one every time.
  public func configuration(_ options: SQLiteStore.Options = SQLiteStore.Options())
    -> StoreConfiguration
  {
    var options = options
    // Keeps this object alive as long as a store is open in its folder.
    options.onStatement = { [self] in recorder.record($0) }
    return switch kind {
    case .memory: .inMemory
    case .sqlite: .sqlite(at: file, options: options)
    case .decided:
      StoreConfiguration(
        DecidedDriver(base: StoreConfiguration.sqlite(at: file, options: options).driver))
    }
  }

  /// The contents of the files of the store: of the database, its log, and its large values. The
  /// index of the log, which every reader changes, is not among them.
  public func fileContents() throws -> [String: Data] {
    let path = folder.path(percentEncoded: false)
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path)
    where !name.hasSuffix("-shm") {
      contents[name] = FileManager.default.contents(atPath: path + "/" + name)
    }
    return contents
  }

  /// A container of the atelier.
  public func atelier() throws -> PersistentContainer { try container(.atelier) }

  /// A container of a model. What its properties cannot read is kept, in place of a line on
  /// standard error.
  public func container(
    _ model: ModelBinding,
    transformers: [any AttributeTransformer] = TestTransformers.atelier
  ) throws -> PersistentContainer {
    let container = try PersistentContainer(
      model: ModelShape.current.shape(model), store: configuration(), transformers: transformers)
    container.readFailureHandler = { [readFailures] error in
      readFailures.withLock { $0.append(error) }
    }
    return container
  }

  /// What the properties of objects could not read, since the last time.
  public func takeReadFailures() -> [PersistenceError] {
    readFailures.withLock { failures in
      defer { failures = [] }
      return failures
    }
  }

  /// The store itself, without a container.
  public func open(_ schema: StoreSchema, _ options: SQLiteStore.Options = SQLiteStore.Options())
    throws -> any PersistentStore
  {
    try configuration(options).open(schema)
  }

  /// The store with a session, worked by names and values.
  package func storeTester(
    _ schema: StoreSchema, _ options: SQLiteStore.Options = SQLiteStore.Options()
  ) throws -> StoreTester {
    try StoreTester(try open(schema, options))
  }

  /// The `sqlite3` tool, left open on the file.
  public func otherProgram() throws -> OtherProgram {
    try OtherProgram(file.path(percentEncoded: false))
  }

  /// What the `sqlite3` tool, or any other program, sees.
  public func sqlite3(_ sql: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", file.path(percentEncoded: false), sql]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}

/// The statements that were sent to a store, in their order.
public final class StatementRecorder: Sendable {
  private let recorded = Locked<[String]>([])

  public init() {}

  func record(_ sql: String) { recorded.withLock { $0.append(sql) } }

  /// Every statement since the last time.
  public func take() -> [String] {
    recorded.withLock { statements in
      defer { statements = [] }
      return statements
    }
  }

  /// The statements that the body sent.
  public func statements(of body: () throws -> Void) rethrows -> [String] {
    _ = take()
    try body()
    return take()
  }
}
