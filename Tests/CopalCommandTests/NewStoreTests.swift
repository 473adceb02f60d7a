#if Command
  import Copal
  import CopalTestSupport
  import CopalTestTools
  import Foundation
  import Testing

  @Suite("Imports into a store that is not there")
  struct NewStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let model = """
      { "copal": 1, "model": "Stock", "entities": {
        "Pigment": {
          "attributes": {
            "name": { "type": "string", "minimumLength": 2 },
            "scan": { "type": "binary?", "external": 100 }
          },
          "unique": ["name"]
        }
      } }
      """

    private var store: String { path("New.sqlite") }

    private func path(_ name: String) -> String {
      folder.url.appending(path: name).path(percentEncoded: false)
    }

    @discardableResult
    private func write(_ text: String, _ name: String) throws -> String {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
      return path(name)
    }

    /// The names of the files at the path of the store and beside it.
    private func files(_ name: String = "New.sqlite") throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: path("")).filter { $0.hasPrefix(name) }
        .sorted()
    }

    /// What the `sqlite3` shell answers.
    private func sqlite3(_ sql: String) throws -> String {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["sqlite3", "-cmd", ".timeout 5000", store, sql]
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    // MARK: Files to import

    enum Form: String, CaseIterable { case csv, jsonl, export }

    /// The lines of a file with pigments of a letter. Every five hundredth has a large value.
    private func lines(_ form: Form, _ letter: String, _ count: Int, mistakeAt mistake: Int? = nil)
      -> [String]
    {
      let scan = Data(repeating: 7, count: 200).base64EncodedString()
      let model = Self.model.replacing("\"", with: "\\\"").replacing("\n", with: " ")
      var lines: [String] =
        switch form {
        case .csv: ["name,scan"]
        case .jsonl: []
        case .export:
          ["{\"$copal\": \"export\", \"format\": 1, \"model\": \"\(model)\", \"metadata\": {}}"]
        }
      for number in 1...count {
        let name = number == mistake ? "U" : "\(letter) \(number)"
        let value = number % 500 == 1 ? scan : nil
        let end = value.map { ", \"scan\": \"\($0)\"" } ?? ""
        switch form {
        case .csv: lines.append("\(name),\(value ?? "")")
        case .jsonl: lines.append("{\"name\": \"\(name)\"\(end)}")
        case .export:
          lines.append(
            "{\"$entity\": \"Pigment\", \"$id\": \(number), \"name\": \"\(name)\"\(end)}")
        }
      }
      if form == .export { lines.append("{\"$end\": true, \"objects\": \(count)}") }
      return lines
    }

    private func arguments(_ form: Form, _ file: String) throws -> [String] {
      let model = try write(Self.model, "Stock.model.json")
      let forRecords = ["import", store, "Pigment", file, "--model", model]
      return switch form {
      case .csv: forRecords + ["--format", "csv"]
      case .jsonl: forRecords + ["--format", "jsonl"]
      case .export: ["import", store, file]
      }
    }

    /// An import that reads a pipe, so that it ends when the test wants it.
    private final class Feed {
      let process: Process
      private let input = Pipe()
      private let errors = Pipe()

      init(_ arguments: [String]) throws {
        process = Program("copal").process(arguments, [:])
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
      }

      func write(_ lines: some Sequence<String>) throws {
        let text = lines.map { $0 + "\n" }.joined()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      }

      /// Ends the input, and waits for the end of the import.
      func end() throws -> (status: Int32, errors: String) {
        try? input.fileHandleForWriting.close()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
      }
    }

    /// An import that has read 3,000 of its 4,000 pigments of the letter a, and waits.
    private func begin(_ form: Form) throws -> (Feed, rest: [String]) {
      let all = lines(form, "a", 4000)
      let feed = try Feed(arguments(form, "-"))
      try feed.write(all[..<3000])
      // The import writes as it reads.
      for _ in 0..<1000 where try !files().contains(where: { $0.hasSuffix("-wal") }) {
        usleep(5000)
      }
      return (feed, Array(all[3000...]))
    }

    // MARK: Two at once

    @Test(
      "a store appears when it is whole, and a second import answers busy until then",
      arguments: Form.allCases)
    func second(form: Form) throws {
      let (first, rest) = try begin(form)
      #expect(!FileManager.default.fileExists(atPath: store))
      let other = try write(lines(form, "b", 10).joined(separator: "\n") + "\n", "b.\(form)")
      let second = try Program("copal").run(arguments(form, other))
      #expect(second.status == 74 && second.errors.contains("store.busy"), "\(second)")
      #expect(second.errors.contains(store) && !second.errors.contains(store + "-"), "\(second)")
      #expect(!FileManager.default.fileExists(atPath: store))
      try first.write(rest)
      #expect(try first.end().status == 0)
      #expect(try sqlite3("SELECT count(*), count(scan) FROM Pigment") == "4000|8")
      #expect(try files("New.sqlite-new") == [])
    }

    @Test(
      "a store that another program makes meanwhile stays as that program has made it",
      arguments: Form.allCases)
    func madeMeanwhile(form: Form) throws {
      let (feed, rest) = try begin(form)
      do {
        let container = try PersistentContainer(
          model: ModelBinding(ManagedObjectModel(json: Self.model, file: "Stock.model.json")),
          store: .sqlite(at: URL(filePath: store)))
        let context = container.makeContext()
        try context.insert("Pigment").setValue("theirs", forKey: "name")
        try context.save()
      }
      try feed.write(rest)
      let (status, errors) = try feed.end()
      #expect(status == 74 && errors.contains("nothing was imported"), "\(errors)")
      #expect(try sqlite3("SELECT group_concat(name) FROM Pigment") == "theirs")
      #expect(try files("New.sqlite-new") == [])
    }

    /// The number of pairs.
    private static let pairCount =
      ProcessInfo.processInfo.environment["COPAL_PAIRS"].flatMap(Int.init) ?? 6

    /// One of two imports that begin together.
    private struct Half {
      var letter: String
      var form: Form
      var count: Int
      var mistake: Int?
      /// The seconds until a signal, and the signal.
      var end: (seconds: Double, signal: Int32)?
      var process = Process()
      var isDone: Bool {
        process.terminationReason == .exit && process.terminationStatus == 0
      }
    }

    private func half(_ letter: String, _ random: inout SplitMix) -> Half {
      let isDeep = Self.pairCount > 6
      let counts = isDeep ? [1000, 1000, 1000, 3000, 10_000, 10_000, 100_000] : [1000, 3000]
      let count = counts.randomElement(using: &random) ?? 1000
      var half = Half(
        letter: letter, form: Form.allCases.randomElement(using: &random) ?? .csv, count: count)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        half.mistake = Bool.random(using: &random) ? count : .random(in: 1...count, using: &random)
      case 1:
        half.end = (
          .random(in: 0...(Double(count) / 5000 + 0.2), using: &random),
          Bool.random(using: &random) ? SIGKILL : SIGINT
        )
      default: break
      }
      return half
    }

    @Test("two imports into one new store: what one has reported is there, whatever the other does")
    func pairs() throws {
      var random = SplitMix(seed: 72)
      var ends: [String: Int] = [:]
      for round in 0..<Self.pairCount {
        var halves = [half("a", &random), half("b", &random)]
        for place in halves.indices {
          let half = halves[place]
          let file = try write(
            lines(half.form, half.letter, half.count, mistakeAt: half.mistake)
              .joined(separator: "\n") + "\n", "\(half.letter).\(half.form)")
          halves[place].process = Program("copal").process(try arguments(half.form, file), [:])
          halves[place].process.standardOutput = FileHandle.nullDevice
          halves[place].process.standardError = FileHandle.nullDevice
        }
        for half in halves { try half.process.run() }
        for case let half in halves {
          guard let end = half.end else { continue }
          let number = half.process.processIdentifier
          Thread.detachNewThread {
            Thread.sleep(forTimeInterval: end.seconds)
            kill(number, end.signal)
          }
        }
        for half in halves { half.process.waitUntilExit() }
        let statuses = halves.map { "\($0.form) \($0.count) \($0.process.terminationStatus)" }
        let what = "round \(round): \(statuses)"
        try check(halves, what)
        for half in halves {
          let isKilled = half.process.terminationReason == .uncaughtSignal
          ends[isKilled ? "signal" : "\(half.process.terminationStatus)", default: 0] += 1
        }
        try StoreConfiguration.sqlite(at: URL(filePath: store)).destroy()
      }
      print("\(Self.pairCount) pairs of imports, by status: \(ends.sorted { $0.key < $1.key })")
    }

    private func check(_ halves: [Half], _ what: String) throws {
      let isThere = FileManager.default.fileExists(atPath: store)
      var isKilled = false
      for half in halves {
        let status = half.process.terminationStatus
        let isSignal = half.process.terminationReason == .uncaughtSignal
        if isSignal { isKilled = true }
        #expect(isSignal || [0, 65, 74].contains(status), "\(what)")
        #expect(!half.isDone || isThere, "\(what)")
        let sql = "SELECT count(*) FROM Pigment WHERE name GLOB '\(half.letter) *'"
        let found = isThere ? try sqlite3(sql) : "0"
        if half.isDone {
          #expect(found == "\(half.count)", "\(what)")
        } else {
          // A signal can come after the commit, and before the report.
          #expect(found == "0" || (isSignal && found == "\(half.count)"), "\(what)")
        }
      }
      // What a killed import has left goes with the next one.
      if isKilled {
        let more = try write(lines(.csv, "c", 10).joined(separator: "\n") + "\n", "c.csv")
        #expect(try Program("copal").run(arguments(.csv, more)).status == 0, "\(what)")
      } else {
        #expect(isThere == halves.contains { $0.isDone }, "\(what)")
      }
      let names = try files()
      #expect(names.allSatisfy { !$0.hasPrefix("New.sqlite-new") }, "\(what): \(names)")
      guard FileManager.default.fileExists(atPath: store) else {
        return #expect(names == [], "\(what)")
      }
      #expect(try sqlite3("PRAGMA integrity_check") == "ok", "\(what)")
      let scans = try sqlite3("SELECT scan FROM Pigment WHERE scan IS NOT NULL").split(
        separator: "\n")
      let values = names.filter { $0.hasSuffix("-200") }.compactMap {
        $0.split(separator: "/").last
      }
      #expect(values.sorted() == scans.sorted(), "\(what)")
    }

    // MARK: Ends

    @Test(
      "what a killed import has left is removed by the next one, and an interrupted one leaves nothing",
      arguments: Form.allCases, [SIGKILL, SIGINT])
    func killed(form: Form, signal: Int32) throws {
      let (feed, rest) = try begin(form)
      kill(feed.process.processIdentifier, signal)
      if signal == SIGINT { try? feed.write(rest) }
      #expect(try feed.end().status == signal)
      #expect(!FileManager.default.fileExists(atPath: store))
      if signal == SIGINT { #expect(try files() == []) }
      let next = try write(lines(form, "b", 10).joined(separator: "\n") + "\n", "b.\(form)")
      #expect(try Program("copal").run(arguments(form, next)).status == 0)
      #expect(try sqlite3("SELECT count(*), count(scan) FROM Pigment") == "10|1")
      #expect(try files("New.sqlite-new") == [])
    }

    @Test("a full disk leaves no half of a store", arguments: Form.allCases)
    func fullDisk(form: Form) throws {
      let file = try write(lines(form, "a", 10_000).joined(separator: "\n") + "\n", "a.\(form)")
      let copal = Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: "copal")
      for kilobytes in [0, 8, 40, 100, 300] {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments =
          ["-c", "ulimit -f \(kilobytes); exec \"$0\" \"$@\"", copal.path(percentEncoded: false)]
          + (try arguments(form, file))
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = String(
          decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 74, "\(text)")
        #expect(text.contains("store.diskFull") && !text.contains(store + "-"), "\(text)")
        #expect(try files() == [], "\(kilobytes)")
      }
    }

    @Test("nothing that another has made under the names of a new store is removed")
    func foreign() throws {
      let file = try write(lines(.csv, "a", 10).joined(separator: "\n") + "\n", "a.csv")
      for name in [
        "New.sqlite-new", "New.sqlite-wal", "New.sqlite-journal", "New.sqlite-files/a.txt",
      ] {
        let place = folder.url.appending(path: name)
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try write("mine", name)
        let result = try Program("copal").run(arguments(.csv, file))
        #expect(result.status == 74 && result.errors.contains("/New.sqlite-"), "\(name): \(result)")
        #expect(try String(contentsOf: place, encoding: .utf8) == "mine")
        #expect(try files().allSatisfy { name.hasPrefix($0) }, "\(name)")
        for left in try files() { try? FileManager.default.removeItem(atPath: path(left)) }
      }
      // A link leads to the place of the new store.
      try FileManager.default.createSymbolicLink(
        atPath: store, withDestinationPath: path("Other.sqlite"))
      #expect(try Program("copal").run(arguments(.csv, file)).status == 0)
      #expect(try sqlite3("SELECT count(*) FROM Pigment") == "10")
      #expect(FileManager.default.fileExists(atPath: path("Other.sqlite")))
    }

    @Test("a store whose file is still empty is busy, and an empty file is no store")
    func empty() throws {
      let file = try write(lines(.csv, "a", 10).joined(separator: "\n") + "\n", "a.csv")
      try write("", "New.sqlite")
      let stale = try Program("copal").run(arguments(.csv, file))
      #expect(stale.status == 65 && stale.errors.contains("is no store"), "\(stale)")
      let shell = Process()
      shell.executableURL = URL(filePath: "/usr/bin/env")
      shell.arguments = ["sqlite3", store, "BEGIN EXCLUSIVE", ".shell sleep 8"]
      shell.standardOutput = FileHandle.nullDevice
      try shell.run()
      defer {
        shell.terminate()
        shell.waitUntilExit()
      }
      Thread.sleep(forTimeInterval: 0.3)
      let busy = try Program("copal").run(arguments(.csv, file))
      #expect(busy.status == 74 && busy.errors.contains("store.busy"), "\(busy)")
    }
  }
#endif
