public import CopalEssentials
import CopalModel
public import CopalStore

extension StoreConfiguration {
  /// Not a store: a SQLite store needs a file. Write ``sqlite(named:options:)`` or ``sqlite(at:options:)``.
  @available(
    *, unavailable,
    message: "a SQLite store needs a file: write .sqlite(named: \"Atelier\") or .sqlite(at: url)"
  )
  public static var sqlite: StoreConfiguration { sqlite(named: "") }

  /// A store in a SQLite file at a URL. The file is created when it does not exist.
  ///
  /// ```swift
  /// let container = try PersistentContainer(model: .atelier, store: .sqlite(at: url))
  /// ```
  ///
  /// - Parameters:
  ///   - url: the URL of the file. Its folder must exist. A URL that is not a file URL makes the container throw
  ///     `store.cannotOpen`.
  ///   - options: timeout, durability and other options.
  public static func sqlite(
    at url: URL, options: SQLiteStore.Options = SQLiteStore.Options()
  ) -> StoreConfiguration {
    let path = url.path(percentEncoded: false)
    return StoreConfiguration(name: path) { schema in
      guard url.isFileURL else {
        throw PersistenceError(
          .cannotOpen, path: url.absoluteString,
          found: "it is not a file URL", expected: "URL(filePath:)")
      }
      return try SQLiteStore(path: path, schema: schema, options: options)
    }
  }

  /// A store in a SQLite file in the default folder for the user's data. The file is created when it does not
  /// exist.
  ///
  /// ```swift
  /// let container = try PersistentContainer(
  ///   model: .atelier, store: .sqlite(named: "Atelier"), transformers: [InkTransformer()])
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the store; ``SQLiteStore/defaultURL(named:)`` returns the URL of its file. The
  ///     folder is created when it is missing. A slash becomes an underscore. A name that is not possible for a
  ///     file makes the container throw `store.cannotOpen`: an empty name, `.`, `..`, a name with a NUL character,
  ///     or one of more than 200 bytes.
  ///   - options: timeout, durability and other options.
  public static func sqlite(
    named name: String, options: SQLiteStore.Options = SQLiteStore.Options()
  ) -> StoreConfiguration {
    let url = SQLiteStore.defaultURL(named: name)
    let path = url.path(percentEncoded: false)
    return StoreConfiguration(name: path) { schema in
      if let problem = StoreName.problem(name) {
        throw PersistenceError(.cannotOpen, path: "\(name.prefix(50)).sqlite", found: problem)
      }
      do {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      } catch {
        throw PersistenceError(
          .notWritable, path: path, found: "its folder cannot be created", causes: [error])
      }
      return try SQLiteStore(path: path, schema: schema, options: options)
    }
  }
}

extension SQLiteStore {
  /// The URL of the file of a store that is opened by its name.
  ///
  /// The file is `NAME/NAME.sqlite` in the app's Application Support folder on Apple's platforms, and in
  /// `$XDG_DATA_HOME` elsewhere, which is `~/.local/share` when it is not set
  /// (<https://specifications.freedesktop.org/basedir-spec/latest/>).
  ///
  /// - Parameter name: the name of a store. For a name that is not possible for a file, the URL has an underscore
  ///   instead. The URL is never outside of the folder.
  public static func defaultURL(named name: String) -> URL {
    let file = StoreName.problem(name) == nil ? name.replacing("/", with: "_") : "_"
    return StoreName.folder.appending(path: file, directoryHint: .isDirectory)
      .appending(path: "\(file).sqlite", directoryHint: .notDirectory)
  }
}

/// The rules for names of stores, and the folder of their files.
private enum StoreName {
  static var folder: URL {
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

  /// Why a name cannot be used; nil for a valid name.
  static func problem(_ name: String) -> String? {
    if name.isEmpty || name == "." || name == ".." {
      return "a file cannot have the name '\(name)'"
    }
    if name.utf8.contains(0) { return "the name contains a NUL character" }
    // Most file systems allow 255 bytes, and the names of SQLite's other files are a few bytes
    // longer.
    let maximumLength = 200
    let length = name.utf8.count
    return length > maximumLength
      ? "the name has \(length) bytes, and the maximum is \(maximumLength)" : nil
  }
}
