import CopalEssentials
import CopalStore

/// Erasing a folder, with what Copal has written into it and nothing else.
extension ExternalFolder {
  /// The path of something that Copal has not written: a file of a person in the folder or in its
  /// subfolder, or the folder itself when it is something else in its place. Nil when there is
  /// none, or no folder.
  var foreignPath: String? {
    guard let status = FileStatus(path, followsLinks: false) else { return nil }
    guard status.isFolder, let names = Self.everything(path) else { return path }
    for name in names {
      let entry = path + "/" + name
      if name == "new" {
        if let foreign = foreignPath(inNew: entry) { return foreign }
      } else if !Self.isPlainFile(entry) || !(name == "lock" || Self.isOwn(name)) {
        return entry
      }
    }
    return nil
  }

  private func foreignPath(inNew folder: String) -> String? {
    guard Self.isFolder(folder), let names = Self.everything(folder) else { return folder }
    let foreign = names.first { name in
      ExternalFileName(name) == nil || !Self.isPlainFile(folder + "/" + name)
    }
    return foreign.map { folder + "/" + $0 }
  }

  /// Removes the folder. If it has something that Copal has not written, this stays, and so does
  /// the folder.
  ///
  /// - Throws: an error of the system's when the folder stays.
  func erase() throws {
    for folder in [path + "/new", path] where Self.isFolder(folder) {
      for name in Self.everything(folder) ?? [] where name == "lock" || Self.isOwn(name) {
        _ = unlink(folder + "/" + name)
      }
      guard rmdir(folder) == 0 else { throw FileFailure.error(errno, folder) }
    }
  }

  /// Removes a folder that was made for a store that did not get its name. Meanwhile, the folder
  /// may
  /// have become that of another store.
  func eraseIfOwn() {
    if access(markPath, F_OK) == 0, otherMarks.isEmpty { try? erase() }
  }

  private static func isOwn(_ name: String) -> Bool {
    ExternalFileName(name) != nil || isMark(name) || isMarkOfWork(name)
  }

  private static func isPlainFile(_ path: String) -> Bool {
    FileStatus(path, followsLinks: false)?.isPlainFile == true
  }

  /// All names in a folder; nil when it cannot be read.
  private static func everything(_ folder: String) -> [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: folder).inOrder()
  }
}
