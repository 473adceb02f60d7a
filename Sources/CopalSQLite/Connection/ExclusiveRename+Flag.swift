import CCopalSQLite
import CopalEssentials

extension ExclusiveRename {
  /// Gives a file another name in one step of the system, unless there is a file of that name.
  ///
  /// - Returns: 0, or the number of the error.
  static func inOneStep(_ path: String, _ new: String) -> Int32 {
    copal_rename_exclusively(path, new) == 0 ? 0 : errno
  }
}
