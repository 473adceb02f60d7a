import Foundation

/// Tells whether a build or a test of Swift runs on this machine: it would take a part of every core.
///
/// Two cores are not two machines: they share caches, memory and, where they are virtual, the time that the
/// host gives. Linux tells who runs; elsewhere only the ``Yardstick`` notices.
enum Neighbors {
  private static let compilers: Set<String> = [
    "swift-build", "swift-test", "swift-package", "swift-driver", "swift-frontend", "swiftc",
    "swiftpm-testing-helper",
  ]

  /// The names of those that run now, with their process numbers.
  static func running() -> [String] {
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else {
      return []
    }
    return entries.compactMap { entry in
      guard let number = Int(entry),
        let stat = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")")
      else { return nil }
      // As `12 (swift-build) S 1 …`: a Z would be one that has ended. The system cuts names.
      let name = stat[stat.index(after: open)..<close]
      let isOver = stat[close...].dropFirst(2).first == "Z"
      let isCompiler = compilers.contains { $0.prefix(15) == name }
      return isCompiler && !isOver ? "\(name) (\(number))" : nil
    }
  }

  /// Waits until no compiler runs. Says once what it waits for.
  static func wait() {
    var isSaid = false
    while let first = running().first {
      if !isSaid { Terminal.say("waiting: \(first) is running") }
      isSaid = true
      Thread.sleep(forTimeInterval: 1)
    }
  }
}
