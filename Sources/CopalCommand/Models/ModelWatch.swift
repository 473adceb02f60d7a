#if Command
  import CopalEssentials

  /// Checks files again and again, until the process is interrupted.
  struct ModelWatch {
    private let paths: [String]
    private let strict: Bool

    init(_ paths: [String], strict: Bool) {
      self.paths = paths
      self.strict = strict
    }

    func run(_ output: inout Output) throws {
      var times: [String: Int64?] = [:]
      var texts: [String: [UInt8]] = [:]
      var former: [String: Set<ModelReport.Finding>] = [:]
      while true {
        for path in paths {
          let time = Self.modification(path)
          if times[path] == time { continue }
          times[path] = time
          guard let file = try? TextFile(path) else {
            output.complain("copal: \(path.printable) is not there; waiting for it")
            continue
          }
          if texts[path] == file.bytes { continue }
          texts[path] = file.bytes
          let report = ModelReport(file, strict: strict)
          show(report, former[path], &output)
          former[path] = Set(report.findings)
          try output.flush()
        }
        usleep(250_000)
      }
    }

    /// The new state, after a line that says what has changed since the last one.
    private func show(
      _ report: ModelReport, _ former: Set<ModelReport.Finding>?, _ output: inout Output
    ) {
      if let former {
        let now = Set(report.findings)
        let (new, gone) = (now.subtracting(former).count, former.subtracting(now).count)
        output.line("\n\(report.file.name) has changed: \(new) new, \(gone) gone")
      }
      output.write(report.text(output.terminal))
    }

    /// The nanoseconds of the last change; nil for no file.
    private static func modification(_ path: String) -> Int64? {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }
#endif
