public import CopalObjects
public import CopalSQLite
import CopalStore
public import Foundation

extension PersistentContainer {
  /// Opens a SQLite store, and makes it when there is none.
  ///
  /// ```swift
  /// let container = try PersistentContainer(name: "Colors", model: .colors)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the store; its file is `NAME.sqlite`. Any text that a file may be called: not
  ///     empty, neither `.` nor `..`, of at most 200 bytes; a slash becomes an underscore. With a `url` it
  ///     names nothing.
  ///   - model: the model and its classes, such as the generated `.colors`.
  ///   - url: the file. Default: `defaultStoreURL(name:)`, whose folder is made when it is missing.
  ///   - options: timeouts, durability and the like.
  ///   - transformers: transformers for this container alone, under their own names or those given with
  ///     ``AttributeTransformer/named(_:)``.
  /// - Throws: ``ModelError``; ``PersistenceError`` with a code of `container.…`, `transformer.…` or
  ///   `store.…`.
  public convenience init(
    name: String, model: ModelBinding, url: URL? = nil,
    options: SQLiteStore.Options = SQLiteStore.Options(),
    transformers: [any AttributeTransformer] = []
  ) throws {
    let file = try url ?? Self.preparedStoreURL(name: name)
    try self.init(
      model: model, store: .sqlite(at: file, options: options), transformers: transformers)
  }

  /// Opens a SQLite store without blocking the caller's thread.
  ///
  /// - Throws: as the initialiser.
  public static func open(
    name: String, model: ModelBinding, url: URL? = nil,
    options: SQLiteStore.Options = SQLiteStore.Options(),
    transformers: [any AttributeTransformer] = []
  ) async throws -> PersistentContainer {
    let file = try url ?? preparedStoreURL(name: name)
    return try await open(
      model: model, store: .sqlite(at: file, options: options), transformers: transformers)
  }

  /// Where a store of that name lies when nobody says otherwise.
  ///
  /// On Apple's platforms in the app's Application Support folder; elsewhere in
  /// `$XDG_DATA_HOME/NAME/`, which is `~/.local/share/NAME/` unless set
  /// (<https://specifications.freedesktop.org/basedir-spec/latest/>).
  ///
  /// - Parameter name: as a container takes it. The URL of a name that a container refuses is that of
  ///   underscores in its place, and never outside of the folder.
  public static func defaultStoreURL(name: String) -> URL {
    let file = nameProblem(name) == nil ? name.replacing("/", with: "_") : "_"
    return userDataFolder.appending(path: file, directoryHint: .isDirectory)
      .appending(path: "\(file).sqlite", directoryHint: .notDirectory)
  }

  private static var userDataFolder: URL {
    #if canImport(Darwin)
      return URL.applicationSupportDirectory
    #else
      let environment = ProcessInfo.processInfo.environment
      if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") {
        return URL(filePath: folder, directoryHint: .isDirectory)
      }
      return URL.homeDirectory.appending(path: ".local/share", directoryHint: .isDirectory)
    #endif
  }

  /// Why no store can have a name; nil for one that can.
  private static func nameProblem(_ name: String) -> String? {
    if name.isEmpty || name == "." || name == ".." { return "'\(name)' is no name for a file" }
    if name.utf8.contains(0) { return "the name has a NUL" }
    // Most file systems take names of 255 bytes, and SQLite's own files have a few more than the store's.
    let longest = 200
    let length = name.utf8.count
    return length > longest ? "the name has \(length) bytes, of at most \(longest)" : nil
  }

  private static func preparedStoreURL(name: String) throws -> URL {
    if let problem = nameProblem(name) {
      throw PersistenceError(.cannotOpen, path: "\(name.prefix(50)).sqlite", found: problem)
    }
    let file = defaultStoreURL(name: name)
    let folder = file.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw PersistenceError(
        .notWritable, path: file.path(percentEncoded: false),
        found: "its folder cannot be made", causes: [error])
    }
    return file
  }
}
