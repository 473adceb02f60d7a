#if Command
  import CopalConsole
  import CopalEssentials
  import CopalExchange

  /// What a stream is: a terminal with colors, or a file or a pipe.
  struct Terminal {
    let isTerminal: Bool
    let hasColors: Bool
    /// Whether it shows any color, and not only the 16 of every terminal.
    let hasAllColors: Bool
    /// The number of columns of the window; nil for a file or a pipe.
    let width: Int?

    /// - Parameter file: the number of the stream.
    init(_ file: CInt, environment: [String: String] = ProcessInfo.processInfo.environment) {
      isTerminal = isatty(file) == 1
      let isForced = environment["CLICOLOR_FORCE"].map { $0 != "0" && !$0.isEmpty } ?? false
      let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
      hasColors = !isRefused && (isForced || isTerminal && environment["TERM"] != "dumb")
      hasAllColors =
        hasColors && ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
      width = isTerminal ? KeyTerminal.width(of: file) ?? 80 : nil
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
      contains("\t")
        ? split(separator: "\t", omittingEmptySubsequences: false).map { String($0).inOneLine }
          .joined(separator: "\t") : inOneLine
    }
  }
#endif
