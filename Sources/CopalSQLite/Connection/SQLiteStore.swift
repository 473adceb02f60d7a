public import CopalEssentials
import CopalModel
import CopalSQL
public import CopalStore

/// A store in a SQLite file, with readable tables, a write-ahead log and optimistic locking.
///
/// A container makes it. Programs rarely use it directly:
///
/// ```swift
/// let container = try PersistentContainer(model: .atelier, store: .sqlite(at: url))
/// ```
///
/// The file has a table for each entity, with the name of the entity and a column for each stored
/// attribute. Subentities are in the table of their root. Copal's own tables and columns have names
/// that begin with `copal_`. The files with the endings `-wal` and `-shm` are part of the store:
/// copy, move and delete the three files together. So is the folder with the ending `-files`, which
/// has the large values of external attributes. ``backup(to:)`` copies everything.
public final class SQLiteStore: PersistentStore {
  /// The identifier of the contents. It is stored in the file.
  public let identifier: UUID
  /// The schema that the store was opened with.
  public let schema: StoreSchema
  /// The absolute path of the file.
  public let path: String
  let options: Options
  /// The entities whose key column is not the rowid, because another tool has rebuilt the table.
  let entitiesWithoutRowID: Set<Int>
  /// The number of the file (inode), which does not depend on its path.
  private let fileNumber: UInt64?
  private let log: LogFiles
  /// The folder of large values. The first save with a large value makes it.
  let folder: ExternalFolder
  /// Whether the model has attributes whose large values are in files.
  let hasExternalValues: Bool
  /// The roots whose tables have derived columns.
  let rootsWithDerivedColumns: [Int]
  /// What the store says about its derived columns; nil for a schema without any.
  private let derivedMark: String?
  /// Whether rows are found by parts of texts.
  let hasSubstrings: Bool
  /// What the ids of entities mean that the model does not have any more.
  public let formerIDs: FormerIDs
  /// The order of the commits: a commit takes its number while it has SQLite's lock for writing.
  public var commitOrder: CommitOrder? { order }
  let order = CommitOrder()
  /// True: in the table `copal_programMetadata`.
  public var keepsMetadata: Bool { true }
  /// Counts the commits; nil when other programs are not to be noticed.
  let commitCounter: CommitCounter?
  /// The number of commits when the store was opened.
  let commitNumber: Int64
  /// The number of large values that commits of this program have replaced or deleted since the
  /// last removal.
  let unreferencedCount = Locked(0)
  private let idle: Locked<[IdleConnection]>

  /// The options of a SQLite store.
  ///
  /// ```swift
  /// var options = SQLiteStore.Options()
  /// options.durability = .full
  /// let store = StoreConfiguration.sqlite(named: "Atelier", options: options)
  /// ```
  public struct Options: Sendable {
    /// How long opening, a save or a read waits for the lock of another connection, in seconds.
    /// Then it throws `store.busy`. Default: 5.
    public var busyTimeoutSeconds: Double
    /// Which saves a power failure can undo. Default: `.normal`.
    public var durability: Durability
    /// For development only: whether a store is erased, with all its objects, when its model cannot
    /// become that of the program. Default: false, opening throws `store.modelDiffers` or
    /// `store.newerModel`.
    public var erasesWhenModelDiffers: Bool
    /// The size of a connection's page cache, in kilobytes. Default: 4000.
    ///
    /// Each context that reads has a connection. A larger cache helps queries that read pages of a
    /// large store in random order. It does not help scans and saves. A connection uses SQLite's
    /// default of 2000 for its first hundred reads.
    public var pageCacheKilobytes: Int
    /// How often the store is looked at for commits of other programs, while a context merges or
    /// somebody reads what is saved. Contexts then read their objects again, because it is not
    /// known which ones were changed. At least 10 milliseconds: a shorter interval counts as that.
    /// Nil, the default, does not look.
    ///
    /// With it, each commit of this program also writes a number into the file. A program without
    /// the option, such as a tool, is noticed too, unless this program has written in the same
    /// interval.
    public var noticesOtherPrograms: Duration?
    /// Whether deleted values are overwritten with zeros in the file. It costs more writing.
    /// Default: false, what the linked SQLite was compiled with; some systems, such as Debian,
    /// overwrite them anyway.
    ///
    /// The log has old values until it is copied and overwritten, files of large values are only
    /// unlinked, and neither copies of the file nor the blocks of a disk are overwritten.
    public var securelyDeletes: Bool
    /// Whether each page of the file is checked when it is read: for a file from an untrusted
    /// source. A scan of a large table then needs about 8 % more time. Default: false, damage is
    /// found where it makes a row unreadable.
    public var checksPages: Bool
    /// Whether the store is only read: for tools, and for a store that belongs to another program.
    /// Default: false.
    ///
    /// Nothing is written: no file is made or changed, a missing store is not made
    /// (`store.noStore`), and an older model is not migrated (`store.migrationNeeded`). Others can
    /// write meanwhile, and do not wait. A save throws `store.notWritable`. A store that nobody has
    /// open is read without a lock: if another program writes to it, the read that
    /// runs, and each later one, throws `store.busy`; open it again then.
    public var isReadOnly: Bool
    /// The function of derived columns with texts. Only a test replaces it, by that of another
    /// version of Unicode.
    package var folding = VersionedFolding.current
    /// Called with the SQL text of every statement before it runs, without its values. Use it for
    /// logs, and for tests that count statements. It can be called on any thread. Nil, the default,
    /// calls nothing.
    public var onStatement: (@Sendable (String) -> Void)?

    /// Options with the given values.
    public init(
      busyTimeoutSeconds: Double = 5, durability: Durability = .normal,
      erasesWhenModelDiffers: Bool = false, pageCacheKilobytes: Int = 4000,
      noticesOtherPrograms: Duration? = nil, securelyDeletes: Bool = false,
      checksPages: Bool = false, isReadOnly: Bool = false,
      onStatement: (@Sendable (String) -> Void)? = nil
    ) {
      self.busyTimeoutSeconds = busyTimeoutSeconds
      self.durability = durability
      self.erasesWhenModelDiffers = erasesWhenModelDiffers
      self.pageCacheKilobytes = pageCacheKilobytes
      self.noticesOtherPrograms = noticesOtherPrograms
      self.securelyDeletes = securelyDeletes
      self.checksPages = checksPages
      self.isReadOnly = isReadOnly
      self.onStatement = onStatement
    }
  }

  /// Which saves a power failure or a crash of the system can undo. A crash of the program undoes
  /// no finished save.
  public enum Durability: Sendable {
    /// The last saves can be lost, each of them completely (`synchronous=NORMAL`).
    case normal
    /// No finished save is lost (`synchronous=FULL`). Each save waits for the disk.
    case full
  }

  /// The store in a file that has been opened.
  init(_ opened: OpenedFile, path: String, schema: StoreSchema, options: Options) throws {
    self.path = path
    self.schema = schema
    self.options = options
    identifier = opened.identifier
    entitiesWithoutRowID = opened.entitiesWithoutRowID
    fileNumber = LogFiles.number(path)
    log = LogFiles(of: opened.connection.filePath)
    opened.connection.modelGuard = schema.modelGuard
    derivedMark = schema.derivedMark(options.folding, former: opened.derivedMark)
    opened.connection.expectedDerivedMark = derivedMark
    opened.connection.identifier = opened.identifier
    folder = opened.folder
    hasExternalValues = opened.hasExternalValues
    rootsWithDerivedColumns = schema.rootsWithDerivedColumns
    hasSubstrings = schema.hasSubstrings
    formerIDs = opened.formerIDs
    commitCounter = options.noticesOtherPrograms == nil ? nil : CommitCounter()
    commitNumber = commitCounter == nil ? 0 : try CommitCounter.number(opened.connection)
    idle = Locked([IdleConnection(opened.connection)])
  }

  /// A connection that no session has.
  func idleConnection() throws -> Connection {
    try idle.withLock { $0.popLast() }?.connection ?? connectAgain()
  }

  /// Opens another connection to the file.
  ///
  /// - Throws: `store.fileReplaced` when another file, or none, is at the path now.
  private func connectAgain() throws -> Connection {
    // Checked first, because SQLite would write the log of the old file into a new file at its
    // path.
    try checkLog()
    try checkFile()
    return try FileSizeSignal.heldBack {
      let connection =
        try options.isReadOnly
        ? Connection(reading: path, options)
        : Connection(path: path, options, createsFile: false)
      connection.schema = schema
      guard try StoreHeader(connection).isMarked() else { throw replaced }
      let record = try StoreMetadata(connection).read()
      guard record.identifier == identifier else { throw replaced }
      // The connection prepares its statements for the tables of now.
      guard schema.modelGuard.allows(record.model) else {
        throw PersistenceError(.modelDiffers, path: path)
      }
      if let derivedMark, record.folding != derivedMark {
        throw PersistenceError(
          .newerFormat, path: path,
          found: StoreMetadata.feature(
            StoreMetadata.feature(of: record.folding, beyond: derivedMark)))
      }
      connection.modelGuard = schema.modelGuard
      connection.expectedDerivedMark = derivedMark
      connection.identifier = identifier
      return connection
    }
  }

  private var replaced: PersistenceError { PersistenceError(.fileReplaced, path: path) }

  private func checkFile() throws {
    guard let fileNumber, LogFiles.number(path) == fileNumber else {
      throw PersistenceError(.fileReplaced, path: path)
    }
  }

  /// - Throws: `store.fileReplaced` when the file's log was deleted, moved or replaced.
  func checkLog() throws {
    if let path = log.moved { throw PersistenceError(.fileReplaced, path: path) }
  }

  /// Keeps the connection of a session that has ended, for the next session.
  func release(_ connection: Connection) {
    idle.withLock { if $0.count < 4 { $0.append(IdleConnection(connection)) } }
  }
}

/// A connection that is in no session.
// @unchecked: a lock passes it from one session to the next, and SQLite allows a connection on any
// thread as long as one thread uses it at a time.
struct IdleConnection: @unchecked Sendable {
  let connection: Connection
  init(_ connection: Connection) { self.connection = connection }
}

/// A file that has been opened as a store.
struct OpenedFile {
  let connection: Connection
  let identifier: UUID
  let entitiesWithoutRowID: Set<Int>
  let folder: ExternalFolder
  let hasExternalValues: Bool
  let formerIDs: FormerIDs
  /// What the store says about its derived columns.
  let derivedMark: String?
}
