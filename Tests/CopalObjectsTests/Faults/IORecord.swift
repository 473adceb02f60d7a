import Foundation

/// What a process did with the files of a folder, as `Scripts/io-faults.c` records it.
struct IORecord {
  enum Entry: Equatable {
    case write(String, offset: Int, [UInt8])
    /// A file is cut, or becomes longer.
    case resize(String, Int)
    /// A sync of a file or of a folder.
    case sync(String)
    case create(String)
    case rename(String, String)
    case remove(String)
    case makeFolder(String)
    case removeFolder(String)
    case mark(String)
  }

  struct Damaged: Error { let position: Int }

  private(set) var entries: [Entry] = []

  init(_ bytes: [UInt8]) throws {
    var position = 0
    while position < bytes.count {
      let start = position
      guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else {
        throw Damaged(position: start)
      }
      let words = String(decoding: bytes[position..<end], as: UTF8.self).split(separator: " ")
        .map(String.init)
      position = end + 1
      switch (words.first, words.count) {
      case ("W", 4):
        guard let offset = Int(words[2]), let count = Int(words[3]), position + count <= bytes.count
        else { throw Damaged(position: start) }
        let written = Array(bytes[position..<position + count])
        entries.append(.write(words[1], offset: offset, written))
        position += count
      case ("T", 3): entries.append(.resize(words[1], Int(words[2]) ?? 0))
      case ("S", 2): entries.append(.sync(words[1]))
      case ("C", 2): entries.append(.create(words[1]))
      case ("R", 3): entries.append(.rename(words[1], words[2]))
      case ("U", 2): entries.append(.remove(words[1]))
      case ("F", 2): entries.append(.makeFolder(words[1]))
      case ("X", 2): entries.append(.removeFolder(words[1]))
      case ("M", 2): entries.append(.mark(words[1]))
      default: throw Damaged(position: start)
      }
    }
  }
}
