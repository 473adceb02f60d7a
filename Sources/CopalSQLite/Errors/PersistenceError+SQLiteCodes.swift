import CopalModel
public import CopalStore

/// Opening a SQLite file.
extension PersistenceError.Code {
  /// The folder of the file does not exist.
  public static let folderMissing = Self("store.folderMissing") {
    "\($0.storeText) cannot be opened: its folder does not exist; create the folder first"
  }
  /// The file is not a SQLite database.
  public static let notADatabase = Self("store.notADatabase") {
    "\($0.storeText) is not a SQLite database: \($0.foundText); choose another path, or restore the file from a backup"
  }
  /// The file is a SQLite database of another program.
  public static let notACopalStore = Self("store.notACopalStore") {
    "\($0.storeText) is a SQLite database, but not a Copal store: its application_id is \($0.foundText), and must be \($0.expectedText); choose another path; the file was not changed"
  }
  /// The file is a SQLite database whose texts are not in UTF-8.
  public static let notUTF8 = Self("store.notUTF8") {
    "\($0.storeText) has its texts in \($0.foundText), and Copal needs UTF-8, because SQLite sorts and compares texts by the bytes of their encoding; copy the data into a database in UTF-8, or choose another path; the file was not changed"
  }
  /// The system's SQLite is older than Copal needs.
  public static let backendTooOld = Self("store.backendTooOld") {
    "the SQLite of this system has version \($0.foundText), and Copal needs \($0.expectedText) or later; update SQLite"
  }
  /// The file was deleted, moved or replaced while it was open. Nothing was written.
  public static let fileReplaced = Self("store.fileReplaced") {
    "\($0.storeText) was deleted, moved or replaced while it was open; nothing was written; open the store again"
  }
  /// What the store keeps to find parts of texts is damaged or was removed. No object is damaged.
  public static let searchNeedsRebuild = Self("search.needsRebuild") {
    "what \($0.storeText) keeps to find parts of texts is damaged or was removed: \($0.foundText); no object is damaged; call rebuildSearch() of the container, or open the store again"
  }
  /// There is no store in the file, but there are large values beside it.
  public static let filesWithoutStore = Self("store.filesWithoutStore") {
    "a new store cannot be made at '\($0.path ?? "")', because the folder '\($0.foundText)' has large values of a store that was deleted or emptied; put the database of that store back, or move or delete the folder; nothing was changed"
  }
  /// The folder beside the store has the large values of another store.
  public static let filesOfAnotherStore = Self("store.filesOfAnotherStore") {
    "the folder '\($0.foundText)' has large values of another store than '\($0.path ?? "")'; no file was written or removed; put the folder of this store in its place, or move it away"
  }
}
