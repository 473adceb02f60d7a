import CopalTestTools
import Foundation

/// The files of a folder while a record is played, and what may be left of them when the power is
/// lost: everything that was synced, and of the rest any part.
///
/// What a sync promises is what POSIX says, and no more: the sync of a file is about its contents,
/// and that of a folder about the names in it
/// (<https://pubs.opengroup.org/onlinepubs/9799919799/functions/fsync.html>).
struct LostPower {
  /// The contents of a file: what was synced, and the changes since.
  private final class File {
    var synced: [UInt8] = []
    var changes: [Change] = []
  }

  private enum Change {
    case write(offset: Int, [UInt8])
    case resize(Int)
  }

  private enum NameChange {
    case add(String, File?)
    case rename(String, String)
    case remove(String)

    /// The folders whose sync keeps the change.
    var folders: Set<String> {
      switch self {
      case .add(let path, _), .remove(let path): [LostPower.folder(of: path)]
      case .rename(let old, let new): [LostPower.folder(of: old), LostPower.folder(of: new)]
      }
    }
  }

  /// The names as the process sees them, and those that are on the disk; nil for a folder.
  private var names: [String: File?] = [:]
  private var durable: [String: File?] = [:]
  private var nameChanges: [NameChange] = []
  /// The last mark.
  private(set) var mark: String?

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  mutating func play(_ entry: IORecord.Entry) {
    switch entry {
    case .write(let path, let offset, let bytes):
      file(path)?.changes.append(.write(offset: offset, bytes))
    case .resize(let path, let size): file(path)?.changes.append(.resize(size))
    case .create(let path): add(path, File())
    case .makeFolder(let path): add(path, nil)
    case .rename(let old, let new):
      Self.apply(.rename(old, new), to: &names)
      nameChanges.append(.rename(old, new))
    case .remove(let path), .removeFolder(let path):
      names.removeValue(forKey: path)
      nameChanges.append(.remove(path))
    case .sync(let path): sync(path)
    case .mark(let text): mark = text
    }
  }

  private mutating func add(_ path: String, _ file: File?) {
    names[path] = .some(file)
    nameChanges.append(.add(path, file))
  }

  private func file(_ path: String) -> File? { names[path] ?? nil }

  private mutating func sync(_ path: String) {
    if let file = file(path) {
      for change in file.changes { Self.apply(change, to: &file.synced) }
      file.changes = []
      return
    }
    var rest: [NameChange] = []
    for change in nameChanges {
      if change.folders.contains(path) {
        Self.apply(change, to: &durable)
      } else {
        rest.append(change)
      }
    }
    nameChanges = rest
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let new):
      if bytes.count < offset + new.count {
        bytes += Array(repeating: 0, count: offset + new.count - bytes.count)
      }
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    case .resize(let size):
      if size < bytes.count {
        bytes.removeLast(bytes.count - size)
      } else {
        bytes += Array(repeating: 0, count: size - bytes.count)
      }
    }
  }

  private static func apply(_ change: NameChange, to names: inout [String: File?]) {
    switch change {
    case .add(let path, let file): names[path] = .some(file)
    case .rename(let old, let new):
      if let file = names.removeValue(forKey: old) { names[new] = file }
      // What is in a folder goes with it.
      for (path, file) in names where path.hasPrefix(old + "/") {
        names.removeValue(forKey: path)
        names[new + path.dropFirst(old.count)] = .some(file)
      }
    case .remove(let path): names.removeValue(forKey: path)
    }
  }

  /// What of the changes that were not synced is there.
  enum Loss: CaseIterable {
    /// Everything is: the process was killed, and the system went on.
    case nothing
    /// Nothing is.
    case everything
    /// A part of the changes is.
    case some
    /// A part of the changes is, and a part of the sectors of each write.
    case torn
  }

  /// Writes the files that are left into a folder.
  func write(into folder: URL, _ loss: Loss, _ random: inout SplitMix) throws {
    var left = durable
    // A file system that keeps a journal applies changes of names in their order.
    let count =
      switch loss {
      case .nothing: nameChanges.count
      case .everything: 0
      case .some, .torn: Int.random(in: 0...nameChanges.count, using: &random)
      }
    for change in nameChanges.prefix(count) { Self.apply(change, to: &left) }
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    // A folder comes before what is in it.
    for (path, file) in left.sorted(by: { $0.key < $1.key }) {
      let url = folder.appending(path: path)
      guard let file else {
        try manager.createDirectory(at: url, withIntermediateDirectories: true)
        continue
      }
      // The name of its folder was lost.
      guard manager.fileExists(atPath: url.deletingLastPathComponent().path(percentEncoded: false))
      else { continue }
      try Data(Self.contents(of: file, loss, &random)).write(to: url)
    }
  }

  private static func contents(of file: File, _ loss: Loss, _ random: inout SplitMix) -> [UInt8] {
    var bytes = file.synced
    for change in file.changes {
      switch loss {
      case .nothing: apply(change, to: &bytes)
      case .everything: break
      case .some: if Bool.random(using: &random) { apply(change, to: &bytes) }
      case .torn: for part in parts(of: change, &random) { apply(part, to: &bytes) }
      }
    }
    return bytes
  }

  /// Some of the sectors of a write.
  private static func parts(of change: Change, _ random: inout SplitMix) -> [Change] {
    guard case .write(let offset, let bytes) = change else {
      return Bool.random(using: &random) ? [change] : []
    }
    let size = 512
    return stride(from: 0, to: bytes.count, by: size).compactMap { start in
      guard Bool.random(using: &random) else { return nil }
      let part = Array(bytes[start..<min(start + size, bytes.count)])
      return .write(offset: offset + start, part)
    }
  }
}
