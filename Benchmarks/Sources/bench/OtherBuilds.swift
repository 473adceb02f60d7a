import Foundation

/// Checks whether a build or a test of Swift runs on this machine, which would use a part of every
/// core.
///
/// Cores share caches, memory and, in a virtual machine, the host's time. Only Linux lists
/// processes here; elsewhere only the ``QuietCheck`` notices other work.
enum OtherBuilds {
  private static let compilers: Set<String> = [
    "swift-build", "swift-test", "swift-package", "swift-driver", "swift-frontend", "swiftc",
    "swiftpm-testing-helper",
  ]

  /// The names of the running compilers, with their process numbers.
  static func running() -> [String] {
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else {
      return []
    }
    return entries.compactMap { entry in
      guard let number = Int(entry),
        let stat = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")")
      else { return nil }
      // The form is `12 (swift-build) S 1 …`; Z is an ended process. The system cuts names.
      let name = stat[stat.index(after: open)..<close]
      let isOver = stat[close...].dropFirst(2).first == "Z"
      let isCompiler = compilers.contains { $0.prefix(15) == name }
      return isCompiler && !isOver ? "\(name) (\(number))" : nil
    }
  }

  /// Waits until no compiler runs. Prints once what it waits for.
  static func wait() {
    var isSaid = false
    while let first = running().first {
      if !isSaid { Terminal.say("waiting: \(first) is running") }
      isSaid = true
      Thread.sleep(forTimeInterval: 1)
    }
  }
}
