import CopalModel
import CopalSQL
public import CopalStore
public import Foundation

/// A store in one SQLite file: readable tables, write-ahead log, optimistic locking.
///
/// Made by a container; a program rarely needs it itself:
///
/// ```swift
/// let container = try PersistentContainer(model: .atelier, store: .sqlite(at: url))
/// ```
///
/// The file has a table for each entity, named after it, with a column for each attribute; our own
/// columns and tables are named `copal_…`. The files ending in `-wal` and `-shm` beside it are part of
/// the store: copy, move and delete the three together.
public final class SQLiteStore: PersistentStore {
  public let identifier: UUID
  public let schema: StoreSchema
  /// The absolute path of the file.
  public let path: String
  let options: Options
  /// The hash of the schema; a save checks that no other program has changed it since.
  let schemaHash: SchemaHash
  /// The entities whose table another tool has made, with a key that is a column like any other.
  let entitiesWithoutRowID: Set<Int>
  private let fileNumber: UInt64?
  private let idle: Locked<[IdleConnection]>

  /// What can be chosen about a store.
  public struct Options: Sendable {
    /// How long a save or a read waits for another connection's lock, in seconds. Default: 5.
    public var busyTimeoutSeconds: Double
    /// What a power failure may take. Default: `.normal`.
    public var durability: Durability
    /// For development only: whether a store whose model differs in more than can be taken over is
    /// erased and made anew, with everything in it. Default: false.
    public var erasesWhenModelDiffers: Bool
    /// How much memory a connection may keep pages of the file in, in kilobytes. Default: 4000.
    ///
    /// Each context that reads has a connection. Queries that jump about in a large store read the same
    /// pages again and again when they do not stay in memory; scans and saves gain nothing from more. So a
    /// connection takes more than SQLite's own 2000 only after its first hundred reads.
    public var pageCacheKilobytes: Int
    /// Called with the SQL of every statement that is run, values left out. For logs and for tests that
    /// count statements; it may be called on any thread.
    public var onStatement: (@Sendable (String) -> Void)?

    public init(
      busyTimeoutSeconds: Double = 5, durability: Durability = .normal,
      erasesWhenModelDiffers: Bool = false, pageCacheKilobytes: Int = 4000,
      onStatement: (@Sendable (String) -> Void)? = nil
    ) {
      self.busyTimeoutSeconds = busyTimeoutSeconds
      self.durability = durability
      self.erasesWhenModelDiffers = erasesWhenModelDiffers
      self.pageCacheKilobytes = pageCacheKilobytes
      self.onStatement = onStatement
    }
  }

  /// What a power failure may take; the end of a process takes nothing either way.
  public enum Durability: Sendable {
    /// The last saves may be lost, none of them in part (`synchronous=NORMAL`).
    case normal
    /// No save that has returned is lost (`synchronous=FULL`); each save waits for the disk.
    case full
  }

  /// Opens the file, or makes it.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…`; a file that is refused is left as it was.
  public init(path: String, schema: StoreSchema, options: Options = Options()) throws {
    schemaHash = SchemaHash(schema.model)
    let opening = StoreOpening(path: path, schema: schema, options: options, schemaHash: schemaHash)
    let opened = try opening.open()
    self.path = opening.path
    self.schema = schema
    self.options = options
    identifier = opened.identifier
    entitiesWithoutRowID = opened.entitiesWithoutRowID
    fileNumber = opening.fileNumber
    idle = Locked([IdleConnection(opened.connection)])
  }

  public func makeSession() throws -> sending any StoreSession {
    let connection =
      try idle.withLock { $0.popLast() }?.connection
      ?? StoreOpening(path: path, schema: schema, options: options, schemaHash: schemaHash)
      .connectAgain(to: identifier, inFile: fileNumber)
    return SQLiteSession(self, connection)
  }

  /// Takes a connection back whose session has ended.
  func release(_ connection: Connection) {
    idle.withLock { if $0.count < 4 { $0.append(IdleConnection(connection)) } }
  }
}

/// A connection that no session uses.
// @unchecked: it is handed from one session to the next as a whole, through a lock, and SQLite lets a
// connection wander between threads as long as one uses it at a time.
private struct IdleConnection: @unchecked Sendable {
  let connection: Connection
  init(_ connection: Connection) { self.connection = connection }
}
