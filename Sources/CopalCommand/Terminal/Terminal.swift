#if Command
  import CopalEssentials

  /// What a stream is: a terminal with colors, or a file or a pipe.
  struct Terminal {
    let isTerminal: Bool
    let hasColors: Bool

    /// - Parameter file: the number of the stream.
    init(_ file: CInt, environment: [String: String] = ProcessInfo.processInfo.environment) {
      isTerminal = isatty(file) == 1
      let isForced = environment["CLICOLOR_FORCE"].map { $0 != "0" && !$0.isEmpty } ?? false
      let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
      hasColors = !isRefused && (isForced || isTerminal && environment["TERM"] != "dumb")
    }

    /// A style of the 16 colors of terminals, which can be read on a light and a dark background.
    enum Style: String {
      case error = "31;1"
      case warning = "35;1"
      case place = "1"
      case removed = "31"
      case added = "32"
      case mark = "32;1"
    }

    /// The text in a style, where there are colors.
    func styled(_ text: String, _ style: Style) -> String {
      hasColors ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
  }

  extension String {
    /// The text without anything that changes a terminal: control characters and marks of
    /// direction are shown as `\u{1B}`. A tabulator stays.
    var printable: String {
      if unicodeScalars.allSatisfy({ !$0.changesTerminals }) { return self }
      return unicodeScalars.map { scalar in
        scalar.changesTerminals
          ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
      }.joined()
    }
  }

  extension Unicode.Scalar {
    fileprivate var changesTerminals: Bool {
      switch value {
      case 9: false
      case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
      default: false
      }
    }
  }
#endif
