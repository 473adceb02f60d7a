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
  /// A newer version of Copal has written the file.
  public static let newerFormat = Self("store.newerFormat") {
    let difference =
      $0.expected == nil
      ? "this version does not know \($0.foundText)"
      : "it has store format \($0.foundText), and this version reads up to \($0.expectedText)"
    // The functions of projections are those of the program.
    if $0.found?.contains("'projection ") == true {
      return
        "\($0.storeText) was written by a newer version of this program: \(difference); update the program; the file was not changed"
    }
    return
      "\($0.storeText) was written by a newer version of Copal: \(difference); update Copal; the file was not changed"
  }
  /// Copal's own tables in the file are damaged.
  public static let damagedMetadata = Self("store.damagedMetadata") {
    "\($0.storeText) is a Copal store, but its metadata is damaged: \($0.foundText); restore it from a backup"
  }
  /// Another program has changed tables or indexes of the file.
  public static let damagedSchema = Self("store.damagedSchema") {
    "\($0.storeText) is a Copal store, but another program has changed its tables:\($0.foundLines)\nundo the changes, or restore the store from a backup; no rows were changed"
  }
  /// The system's SQLite is older than Copal needs.
  public static let backendTooOld = Self("store.backendTooOld") {
    "the SQLite of this system has version \($0.foundText), and Copal needs \($0.expectedText) or later; update SQLite"
  }
  /// The store has a newer model than the program. It is not changed.
  public static let newerModel = Self("store.newerModel") {
    // Two models with one version: which is the newer one can only be told from what the file had.
    $0.found == $0.expected
      ? "\($0.storeText) had this program's model before, and has another one now; both say version \($0.foundText); the store was not changed; use the newer version of the program, and raise \"version\" with each change of a model"
      : "\($0.storeText) has a newer model than this program: version \($0.foundText), and the program has version \($0.expectedText); the store was not changed; use a newer version of the program, or raise \"version\" if the program's model is the newer one"
  }
  /// The model of the store cannot become that of the program, or has become another one since the
  /// program opened the store.
  public static let modelDiffers = Self("store.modelDiffers") {
    $0.causes.isEmpty
      ? "another program has migrated \($0.storeText) to another model since this program opened it; nothing was written; open the store again with that model"
      : "\($0.storeText) was written with another model, and its migration is refused for the reasons below; nothing was changed; during development you can erase the store with SQLiteStore.Options(erasesWhenModelDiffers: true)"
  }
  /// The file was deleted, moved or replaced while it was open. Nothing was written.
  public static let fileReplaced = Self("store.fileReplaced") {
    "\($0.storeText) was deleted, moved or replaced while it was open; nothing was written; open the store again"
  }
  /// The process was made by `fork` while a store was open. Nothing was read or written.
  public static let forked = Self("store.forked") {
    "this process can neither open nor use \($0.storeText), because it was made by fork while a store was open; nothing was changed; fork before the first store is opened, or start another program"
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
  /// The entity has no free key for a new object, because a row has the greatest possible key.
  public static let keysExhausted = Self("store.keysExhausted") {
    "\($0.entityText) cannot have more objects: another program gave a row the greatest possible copal_id; give that row a smaller copal_id"
  }
}
