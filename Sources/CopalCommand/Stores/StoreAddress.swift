#if Command
  import CopalConsole
  import CopalEssentials
  import CopalModel
  import CopalSQLite
  import CopalStore

  /// What an argument STORE names: the path of a file, or an address with a scheme such as
  /// `postgresql://example.com/shop`.
  struct StoreAddress {
    /// The argument.
    let text: String
    /// The stores with the scheme of the address; nil for a path.
    private let kind: AddressedStores?

    /// - Throws: with 64 for an address whose scheme no store has.
    init(_ text: String) throws(CommandFailure) {
      self.text = text
      guard let scheme = Self.scheme(of: text) else {
        kind = nil
        return
      }
      let kinds = CommandSetup.current.withLock { $0.stores }
      guard let kind = kinds.first(where: { $0.scheme == scheme.lowercased() }) else {
        throw Self.unknown(scheme, kinds)
      }
      guard text.utf8.count > scheme.utf8.count + 3 else {
        throw CommandFailure(.usage, "copal: \(text.printable) has nothing after its scheme")
      }
      guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
        throw CommandFailure(
          .usage,
          "copal: \(text.printable) has a space or a control character; write it as %20, for example"
        )
      }
      self.kind = kind
    }

    /// What is before `://`, if it can be a scheme:
    /// <https://www.rfc-editor.org/rfc/rfc3986#section-3.1>.
    private static func scheme(of text: String) -> String? {
      guard let end = text.firstRange(of: "://")?.lowerBound else { return nil }
      let scheme = text[..<end]
      let isScheme =
        scheme.first.map { $0.isASCII && $0.isLetter } ?? false
        && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      return isScheme ? String(scheme) : nil
    }

    /// Refuses arguments that are an address with a password, because other users of the machine
    /// see them. Whatever can be a password is one, also in what is no address of a store.
    ///
    /// - Throws: with 64, and without the address.
    static func refusePasswords(in arguments: [String]) throws(CommandFailure) {
      guard arguments.contains(where: hasPassword) else { return }
      throw CommandFailure(
        .usage,
        "copal: the address has a password, which other users of this machine can see; leave it out, and write it where the client of the database looks for it, such as in ~/.pgpass"
      )
    }

    /// Whether an argument, also one such as `--output=…`, is an address with something between a
    /// colon and an at sign, or with a parameter that has the name of a password.
    private static func hasPassword(_ argument: String) -> Bool {
      guard let parts = argument.firstRange(of: "://") else { return false }
      let isAddress = argument[..<parts.lowerBound].unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || " =+-.:_0123456789".unicodeScalars.contains($0))
      }
      if !isAddress { return false }
      let rest = argument[parts.upperBound...].unicodeScalars
      if let at = rest.lastIndex(of: "@"), let colon = rest[..<at].firstIndex(of: ":"),
        rest.index(after: colon) < at
      {
        return true
      }
      let names = rest.split { "?&;#".unicodeScalars.contains($0) }.dropFirst().map { parameter in
        String(Substring(parameter.prefix { $0 != "=" })).replacing(/%([0-9A-Fa-f]{2})/) { escape in
          UInt8(escape.output.1, radix: 16).map { String(UnicodeScalar($0)) } ?? ""
        }.lowercased()
      }
      return names.contains { name in
        name == "pass"
          || ["password", "passwd", "pwd", "secret", "token"].contains(where: name.contains)
      }
    }

    private static func unknown(_ scheme: String, _ kinds: [AddressedStores]) -> CommandFailure {
      let hint =
        ["file", "sqlite"].contains(scheme.lowercased())
        ? "write the path of a file without a scheme"
        : NearestName.of(scheme, among: kinds.map(\.scheme)).map { "did you mean '\($0)://'?" }
          ?? "a program adds some to a command of its own, with CopalCommand.main(stores:)"
      return CommandFailure(
        .usage, "copal: this copal has no stores at '\(scheme.printable)://'; \(hint)")
    }

    var isFile: Bool { kind == nil }

    /// Whether it is that of a store, and not of a model file.
    func isStore() throws(CommandFailure) -> Bool {
      if kind != nil { return true }
      if !FileManager.default.fileExists(atPath: text) { return false }
      return try TextFile(text, upToCount: 100).isStore
    }

    /// The complete text of the model of the store.
    ///
    /// - Throws: when there is no store.
    func modelText() throws -> String {
      guard try isStore(), let found = try kind?.modelText(text) ?? fileText() else {
        throw noStore
      }
      return found
    }

    private func fileText() throws -> String? {
      isFile ? try StoreTexts.model(at: text) : nil
    }

    func configuration(isReadOnly: Bool) throws -> StoreConfiguration {
      if let kind { return try kind.configuration(text, isReadOnly) }
      var options = SQLiteStore.Options()
      options.isReadOnly = isReadOnly
      return .sqlite(at: URL(filePath: text), options: options)
    }

    /// What the store is; nil when there is none.
    func report() throws -> StoreReport? {
      try isFile && isStore() ? StoreReport(at: text) : nil
    }

    var noStore: CommandFailure {
      if isFile, access(text, F_OK) != 0 {
        return CommandFailure(
          .inputOutput,
          "copal: \(text.printable) cannot be read: \(String(cString: strerror(errno)))")
      }
      return CommandFailure(.badInput, "copal: \(text.printable) is no store")
    }

    /// Waits while another program makes the file: it is empty at first, and for a moment without a
    /// lock.
    func waitForMaker() throws {
      if !isFile { return }
      let end = ContinuousClock.now + .seconds(SQLiteStore.Options().busyTimeoutSeconds)
      var rounds = 0
      var status = stat()
      while stat(text, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
        if StoreTexts.isBeingMade(at: text) {
          if ContinuousClock.now >= end { throw PersistenceError(.busy, path: text) }
        } else {
          rounds += 1
          if rounds == 10 { return }
        }
        usleep(20_000)
      }
    }

    /// Copies the store to a path, as of one moment.
    func backUp(_ store: any PersistentStore, to path: String) throws {
      let path = URL(filePath: path).path(percentEncoded: false)
      guard let sqlite = store as? SQLiteStore else { return try store.backup(to: path) }
      try sqlite.backup(to: path, isCanceled: Interruption.isRequested)
    }

    /// Makes a file that is not there, and fills it. It is there when it is whole.
    ///
    /// - Returns: nil when there is a file, and for another store.
    func making<R>(_ body: (StoreAddress) throws -> R) throws -> R? {
      if !isFile { return nil }
      do {
        return try NewStore(at: text, isCanceled: Interruption.isRequested).make {
          try body(StoreAddress($0))
        }
      } catch let error as PersistenceError where error.code == .pathTaken {
        throw CommandFailure(
          .inputOutput,
          "copal: another program has made \(text.printable) meanwhile; nothing was imported; try again"
        )
      }
    }
  }

  extension TextFile {
    /// Whether the bytes are those of a database: <https://www.sqlite.org/fileformat.html>.
    fileprivate var isStore: Bool { bytes.starts(with: Array("SQLite format 3\0".utf8)) }
  }
#endif
