import CopalEssentials
import CopalModel
import CopalStore

/// Two marks of a folder for work that a kill can interrupt: empty files, which exist or not.
///
/// - `ending`: the folder goes with its store, which is being destroyed or moved away, or comes
///   with one that is being moved here. Beside a database it means nothing, because the work was
///   interrupted before its decisive step. Without one, the folder can be erased.
/// - `replacing`: the contents of the store are being replaced. Some files belong to the former
///   contents, some to the new ones, and `next-…` has the identifier of the new ones. The next
///   opening removes what no row refers to.
extension ExternalFolder {
  static let endingMark = "ending"
  private static let replacingMark = "replacing"
  private static let nextPrefix = "next-"

  /// Whether a file of that name is one of these marks.
  static func isMarkOfWork(_ name: String) -> Bool {
    name == endingMark || name == replacingMark
      || (name.hasPrefix(nextPrefix)
        && UUID(uuidString: String(name.dropFirst(nextPrefix.count))) != nil)
  }

  /// Whether the folder goes with a store that does not exist any more.
  static func isEnding(beside file: String) -> Bool {
    access(file + suffix + "/" + endingMark, F_OK) == 0
  }

  func setEnding() throws { try makeMark(Self.endingMark) }

  /// The store exists, so the folder stays.
  func removeEnding() { _ = unlink(path + "/" + Self.endingMark) }

  /// The contents of the store are about to be replaced by those of another identifier.
  func setReplacing(by next: UUID) throws {
    try makeMark(Self.nextPrefix + next.uuidString)
    try makeMark(Self.replacingMark)
  }

  /// Whether a replacement was interrupted, or is not finished yet.
  var isReplacing: Bool { access(path + "/" + Self.replacingMark, F_OK) == 0 }

  /// Gives the folder to the contents that the store has now, those of this identifier: after a
  /// replacement, or after an interrupted one.
  func finishReplacing() throws {
    if access(path + "/" + Self.nextPrefix + identifier.uuidString, F_OK) == 0 {
      for mark in otherMarks { _ = unlink(mark) }
      try claim()
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name.hasPrefix(Self.nextPrefix) { _ = unlink(path + "/" + name) }
    _ = unlink(path + "/" + Self.replacingMark)
  }

  private func makeMark(_ name: String) throws {
    let mark = path + "/" + name
    if access(mark, F_OK) == 0 { return }
    try store?.makeEmptyFile(mark)
    try Self.sync(path)
  }
}
