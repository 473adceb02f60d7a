import CopalEssentials

/// Gives a file or a folder another name, unless something has that name.
///
/// A check before `rename` is not enough: another program can make a file in between, and `rename`
/// would replace it.
package enum ExclusiveRename {
  /// A way to do it. File systems and systems differ in what they can.
  enum Method: CaseIterable {
    /// In one step: <https://man7.org/linux/man-pages/man2/renameat2.2.html>.
    case flag
    /// A second name, then without the first one. A folder cannot have two.
    case secondName
    /// A check before it: where there is nothing better.
    case check

    /// - Returns: 0, or the number of the error.
    fileprivate func run(_ path: String, _ new: String) -> Int32 {
      switch self {
      case .flag: return ExclusiveRename.inOneStep(path, new)
      case .secondName: return link(path, new) == 0 && unlink(path) == 0 ? 0 : errno
      case .check:
        if FileStatus(new, followsLinks: false) != nil { return EEXIST }
        return rename(path, new) == 0 ? 0 : errno
      }
    }

    /// Whether an error says that the method is not possible here.
    fileprivate func isMissing(_ code: Int32) -> Bool {
      switch self {
      case .flag: [EINVAL, ENOSYS, ENOTSUP].contains(code)
      case .secondName: [EPERM, ENOSYS, ENOTSUP, EMLINK, EISDIR].contains(code)
      case .check: false
      }
    }
  }

  /// - Returns: 0, or the number of the error: `EEXIST` when something has the name.
  package static func run(_ path: String, to new: String) -> Int32 {
    run(path, to: new, Method.allCases)
  }

  static func run(_ path: String, to new: String, _ methods: [Method]) -> Int32 {
    var code = ENOTSUP
    for method in methods {
      code = method.run(path, new)
      if !method.isMissing(code) { break }
    }
    return code
  }
}
