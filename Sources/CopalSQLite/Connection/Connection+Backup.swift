import CCopalSQLite
import CopalModel

extension Connection {
  /// Replaces all contents of the file by those of another one, in one transaction:
  /// <https://www.sqlite.org/c3ref/backup_finish.html>.
  func takeContents(of other: Connection) throws {
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw error(sqlite3_errcode(handle))
    }
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw error(end == SQLITE_OK ? code : end) }
  }
}
