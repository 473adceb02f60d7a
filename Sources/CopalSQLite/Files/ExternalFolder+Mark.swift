import CopalEssentials
import CopalModel
import CopalStore

/// The mark of a folder: an empty file whose name has the identifier of the store.
///
/// A database can be deleted, emptied or exchanged without its folder. Then no row of the other
/// database has the names of the files, and a removal of files would delete them. The mark says
/// whose they are. It is a name without contents, so that it exists or not, also after a power
/// failure. A folder without a mark is one of an earlier version, or its program was killed when it
/// made the folder: the next opening marks it.
extension ExternalFolder {
  private static let markPrefix = "store-"

  var markPath: String { path + "/" + Self.markPrefix + identifier.uuidString }

  /// Whether a file of that name is a mark.
  static func isMark(_ name: String) -> Bool {
    name.hasPrefix(markPrefix) && UUID(uuidString: String(name.dropFirst(markPrefix.count))) != nil
  }

  /// The paths of the marks of other stores.
  var otherMarks: [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return found.filter(Self.isMark).map { path + "/" + $0 }.filter { $0 != markPath }
  }

  /// Marks the folder with the identifier of the store. A folder without large values may have been
  /// that of another store.
  ///
  /// Everything that writes or removes files calls it first. Usually it is one call of the system.
  ///
  /// - Throws: `store.filesOfAnotherStore`; `store.notWritable` and others when the mark cannot be
  ///   written.
  func claim() throws {
    if access(markPath, F_OK) == 0 { return }
    try checkHasNoOtherMark()
    for mark in otherMarks { _ = unlink(mark) }
    do {
      try store?.makeEmptyFile(markPath)
    } catch {
      // Another program may have made it already.
      if access(markPath, F_OK) != 0 { throw error }
    }
  }

  /// Checks that no large values of another store are in the folder, also not beside those of this
  /// store: a person may have copied one folder into another.
  ///
  /// - Throws: `store.filesOfAnotherStore`.
  func checkHasNoOtherMark() throws {
    guard !otherMarks.isEmpty, !names.isEmpty else { return }
    throw PersistenceError(.filesOfAnotherStore, path: storePath, found: path)
  }
}
