import CopalEssentials
import CopalModel
import CopalStore

/// Opens and inspects the store in a SQLite file.
struct SQLiteDriver: StoreDriver {
  /// How a program names the file.
  enum Location: Sendable {
    case url(URL)
    case name(String)
  }

  private let location: Location
  private let options: SQLiteStore.Options
  private let url: URL

  init(_ location: Location, _ options: SQLiteStore.Options) {
    self.location = location
    self.options = options
    url =
      switch location {
      case .url(let url): url
      case .name(let name): SQLiteStore.defaultURL(named: name)
      }
  }

  var name: String { url.path(percentEncoded: false) }

  func open(_ schema: StoreSchema) throws -> any PersistentStore {
    try open(OpeningRequest(schema))
  }

  func open(_ request: OpeningRequest) throws -> any PersistentStore {
    try checkLocation()
    if case .name = location { try createFolder() }
    return try SQLiteStore(path: name, request, options: options)
  }

  func inspect() throws -> StoreDescription? {
    try inspecting { try $0.describe() }
  }

  func plan(_ request: OpeningRequest, _ detail: MigrationPlan.Detail) throws -> MigrationPlan? {
    try inspecting { inspection in
      try inspection.read { try StoreUpgrade($0, request, options).plan(detail) }
    }
  }

  private func inspecting<R>(_ body: (StoreInspection) throws -> R?) throws -> R? {
    try checkLocation()
    do {
      return try body(StoreInspection(path: StorePath(name), options: options))
    } catch let error as PersistenceError where error.code == .folderMissing {
      // Opening by name creates the folder.
      if case .name = location { return nil }
      throw error
    }
  }

  func destroy() throws {
    try checkLocation()
    // Opening by name creates the folder, so without it there is no store.
    if case .name = location, !FileManager.default.fileExists(atPath: StorePath(name).folder) {
      return
    }
    try FileSizeSignal.heldBack { try StoreRemoval(StorePath(name), options).run() }
  }

  func replace(with other: any StoreDriver) throws {
    guard let other = other as? SQLiteDriver else {
      throw PersistenceError(.noFile, path: other.name)
    }
    try checkLocation()
    try other.checkLocation()
    if case .name = location { try createFolder() }
    try FileSizeSignal.heldBack {
      try StoreReplacement(
        of: StorePath(name), with: StorePath(other.name), options, other.options
      ).run()
    }
  }

  func move(to other: any StoreDriver) throws {
    guard let other = other as? SQLiteDriver else {
      throw PersistenceError(.noFile, path: other.name)
    }
    try checkLocation()
    try other.checkLocation()
    if case .name = other.location { try other.createFolder() }
    try FileSizeSignal.heldBack {
      try StoreMove(StorePath(name), to: StorePath(other.name), options).run()
    }
  }

  private func checkLocation() throws {
    switch location {
    case .url(let url):
      guard url.isFileURL else {
        throw PersistenceError(
          .cannotOpen, path: url.absoluteString,
          found: "it is not a file URL", expected: "URL(filePath:)")
      }
    case .name(let name):
      if let problem = StoreName.problem(name) {
        throw PersistenceError(.cannotOpen, path: "\(name.prefix(50)).sqlite", found: problem)
      }
    }
  }

  /// Makes the folder of a store with a name, and those above it that are missing. Only the user
  /// can enter them, as the XDG Base Directory Specification wants it:
  /// <https://specifications.freedesktop.org/basedir-spec/latest/>.
  private func createFolder() throws {
    var missing: [String] = []
    var folder = StorePath(name).folder
    while FileStatus(folder) == nil, folder != "/" {
      missing.append(folder)
      folder = StorePath(folder).folder
    }
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw PersistenceError(
        .notWritable, path: name,
        found: "the folder '\(folder)' cannot be created: \(FileFailure.text(errno))")
    }
  }
}
