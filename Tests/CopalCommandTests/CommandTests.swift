#if Command
  import CopalTestSupport
  import CopalTestTools
  import Foundation
  import Testing

  @Suite("The command copal")
  struct CommandTests {
    private let folder: TemporaryFolder
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String {
      folder.url.appending(path: name).path(percentEncoded: false)
    }

    @discardableResult
    private func write(_ text: String, _ name: String = "Shop.model.json") throws -> String {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
      return path(name)
    }

    private func text(_ name: String) throws -> String {
      try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
    }

    private func run(
      _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> Program.Result {
      try Program("copal").run(arguments, input: input, environment: environment)
    }

    private static let sound =
      #"{ "copal": 1, "model": "Shop", "entities": { "Book": { "attributes": { "title": "string" } } } }"#
    private static let wrong =
      #"{ "copal": 1, "model": "Shop", "entities": { "Book": { "attributes": { "title": "sting" } } } }"#

    // MARK: Exit codes

    @Test("the exit code says what was wrong")
    func exitCodes() throws {
      let (sound, wrong) = (try write(Self.sound), try write(Self.wrong, "Wrong.model.json"))
      let noJSON = try write("{", "No.model.json")
      let cases: [(arguments: [String], status: Int32)] = [
        (["check", sound], 0), (["check", wrong], 1), (["check", noJSON], 1), (["check"], 64),
        (["chek", sound], 64), (["check", "--colour", sound], 64), (["--version"], 0), ([], 0),
        (["check", path("nowhere")], 74), (["format", noJSON], 65),
        (["format", "--check", sound], 1),
        (["schema", wrong], 65), (["schema", sound], 0), (["diagram", wrong], 65),
        (["generate", wrong], 65), (["diff", sound, wrong], 65), (["diff", sound, sound], 0),
        (["diff", "HEAD~9:nowhere", sound], 74), (["merge", sound, sound], 64),
        (["merge", sound, sound, noJSON], 65), (["new", "a/b", "--copal", "x"], 64),
        (["new", "class", "--copal", "x"], 64), (["new", "Copal", "--copal", "x"], 64),
        (["new", "Studio", "--copal", path("nowhere")], 74),
        (["check", path("nowhere"), sound], 74),
        (["diagram", sound, "--output", path("a.png")], 64),
        (["check", "--explain", "model.nowhere"], 64),
        (["check", "--explain", "model.emptyList"], 0),
        (["diagram", sound, "--output", path("no/where.svg")], 74),
      ]
      for (arguments, status) in cases {
        let result = try Program("copal").run(arguments)
        #expect(result.status == status, "\(arguments): \(result)")
        #expect(status == 0 || status == 1 || !result.errors.isEmpty, "\(arguments)")
      }
    }

    @Test("a full disk is 74, and a reader that ends is no failure")
    func streams() throws {
      let file = try write(Self.sound)
      let copal = Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: "copal")
        .path(percentEncoded: false)
      func shell(_ line: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", line, copal, file]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
      }
      #if os(Linux)
        #expect(try shell("\"$0\" schema \"$1\" > /dev/full") == 74)
        #expect(try shell("\"$0\" --help > /dev/full") == 74)
      #endif
      #expect(try shell("set -o pipefail; \"$0\" schema \"$1\" | true") == 0)
    }

    // MARK: Subcommands

    @Test("check shows the line with a caret below the place, also beside letters of several bytes")
    func caret() throws {
      let file = try write(
        #"{ "copal": 1, "model": "Shop", "entities": { "Büch": {}, "B": { "attributes": { "title": "sting" } } } }"#
      )
      let result = try run("check", file)
      let lines = result.output.split(separator: "\n").map(String.init)
      #expect(lines.last?.hasSuffix("^") == true)
      let place = try #require(lines.last?.count)
      #expect(Array(lines[lines.count - 2])[place - 1] == "\"")
      #expect(
        Array(lines[lines.count - 2]).dropFirst(place).prefix(5) == ["s", "t", "i", "n", "g"])
    }

    @Test("a file that is missing does not hide what is wrong with others")
    func missing() throws {
      let file = try write(Self.wrong)
      let result = try run("check", path("nowhere"), file)
      #expect(result.status == 74)
      #expect(result.output.contains("model.unknownType"))
      #expect(result.errors.contains("nowhere"))
    }

    @Test("generate writes nothing before all models are fine")
    func generateAll() throws {
      let (one, two) = (try write(Self.sound), try write(Self.sound, "Two.model.json"))
      let result = try run("generate", one, two, "--output", path("gen"))
      #expect(result.status == 65)
      #expect(!result.errors.contains("\\u{"))
      #expect(!FileManager.default.fileExists(atPath: path("gen")))
    }

    @Test("check has a form for programs, and SARIF for code hosts")
    func forms() throws {
      let file = try write(Self.wrong, "A b.model.json")
      let json =
        try JSONSerialization.jsonObject(
          with: Data(try run("check", "--format", "json", file).output.utf8)) as? [String: Any]
      #expect(json?["version"] as? Int == 1)
      let sarif =
        try JSONSerialization.jsonObject(
          with: Data(try run("check", "--format", "sarif", file).output.utf8)) as? [String: Any]
      #expect(sarif?["version"] as? String == "2.1.0")
      let run = (sarif?["runs"] as? [[String: Any]])?.first
      let result = (run?["results"] as? [[String: Any]])?.first
      #expect(result?["ruleId"] as? String == "model.unknownType")
      let location = (result?["locations"] as? [[String: [String: Any]]])?.first?[
        "physicalLocation"]
      let uri = (location?["artifactLocation"] as? [String: String])?["uri"]
      #expect(uri?.hasSuffix("A%20b.model.json") == true)
    }

    @Test("check --fix twice changes nothing the second time")
    func fix() throws {
      let file = try write(Self.wrong)
      #expect(try run("check", "--fix", file).status == 0)
      let once = try text("Shop.model.json")
      #expect(once == Self.sound)
      let again = try run("check", "--fix", file)
      #expect(again.status == 0 && !again.output.contains("repaired"))
      #expect(try text("Shop.model.json") == once)
    }

    @Test("check --watch shows the state again after a change, until it is interrupted")
    func watch() throws {
      let file = try write(Self.wrong)
      let process = Program("copal").process(["check", "--watch", file], [:])
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      var text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(text.contains("unknown attribute type"))
      try write(Self.sound)
      text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(text.contains("0 new, 1 gone") && text.contains("fine"))
      // Not an interrupt, which is ignored in a process in the background.
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == SIGTERM)
    }

    @Test("format writes in place, and from the standard input to the standard output")
    func format() throws {
      let file = try write(Self.sound)
      let piped = try run("format", "-", input: Self.sound)
      #expect(try run("format", file).output == "formatted \(file)\n")
      #expect(try text("Shop.model.json") == piped.output)
      #expect(try run("format", "--check", file).status == 0)
      #expect(try run("format", file).output == "")
    }

    @Test("format keeps the permissions of a file, and follows a link")
    func permissions() throws {
      let file = try write(Self.sound)
      chmod(file, 0o640)
      try FileManager.default.createSymbolicLink(
        atPath: path("Link.model.json"), withDestinationPath: file)
      #expect(try run("format", path("Link.model.json")).status == 0)
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(try text("Shop.model.json").hasPrefix("{\n"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false))
          .sorted() == ["Link.model.json", "Shop.model.json"])
    }

    @Test("generate makes what the plugin makes, byte by byte")
    func generate() throws {
      let models = Self.root.appending(path: "Models")
      for name in ["Colors", "AtelierWithInheritance", "AtelierWithRelationships"] {
        let model = models.appending(path: "\(name).model.json").path(percentEncoded: false)
        #expect(
          try run("generate", model, "--output", folder.url.path(percentEncoded: false)).status == 0
        )
        let tool = try Program("copal-gen").run(
          ["--model", model, "--output", path("Tool.swift")])
        #expect(tool.status == 0)
        #expect(try text("\(name)+Copal.swift") == text("Tool.swift"))
        #expect(
          try run("generate", "--check", model, "--output", folder.url.path(percentEncoded: false))
            .status == 0)
      }
    }

    @Test("the file of a class is written once, and stays as a person has changed it")
    func humanFile() throws {
      let model = try write(
        #"{ "copal": 1, "model": "G", "entities": { "Plant": { "codegen": "extension", "attributes": { "name": "string" } } } }"#,
        "G.model.json")
      #expect(try run("generate", model).status == 0)
      #expect(
        try text("Plant.swift")
          == "import Copal\n\nnonisolated final class Plant: ManagedObject {\n}\n")
      try write("// mine\n", "Plant.swift")
      #expect(try run("generate", model).output == "")
      #expect(try text("Plant.swift") == "// mine\n")
      #expect(try run("generate", "--check", model).status == 0)
    }

    @Test(
      "diff reads revisions of git, and a merge driver is used by git, with a rename on one side")
    func git() throws {
      let copal = Bundle.main.bundleURL.resolvingSymlinksInPath().path(percentEncoded: false)
      func shell(_ line: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec 2>&1; " + line]
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging(RunFolder.variables) {
          $1
        }
        .merging([
          "PATH": "\(copal):/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1",
          "HOME": folder.url.path(percentEncoded: false), "GIT_AUTHOR_NAME": "a",
          "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
          "GIT_COMMITTER_EMAIL": "a@example.org",
        ]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
      }
      func model(_ attributes: String) -> String {
        #"{ "copal": 1, "model": "Shop", "entities": { "Book": { "attributes": { \#(attributes) } } } }"#
      }
      let name = "- my: shop.model.json"
      try write(model(#""title": "string""#), name)
      #expect(
        try shell(
          "git init -q -b main . && copal merge --install && git add -A && git commit -qm 1"
        )
        .status == 0)
      _ = try shell("git checkout -qb side")
      try write(
        model(#""title": { "type": "string", "maximumLength": 9 }, "isbn": "string?""#), name)
      _ = try shell("git commit -qam 2 && git checkout -q main")
      try write(
        model(#""name": { "type": "string", "renamedFrom": "title" }, "pages": "integer?""#), name)
      _ = try shell("git commit -qam 3")
      let merged = try shell("git merge -q side -m 4")
      #expect(merged.status == 0, "\(merged.output)")
      let text = try text(name)
      for part in [#""renamedFrom": "title""#, #""maximumLength": 9"#, #""isbn""#, #""pages""#] {
        #expect(text.contains(part), "\(text)")
      }
      let diff = try shell("copal diff 'HEAD~1:\(name)' './\(name)'")
      #expect(diff.status == 0 && diff.output.contains("Book.isbn"), "\(diff.output)")
      // A conflict: git keeps the file with the markers.
      _ = try shell("git checkout -qb other HEAD~1")
      try write(
        model(#""name": { "type": "string", "renamedFrom": "title" }, "pages": "date?""#), name)
      _ = try shell("git commit -qam 5")
      _ = try shell("git checkout -q main")
      try write(text.replacing(#""pages": "integer?""#, with: #""pages": "uuid?""#), name)
      _ = try shell("git commit -qam 6")
      let conflict = try shell("git merge -q other -m 7")
      #expect(conflict.status == 1 && conflict.output.contains("\(name): conflict: "))
      #expect(try self.text(name).contains("<<<<<<< ours"))
      // A version that cannot be read, and a machine without the command: git merges the lines.
      _ = try shell("git checkout -qf -b broken main~1 && git merge --abort")
      try write("{ \"copal\": 1,\n", name)
      _ = try shell("git commit -qam 8")
      for path in ["", "PATH=/usr/local/bin:/usr/bin:/bin "] {
        _ = try shell("git checkout -qf main")
        let lines = try shell("\(path)git merge -q broken -m 9")
        #expect(lines.status == 1, "\(lines.output)")
        #expect(try self.text(name).contains("<<<<<<< ours"), "\(lines.output)")
        _ = try shell("git merge --abort")
      }
    }

    @Test("diff shows what opening the store would do, and new writes the model of a store")
    func stores() throws {
      let test = try TestStore()
      let container = try test.container(.atelier)
      _ = container
      let store = test.file.path(percentEncoded: false)
      let model = try write(Self.sound)
      let diff = try run("diff", store, model)
      #expect(diff.status == 1 && diff.output.contains("REFUSED"))
      #expect(!diff.output.contains("the rows were not read"))
      let result = try Program("copal").run(
        ["new", "Copy", "--copal", Self.root.path(percentEncoded: false), "--from", store],
        environment: [:],
        in: folder.url)
      #expect(result.status == 0, "\(result.errors)")
      let written = path("Copy/Sources/CopyModel/Atelier.model.json")
      #expect(try run("check", written).status == 0)
      #expect(try run("diff", store, written).output == "no difference that concerns a store\n")
    }

    @Test("new writes a URL so that Swift reads it, whatever is in it")
    func newAtURL() throws {
      let url = "https://example.org/a\"b\\(1)\\.git"
      let result = try Program("copal").run(
        ["new", "Studio", "--copal", url], environment: [:], in: folder.url)
      #expect(result.status == 0, "\(result.errors)")
      let manifest = try text("Studio/Package.swift")
      #expect(manifest.contains(#"url: "https://example.org/a\"b\\(1)\\.git","#), "\(manifest)")
      #expect(manifest.contains(#"package: "a\"b\\(1)\\")"#), "\(manifest)")
      #expect(!manifest.contains(#"package: "a"b"#), "\(manifest)")
    }

    // MARK: What goes wrong

    @Test("nothing of a hostile file reaches the terminal as it is")
    func hostileNames() throws {
      let file = try write(
        "{ \"copal\": 1, \"model\": \"Shop\", \"entities\": { \"A\u{1B}[31m\u{202E}\": {} } }")
      for arguments in [
        ["check", file], ["schema", file], ["diagram", file], ["diff", file, file],
      ] {
        let result = try Program("copal").run(arguments)
        for text in [result.output, result.errors] {
          #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"), "\(arguments)")
        }
      }
    }

    @Test("2,000 mutated models through every subcommand: no signal, no part of a file")
    func mutants() throws {
      let deep = ProcessInfo.processInfo.environment["COPAL_MUTATIONS"] != nil
      let models = ["Colors", "AtelierWithInheritance", "Atelier"].compactMap { name in
        try? Data(contentsOf: Self.root.appending(path: "Models/\(name).model.json"))
      }
      var random = SplitMix(seed: 2000)
      for round in 0..<(deep ? 2000 : 40) {
        var bytes = Array(models[round % models.count])
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(bytes[Int.random(in: bytes.indices, using: &random)], at: place)
          default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
          }
        }
        let file = folder.url.appending(path: "M.model.json")
        try Data(bytes).write(to: file)
        let name = file.path(percentEncoded: false)
        let commands: [[String]] = [
          ["check", name], ["check", "--format", "sarif", name], ["format", "-"],
          ["generate", name, "--output", path("gen")], ["schema", name],
          ["diagram", name, "--output", path("M.svg")], ["diff", name, name],
          ["merge", name, name, name, "--output", path("merged")], ["check", "--fix", name],
        ]
        try FileManager.default.createDirectory(
          at: folder.url.appending(path: "gen"), withIntermediateDirectories: true)
        for command in commands {
          let result = try Program("copal").run(command)
          #expect([0, 1, 65].contains(result.status), "round \(round), \(command): \(result)")
        }
        let left = try FileManager.default.contentsOfDirectory(
          atPath: folder.url.path(percentEncoded: false))
        #expect(
          left.allSatisfy { ["M.model.json", "M.svg", "gen", "merged"].contains($0) }, "\(left)")
      }
    }

    @Test("paths with spaces, colons and a leading hyphen")
    func paths() throws {
      for name in ["a b.model.json", "a:b.model.json", "-c.model.json"] {
        try write(Self.sound, name)
        let result = try Program("copal").run(
          ["check", "--", name], environment: [:], in: folder.url)
        #expect(result.status == 0, "\(name): \(result.errors)")
      }
    }

    // MARK: Texts

    private static let subcommands = [
      "check", "format", "generate", "schema", "diagram", "diff", "merge", "new", "inspect", "dump",
      "query", "shell", "import", "export", "update", "delete", "migrate", "backup", "compact",
      "scan",
    ]

    @Test("the help of each subcommand, as it is recorded")
    func help() throws {
      var text = try run("--help").output
      for name in Self.subcommands {
        text += "\n== copal \(name)\n\n" + (try run(name, "--help").output)
      }
      #expect(try RecordedText("CopalCommand").differences(from: text) == [])
      // A terminal of 80 columns shows each line of an example as one.
      for line in text.split(separator: "\n") where !line.hasPrefix("USAGE:") {
        #expect(line.count <= 80, "\(line)")
      }
    }

    @Test("the picture of the page is what the command draws")
    func picture() throws {
      let model = Self.root.appending(path: "Examples/Recipes/Recipes.model.json")
      let picture = try String(
        contentsOf: Self.root.appending(path: "Docs/Images/diagram.svg"), encoding: .utf8)
      #expect(try run("diagram", model.path(percentEncoded: false)).output == picture)
    }

    @Test("there are completions for three shells", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
      let result = try run("--generate-completion-script", shell)
      #expect(result.status == 0)
      for name in Self.subcommands { #expect(result.output.contains(name)) }
    }

    @Test("the page of errors in the command is the page of errors")
    func errorPage() throws {
      let page = try String(
        contentsOf: Self.root.appending(path: "Docs/Errors.md"), encoding: .utf8)
      for section in page.components(separatedBy: "\n## ").dropFirst() {
        let code = String(section.prefix { $0 != "\n" })
        let line = try #require(
          section.split(separator: "\n").first { $0.hasPrefix("**Cause.**") })
        let shown = try run("check", "--explain", code).output
        let cause = line.replacing("**", with: "").replacing(/\[([^\]]*)\]\([^)]*\)/) {
          String($0.output.1)
        }
        #expect(shown.contains(cause), "\(code)")
      }
    }
  }
#endif
