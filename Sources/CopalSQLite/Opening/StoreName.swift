public import CopalEssentials

extension SQLiteStore {
  /// The URL of the file of a store that is opened by its name.
  ///
  /// The file is `NAME/NAME.sqlite` in the app's Application Support folder on Apple's platforms,
  /// and in `$XDG_DATA_HOME` elsewhere, which is `~/.local/share` when it is not set
  /// (<https://specifications.freedesktop.org/basedir-spec/latest/>).
  ///
  /// - Parameter name: the name of a store. For a name that is not possible for a file, the URL has
  ///   an underscore instead. The URL is never outside of the folder.
  public static func defaultURL(named name: String) -> URL {
    let file = StoreName.problem(name) == nil ? name.replacing("/", with: "_") : "_"
    return StoreName.folder.appending(path: file, directoryHint: .isDirectory)
      .appending(path: "\(file).sqlite", directoryHint: .notDirectory)
  }
}

/// The rules for names of stores, and the folder of their files.
enum StoreName {
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
