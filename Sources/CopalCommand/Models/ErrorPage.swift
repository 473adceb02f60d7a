#if Command
  import CErrorPage
  import CopalModel

  /// What the page of errors says about a code.
  enum ErrorPage {
    private static let text = UnsafeRawBufferPointer(
      start: copal_error_page(), count: copal_error_page_count()
    )
    .withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }

    /// The section of a code, as people read it on a terminal.
    ///
    /// - Throws: with 64 for a code that does not exist, with the nearest one.
    static func section(_ code: String, _ terminal: Terminal) throws(CommandFailure) -> String {
      let sections = text.components(behind: "\n## ")
      guard let section = sections.first(where: { $0.prefix { $0 != "\n" } == code }) else {
        let codes = sections.map { String($0.prefix { $0 != "\n" }) }
        let nearest = NearestName.of(code, among: codes).map { "; did you mean '\($0)'?" } ?? ""
        throw CommandFailure(.usage, "copal: there is no code '\(code.printable)'\(nearest)")
      }
      let body = section.dropFirst(code.count)
      return terminal.styled(code, .place) + plain(String(body).trimmed) + "\n"
    }

    /// The text without the marks of links and of bold words.
    private static func plain(_ text: String) -> String {
      "\n\n"
        + text.replacing("**", with: "")
        .replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.output.1) }
    }
  }

  extension String {
    /// The parts behind each separator.
    fileprivate func components(behind separator: String) -> [Substring] {
      split(separator: separator, omittingEmptySubsequences: false).dropFirst().map { $0 }
    }

    fileprivate var trimmed: String {
      String(drop { $0.isNewline }.reversed().drop { $0.isWhitespace }.reversed())
    }
  }
#endif
