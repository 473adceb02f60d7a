#if Command
  import Copal
  import CopalTestSupport
  import CopalTestTools
  import Foundation
  import Testing

  @Suite("The command copal and stores")
  struct StoreCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let model = """
      { "copal": 1, "model": "Paint", "entities": {
        "Maker": { "attributes": { "name": "string" }, "unique": ["name"] },
        "Pigment": {
          "attributes": {
            "name": { "type": "string", "minimumLength": 2 },
            "price": { "type": "decimal", "minimum": 0, "default": 1 },
            "pin": { "type": "string?", "private": true },
            "scan": { "type": "binary?", "external": 100 },
            "color": {
              "type": "transformable?", "transformer": "SerializableColorTransformer",
              "class": "SerializableColor"
            },
            "ink": { "type": "transformable?", "transformer": "InkTransformer", "class": "Ink" }
          },
          "relationships": { "maker": "Maker?" },
          "unique": ["name"]
        }
      } }
      """

    private func path(_ name: String) -> String {
      folder.url.appending(path: name).path(percentEncoded: false)
    }

    @discardableResult
    private func write(_ text: String, _ name: String) throws -> String {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
      return path(name)
    }

    @discardableResult
    private func run(
      _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> Program.Result {
      try Program("copal").run(arguments, input: input, environment: environment)
    }

    /// A store with two makers and three pigments.
    private func makeStore(_ name: String = "Paint.sqlite") throws -> String {
      let model = try write(Self.model, "Paint.model.json")
      let makers = try write("name\nKremer\nZecchi\n", "makers.csv")
      let scan = Data(repeating: 7, count: 500).base64EncodedString()
      let pigments = try write(
        """
        name,price,pin,color,maker.name,scan,ink
        Ochre,6.20,1234,#CC7722,Zecchi,,
        "Lapis, ""the"" lazuli",390,,rgb(38 97 156),Kremer,\(scan),AAEC
        胡粉 \u{202E}\u{1B}[31m\u{9B}2J,,,,,,
        """, "pigments.csv")
      for arguments in [["Maker", makers, "--model", model], ["Pigment", pigments]] {
        let result = try Program("copal").run(["import", path(name)] + arguments)
        #expect(result.status == 0, "\(result)")
      }
      return path(name)
    }

    /// The names and contents of all files of the folder.
    private func contents() throws -> [String: Data] {
      var contents: [String: Data] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: path("")) {
        contents[name] = FileManager.default.contents(atPath: path(name))
      }
      return contents
    }

    private func reading(_ store: String) -> [[String]] {
      [
        ["inspect", store], ["inspect", store, "--json"], ["check", store],
        ["check", store, "--everything"], ["check", store, "--format", "json"], ["dump", store],
        ["dump", store, "Pigment", "--format", "csv"], ["dump", store, "--format", "json"],
        ["dump", store, "--format", "jsonl", "--private"],
        ["query", store, "Pigment", "--where", "price > 2", "--with", "maker.name"],
        ["query", store, "Pigment", "--group", "maker.name, count, max price"],
        ["query", store, "Pigment", "--explain"], ["query", store, "Pigment", "--count"],
        ["export", store], ["scan", store],
        ["shell", store, "--no-history", "--entity", "Pigment"],
      ]
    }

    // MARK: What it does

    @Test("what only reads changes no byte, and makes no file")
    func unchanged() throws {
      let store = try makeStore()
      let before = try contents()
      for arguments in reading(store) {
        let result = try Program("copal").run(arguments, input: "price > 3\n.entities\n")
        #expect(result.status == 0, "\(arguments): \(result)")
        #expect(try contents() == before, "\(arguments)")
      }
    }

    @Test("a store is read while a program has it open and writes")
    func whileWriting() throws {
      let store = try makeStore()
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = [
        "-c", "sqlite3 \"$0\" 'BEGIN IMMEDIATE; SELECT 1;' '.shell sleep 2' || true", store,
      ]
      shell.standardOutput = FileHandle.nullDevice
      shell.standardError = FileHandle.nullDevice
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3") else { return }
      try shell.run()
      Thread.sleep(forTimeInterval: 0.5)
      for arguments in reading(store) {
        let result = try Program("copal").run(arguments)
        #expect(result.status == 0, "\(arguments): \(result)")
      }
      shell.waitUntilExit()
    }

    @Test("what is printed as JSON is JSON, with its version")
    func json() throws {
      let store = try makeStore()
      let model = try write(
        Self.model.replacing("\"pin\"", with: "\"pan\""), "Wrong.model.json")
      for arguments in [
        ["inspect", store, "--json"], ["check", store, "--format", "json"],
        ["dump", store, "--format", "json"], ["migrate", store, "--to", model, "--json"],
        ["query", store, "Pigment", "--format", "json", "--with", "maker.name"],
        ["query", store, "Pigment", "--group", "maker.name, count", "--format", "json"],
      ] {
        let output = try Program("copal").run(arguments).output
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        #expect(object?["version"] as? Int == 1, "\(arguments): \(output)")
      }
      for line in try run("dump", store, "--format", "jsonl").output.split(separator: "\n") {
        #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
      }
    }

    @Test("private values are hidden in dump, query and shell, and exported")
    func privacy() throws {
      let store = try makeStore()
      for arguments in reading(store)
      where arguments[0] != "export" && !arguments.contains("--private") {
        let result = try Program("copal").run(
          arguments,
          input: "TRUEPREDICATE\n.group pin, count\nTRUEPREDICATE\n.group max pin\nTRUEPREDICATE\n")
        #expect(!result.output.contains("1234"), "\(arguments)")
      }
      for group in ["pin", "max pin", "min pin"] {
        #expect(try !run("query", store, "Pigment", "--group", group).output.contains("1234"))
        #expect(
          try run("query", store, "Pigment", "--group", group, "--private").output.contains("1234"))
      }
      for arguments in [
        ["export", store], ["dump", store, "--private"],
        ["shell", store, "--private", "--entity", "Pigment"],
      ] {
        #expect(
          try Program("copal").run(arguments, input: "TRUEPREDICATE\n").output.contains("1234"))
      }
    }

    @Test("nothing of a hostile store reaches a terminal")
    func hostile() throws {
      let store = try makeStore()
      for arguments in reading(store) {
        let result = try Program("copal").runOnTerminal(
          arguments, environment: ["NO_COLOR": "1", "COLORTERM": "truecolor"])
        for character in ["\u{1B}", "\u{202E}", "\u{9B}"] {
          #expect(!result.output.contains(character), "\(arguments): \(result.output)")
        }
      }
      let dump = try Program("copal").runOnTerminal(
        ["dump", store, "Pigment"],
        environment: ["NO_COLOR": "", "COLORTERM": "truecolor", "TERM": "xterm"])
      #expect(dump.output.contains("\u{1B}[48;2;204;119;34m  \u{1B}[0m #CC7722"))
      #expect(!dump.output.contains("\u{1B}[31m"))
      let names = try Program("copal").runOnTerminal(
        ["query", store, "Pigment", "--columns", "name"], environment: [:])
      #expect(names.output.contains("胡粉 \\u{202E}\\u{1B}[31m\\u{9B}2J"), "\(names.output)")
      let raw = try Program("copal").runOnTerminal(["dump", store, "--raw"], environment: [:])
      #expect(raw.status == 64 && raw.output.contains("--raw is not for a terminal"))
      let file = try run("dump", store, "Pigment", "--format", "csv", "--raw")
      #expect(file.output.contains(",AAEC,") && file.output.contains("\u{1B}[31m"))
    }

    @Test("export and import give an equal store, also without the transformer of a value")
    func transfer() throws {
      let store = try makeStore()
      #expect(try run("export", store, "--output", path("a.jsonl")).status == 0)
      let imported = try run("import", path("Copy.sqlite"), path("a.jsonl"))
      #expect(imported.status == 0 && imported.output == "5 objects\n", "\(imported)")
      let again = try run("export", path("Copy.sqlite")).output
      #expect(try again == String(contentsOfFile: path("a.jsonl"), encoding: .utf8))
      #expect(
        again.contains("\"ink\": {\"transformer\": \"InkTransformer\", \"base64\": \"AAEC\"}"))
      #expect(try run("check", path("Copy.sqlite"), "--everything").status == 0)
    }

    @Test("--output does not replace a store, a pipe or a device")
    func outputs() throws {
      let store = try makeStore()
      let before = try contents()
      for arguments in [
        ["export", store, "--output", store], ["dump", store, "--output", store],
        ["query", store, "Maker", "--output", store],
      ] {
        let result = try Program("copal").run(arguments)
        #expect(result.status == 64 && result.errors.contains("is a store"), "\(result)")
      }
      #expect(try contents() == before)
      #expect(try run("dump", store, "--output", "/dev/null").status == 0)
      #expect(try run("dump", store, "--output", "/dev/full").status == 74)
      for device in ["/dev/null", "/dev/full"] {
        var status = stat()
        #expect(stat(device, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
      }
    }

    @Test("the mark of a private value is none, and a file that is no store and no model says so")
    func mistakes() throws {
      let store = try makeStore()
      #expect(
        try run("dump", store, "Pigment", "--format", "csv", "--output", path("d.csv")).status == 0)
      let again = try run(
        "import", store, "Pigment", path("d.csv"), "--upsert", "name", "--map", "maker=")
      #expect(again.status == 65 && again.errors.contains("--private"), "\(again)")
      #expect(try run("dump", store, "Pigment", "--private").output.contains("1234"))
      let text = try write("hello", "text.sqlite")
      for arguments in [["check", text], ["diff", text, path("Paint.model.json")]] {
        let result = try Program("copal").run(arguments)
        #expect(result.status == 65 && result.errors.contains("neither a store nor a model"))
      }
      let semicolons = try write("name;price\nAb;1\n", "s.csv")
      #expect(try run("import", store, "Pigment", semicolons).errors.contains("--delimiter ';'"))
      let commas = try write("name;price\nAb;1,5\n", "c.csv")
      #expect(
        try run("import", store, "Pigment", commas, "--delimiter", ";").errors.contains(
          "--decimal-comma"))
      #expect(try run("import", store, semicolons, "--upsert", "name").status == 64)
      let all = try run("dump", store, "--format", "jsonl").output
      #expect(all.hasPrefix("{\"$entity\": \"Maker\", \"$id\": 1"))
      let shell = try run(
        "shell", store, "--entity", "Pigment", input: ".columns name, color\nprice == 6.2\n")
      #expect(shell.output.contains("#CC7722"), "\(shell)")
    }

    @Test("a refused import leaves nothing: no object, and no new store")
    func refused() throws {
      let model = try write(Self.model, "Paint.model.json")
      let wrong = try write("name,price\nOchre,1\nU,1\n", "wrong.csv")
      let new = try run("import", path("New.sqlite"), "Pigment", wrong, "--model", model)
      #expect(new.status == 65, "\(new)")
      #expect(new.errors.contains("wrong.csv:3:1: error: Pigment.name: 'U' is too short"), "\(new)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path("")).allSatisfy {
          !$0.hasPrefix("New")
        })
      let store = try makeStore()
      let before = try run("export", store).output
      #expect(try run("import", store, "Pigment", wrong).status == 65)
      #expect(try run("export", store).output == before)
      let pin = try write("name,pin\nAb,\u{1B}secret\nA,\n", "pin.csv")
      let errors = try run("import", store, "Pigment", pin).errors
      #expect(!errors.contains("secret") && !errors.contains("\u{1B}"))
    }

    @Test("the exit code says what was wrong")
    func exitCodes() throws {
      let store = try makeStore()
      let model = path("Paint.model.json")
      let csv = try write("name\nNew\n", "new.csv")
      let cases: [(arguments: [String], status: Int32)] = [
        (["inspect", path("nowhere")], 74), (["inspect", model], 65),
        (["dump", store, "Pigmet"], 65),
        (["dump", store, "--format", "csv"], 64), (["dump", store, "--format", "xml"], 64),
        (["query", store, "Pigment", "--where", "prise > 1"], 65),
        (["query", store, "Pigment", "--where", "price >"], 65),
        (["query", store, "Pigment", "--limit", "0"], 64),
        (["query", store, "Pigment", "--sort=-name", "--limit", "1"], 0),
        (["query", store, "Pigment", "--group", "a b c"], 64),
        (["dump", store, "Pigment", "--with", "maker.nam"], 65),
        (["import", store, "Pigment", path("nowhere")], 74), (["import", store], 64),
        (["import", store, "Nobody", csv], 65), (["import", path("x.sqlite"), "Pigment", csv], 74),
        (["import", store, "Pigment", csv, "--map", "x"], 64),
        (["import", store, "Pigment", csv, "--lines", "{a"], 64),
        (["import", store, "Pigment", csv, "--date", "HH"], 64),
        (["import", store, csv], 65), (["migrate", store, "--to", path("nowhere")], 74),
        (["migrate", store, "--to", model], 0), (["backup", store, store], 74),
        (["backup", store, path("backup.sqlite")], 0), (["compact", store], 0),
        (["scan", store], 0),
        (["export", store, "--output", path("no/where")], 74),
        (["shell", store, "--entity", "Nobody"], 65), (["check", store, model], 0),
        (["import", store, "Pigment", csv], 0), (["import", store, "Pigment", csv], 65),
        (["import", store, "Pigment", csv, "--upsert", "name"], 0),
      ]
      for (arguments, status) in cases {
        let result = try Program("copal").run(arguments)
        #expect(result.status == status, "\(arguments): \(result)")
        #expect(status == 0 || !result.errors.isEmpty, "\(arguments)")
      }
    }

    @Test("migrate shows the plan, asks, and does it; what is refused is not done")
    func migrate() throws {
      let store = try makeStore()
      let before = try contents()
      let wrong = try write(Self.model.replacing("\"pin\"", with: "\"pan\""), "Wrong.model.json")
      let refused = try run("migrate", store, "--to", wrong, "--apply", "--yes")
      #expect(refused.status == 1 && refused.output.contains("REFUSED"), "\(refused)")
      let right = try write(
        Self.model.replacing(
          "\"name\": \"string\"", with: "\"name\": \"string\", \"city\": \"string?\""),
        "Right.model.json")
      #expect(try run("migrate", store, "--to", right).output.contains("Maker.city"))
      #expect(try run("migrate", store, "--to", right, "--apply").status == 64)
      #expect(
        try run("migrate", store, "--to", right, "--json").output.contains("\"isAllowed\": true"))
      #expect(try contents().filter { before[$0.key] != nil } == before)
      #expect(try run("migrate", store, "--to", right, "--apply", "--yes").status == 0)
      #expect(
        try run("migrate", store, "--to", right).output == "the store has this model already\n")
      #expect(
        try run("dump", store, "Maker", "--format", "csv").output.hasPrefix("$id,name,city\n"))
    }

    @Test("a model made from a CSV has the types of all values, and doubts as comments")
    func modelOfRecords() throws {
      let rows = (0..<20).map { row in
        let fields = [
          "\(row + 1)", row == 3 ? "" : "Pigment \(row)", "\(row).50", "0.1234567\(row % 9 + 1)",
          row % 2 == 0 ? "true" : "false", "\(row % 2)", "2026-01-\(row + 10)",
          "\(row + 10).01.2026",
          "0\(row)", row == 5 ? "NA" : "\(row * 7)", row % 3 == 0 ? "dry" : "wet, \"very\"",
          "https://example.com/\(row)", UUID().uuidString, "", "9223372036854775808",
        ]
        return fields.map { field in
          field.contains { "\",".contains($0) }
            ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
        }.joined(separator: ",")
      }
      let header =
        "ID,name,Unit price,weight,isDone,flag,added,Day (local),code,count,state,link,key,objectID,big"
      let csv = try write("\(header)\n" + rows.joined(separator: "\n") + "\n", "pigment list.csv")
      let made = try run("new", "--from", csv)
      #expect(
        made.output == """
          {
            "copal": 1,
            "model": "Pigmentlist",
            "entities": {
              "Pigmentlist": {
                "attributes": {
                  "id": "integer", // all values differ: "unique"?
                  "name": "string?",
                  "unitPrice": "decimal",
                  "weight": "double", // decimal, if these are amounts
                  "isDone": "boolean",
                  "flag": "integer", // only 0 and 1: boolean?
                  "added": "date",
                  "day": "string", // the column 'Day (local)'; date, with --date 'dd.MM.yyyy'?; all values differ: "unique"?
                  "code": "string", // digits that begin with 0 are kept as text; all values differ: "unique"?
                  "count": "integer?", // 'NA' is no value
                  "state": "string", // only 'dry', 'wet, "very"': "cases"?
                  "link": "uri",
                  "key": "uuid", // all values differ: "unique"?
                  "objectIDValue": "string?", // the column 'objectID'; no record has a value
                  "big": "decimal"
                }
              }
            }
          }

          """, "\(made.output)")
      #expect(
        made.errors == """
          20 records; read them with:
            copal import Pigmentlist.sqlite Pigmentlist '\(csv)' --model Pigmentlist.model.json --map 'Day (local)=day' --map 'objectID=objectIDValue' --nil 'NA'

          """, "\(made.errors)")
      let model = try write(made.output, "Pigmentlist.model.json")
      let read = try run(
        "import", path("Pigmentlist.sqlite"), "Pigmentlist", csv, "--model", model, "--map",
        "Day (local)=day", "--map", "objectID=objectIDValue", "--nil", "NA")
      #expect(read.output == "20 objects\n", "\(read)")
      // A file with comments and tabs, and quotation marks inside fields.
      let tabs = try write(
        "# comment\nname, in use\tnote\nOchre\tthe \"old\" one\nWoad\t12.50\nLead\t3\n", "tabs.tsv")
      let tabbed = try run("new", "--from", tabs)
      #expect(
        tabbed.output.contains("\"nameInUse\": \"string\", // the column 'name, in use'; all"),
        "\(tabbed)")
      #expect(
        tabbed.errors.hasSuffix(
          "--map 'name, in use=nameInUse' --delimiter tab --no-quotes --comment '#'\n"), "\(tabbed)"
      )
      // A decimal keeps no zeros at its end, and such numbers may be versions.
      let versions = try write("version,eol\n1.10\n2,\n10.04,\n", "versions.csv")
      #expect(
        try run("new", "--from", versions).output.contains(
          "\"decimal\", // '1.10' loses its last zeros: string?"))
      #expect(
        try run("new", "--from", versions).errors.hasSuffix("Versions.model.json --short-records\n")
      )
      // An import knows one text of no value, and it is none in every column.
      let two = try write("a,b,c\n1,NULL,x\nNA,2,NA\n3,4,y\n", "two.csv")
      let drafted = try run("new", "--from", two)
      #expect(drafted.errors.hasSuffix("--model Two.model.json --nil 'NA'\n"), "\(drafted)")
      for line in [
        "\"a\": \"integer?\", // 'NA' is no value", "\"b\": \"string\", // all values differ",
        "\"c\": \"string?\" // 'NA' is no value",
      ] { #expect(drafted.output.contains(line), "\(drafted.output)") }
      let twoModel = try write(drafted.output, "Two.model.json")
      #expect(
        try run("import", path("Two.sqlite"), "Two", two, "--model", twoModel, "--nil", "NA").output
          == "3 objects\n")
      let broken = try write("a,b\n1,x\"y\n", "broken.csv")
      let wrong = try run("new", "--from", broken)
      #expect(
        wrong.status == 65 && wrong.errors.hasPrefix("\(broken):2:4: error: the file is no CSV"))
      #expect(wrong.errors.hasSuffix("copal: no model was made\n"))
      #expect(try run("new", "--from", "-").status == 64)
      #expect(try run("new", "--from", try write("", "empty.csv")).status == 65)
      #expect(try run("new", "--from", try write("a\n1\n", "Type.csv")).status == 65)
      #expect(
        try run(
          "query", path("Pigmentlist.sqlite"), "Pigmentlist", "--where", "count == nil",
          "--columns",
          "id,code,unitPrice", "--format", "csv"
        ).output == "id,code,unitPrice\n6,05,5.5\n")
    }

    @Test("update and delete count, ask, and keep the rules of the model")
    func changes() throws {
      let model = try write(
        """
        { "copal": 1, "model": "Shelf", "entities": {
          "Maker": {
            "attributes": { "name": "string" },
            "relationships": {
              "paints": { "type": "[Paint]", "inverse": "maker", "delete": "deny" } },
            "unique": ["name"] },
          "Paint": {
            "attributes": {
              "name": "string", "price": { "type": "decimal", "maximum": 100 }, "seen": "date?" },
            "relationships": {
              "maker": { "type": "Maker?", "inverse": "paints" },
              "notes": { "type": "[Note]", "inverse": "paint", "delete": "cascade" } },
            "unique": ["name"] },
          "Note": {
            "attributes": { "text": "string" },
            "relationships": { "paint": { "type": "Paint", "inverse": "notes" } } } } }
        """, "Shelf.model.json")
      let store = path("Shelf.sqlite")
      for (entity, text) in [
        ("Maker", "name\nKremer\nZecchi\n"),
        ("Paint", "name,price,maker.name\nOchre,6.25,Zecchi\nWoad,9.99,Kremer\nLead,60,\n"),
        ("Note", "text,paint.name\ndry,Lead\n"),
      ] {
        let csv = try write(text, "\(entity).csv")
        #expect(try run("import", store, entity, csv, "--model", model).status == 0)
      }
      /// The paints as CSV, without their ids.
      func paints() throws -> [String] {
        try run(
          "query", store, "Paint", "--columns", "name,price,maker.name", "--format", "csv"
        ).output.split(separator: "\n").dropFirst().map(String.init)
      }
      let before = ["Ochre,6.25,Zecchi", "Woad,9.99,Kremer", "Lead,60,"]
      #expect(try paints() == before)

      // Nobody can be asked.
      let asked = try run("update", store, "Paint", "--all", "--set", "price = 1")
      #expect(asked.output == "3 objects of Paint\n" && asked.status == 64)
      #expect(asked.errors == "copal: nobody can be asked; write --yes to update\n")
      // A rule, and arguments that cannot be meant.
      let refusals: [([String], Int32, String)] = [
        (
          ["update", store, "Paint", "--all", "--set", "price = price * 2", "--yes"], 65,
          "save.aboveMaximum"
        ),
        (["update", store, "Paint", "--set", "price = 1", "--yes"], 64, "--where CONDITION"),
        (
          ["update", store, "Paint", "--all", "--set", "price > 1", "--yes"], 64, "PROPERTY = VALUE"
        ),
        (["update", store, "Paint", "--all", "--set", "prise = 1", "--yes"], 65, "'price'"),
        (
          ["update", store, "Paint", "--all", "--set", "maker.name = 'Nobody'", "--yes"], 65,
          "batch.missingObject"
        ),
        (["delete", store, "Paint", "--yes"], 64, "--where CONDITION"),
        (["delete", store, "Paint", "--all", "--where", "price > 1", "--yes"], 64, "--where"),
        (["delete", store, "Maker", "--all", "--yes"], 65, "save.deletionDenied"),
      ]
      for (arguments, status, words) in refusals {
        let result = try Program("copal").run(arguments)
        #expect(result.status == status && result.errors.contains(words), "\(arguments): \(result)")
      }
      #expect(try paints() == before)

      let cheap = try run(
        "update", store, "Paint", "--where", "price < 10", "--set", "price = price * 2", "--set",
        "maker.name = 'Kremer'", "--yes")
      #expect(cheap.output == "2 objects of Paint\n2 objects updated\n", "\(cheap)")
      #expect(try paints() == ["Ochre,12.5,Kremer", "Woad,19.98,Kremer", "Lead,60,"])
      #expect(
        try run(
          "update", store, "Paint", "--where", "name == 'Woad'", "--set", "maker = nil", "--yes"
        ).output == "1 object of Paint\n1 object updated\n")
      #expect(try paints() == ["Ochre,12.5,Kremer", "Woad,19.98,", "Lead,60,"])

      #expect(
        try run("delete", store, "Paint", "--where", "maker == nil", "--yes").output
          == "2 objects of Paint\n2 objects deleted\n")
      #expect(try paints() == ["Ochre,12.5,Kremer"])
      #expect(try run("query", store, "Note", "--count").output == "0\n", "by the rule cascade")
      #expect(
        try run("delete", store, "Maker", "--where", "paints.@count == 0", "--yes").output
          == "1 object of Maker\n1 object deleted\n")
      #expect(
        try run("delete", store, "Paint", "--where", "price > 99", "--yes").output
          == "no object of Paint\n")
      #expect(try run("check", store, "--everything").status == 0)
    }

    @Test("a store of a model without entities is migrated, too")
    func emptyModel() throws {
      let model = { (entities: String) in
        "{ \"copal\": 1, \"model\": \"T\", \"entities\": { \(entities) } }"
      }
      let text = model("").replacing("\"", with: "\\\"")
      let export = try write(
        "{\"$copal\": \"export\", \"format\": 1, \"model\": \"\(text)\", \"metadata\": {}}\n{\"$end\": true, \"objects\": 0}\n",
        "empty.jsonl")
      let newer = try write(
        model("\"A\": { \"attributes\": { \"n\": \"string\" } }"), "A.model.json")
      #expect(try run("import", path("Empty.sqlite"), export).status == 0)
      #expect(try run("diff", path("Empty.sqlite"), newer).status == 0)
      #expect(
        try run("migrate", path("Empty.sqlite"), "--to", newer, "--apply", "--yes").status == 0)
      #expect(try run("check", path("Empty.sqlite"), "--everything").status == 0)
    }

    @Test("check finds what was broken, and the page of a file that was damaged")
    func check() throws {
      let store = try makeStore()
      #expect(try run("check", store, "--everything").output.hasSuffix(": fine\n"))
      let scan = try FileManager.default.contentsOfDirectory(atPath: store + "-files").first {
        // Its end: the name of the mark has random digits, which can be "-500", too.
        $0.hasSuffix("-500")
      }
      try FileManager.default.removeItem(atPath: store + "-files/" + (scan ?? ""))
      let missing = try run("check", store, "--everything")
      #expect(
        missing.status == 1 && missing.output.contains("Pigment.scan of Pigment p2"), "\(missing)")
      #expect(try run("check", store).status == 0)
      folder.allowsDamage()
      var bytes = try Data(contentsOf: URL(filePath: store))
      for place in 4096..<(bytes.count) where place % 4096 > 3000 { bytes[place] ^= 0x55 }
      try bytes.write(to: URL(filePath: store))
      let damaged = try run("check", store, "--everything")
      #expect(damaged.status == 1 || damaged.status == 65, "\(damaged)")
    }

    @Test("a file without quotation marks and header, with comments and a text of no value")
    func otherFiles() throws {
      let store = try makeStore()
      let rows = try write("-- \"made\nBig \"5\"\t-\nOchre\t7\n", "rows.tsv")
      let options = ["--delimiter", "tab", "--no-quotes", "--comment=--", "--nil", "-"]
      let result = try Program("copal").run(
        ["import", store, "Pigment", rows, "--upsert", "name", "--no-header", "name,price"]
          + options)
      #expect(result.status == 0 && result.output == "1 new, 1 updated\n", "\(result)")
      let quoted = try write("\"name\",\"pin\",\"price\"\n\"Woad\",\"\",\"\"\n", "quoted.csv")
      #expect(try run("import", store, "Pigment", quoted).status == 65)
      #expect(try run("import", store, "Pigment", quoted, "--nil", "").status == 0)
      #expect(
        try run("query", store, "Pigment", "--columns", "name,price,pin", "--sort", "name").output
          .contains("Woad"))
      #expect(
        try run(
          "query", store, "Pigment", "--where", "pin == nil AND price == 1", "--count"
        ).output == "3\n")
      let json = try write("[]", "a.json")
      for wrong in [
        [json, "--nil", "x"], [json, "--comment", "#"], [json, "--no-quotes"],
        [json, "--no-header", "name"], [rows, "--comment", ""],
        [rows, "--lines", "{name} {price}", "--no-quotes"],
      ] {
        let result = try Program("copal").run(["import", store, "Pigment"] + wrong)
        #expect(result.status == 64, "\(wrong): \(result)")
      }
    }

    @Test("a dump of JSON Lines is imported, and for one of JSON the message says so")
    func importedDump() throws {
      let store = try makeStore()
      #expect(
        try run("dump", store, "Maker", "--format", "jsonl", "--output", path("d.jsonl")).status
          == 0)
      #expect(try run("dump", store, "--format", "json", "--output", path("d.json")).status == 0)
      let lines = try run("import", store, "Maker", path("d.jsonl"), "--upsert", "name")
      #expect(lines.output == "0 new, 2 updated\n", "\(lines)")
      let json = try run("import", store, "Maker", path("d.json"))
      #expect(
        json.status == 65 && json.errors.contains("copal dump STORE ENTITY --format jsonl"),
        "\(json)")
      for file in ["d.json", "d.jsonl"] {
        let whole = try run("import", path("Copy.sqlite"), path(file))
        #expect(
          whole.status == 65 && whole.errors.contains("what an export of a store has written"),
          "\(whole)")
      }
    }

    @Test("an order that begins with a hyphen, and the plan of a number")
    func sorting() throws {
      let store = try makeStore()
      let names = try run(
        "query", store, "Maker", "--sort", "-name", "--columns", "name", "--format", "csv")
      #expect(names.output == "name\nZecchi\nKremer\n", "\(names)")
      let plan = try run("query", store, "Maker", "--count", "--explain")
      #expect(
        plan.output.contains("plan: ") && plan.output.contains("2 objects, counted in"), "\(plan)")
    }

    @Test("an empty name and a number get no advice that has nothing to do with them")
    func names() throws {
      let model = try write(
        #"{ "copal": 1, "model": "M", "entities": { "P": { "attributes": { "d": "date?" } } } }"#,
        "M.model.json")
      let store = path("M.sqlite")
      #expect(
        try run("import", store, "P", write("d\n2026-01-31\n", "d.csv"), "--model", model).status
          == 0)
      for arguments in [
        ["", "--count"], ["1"], ["P", "--columns", "d,,d"], ["P", "--sort", "1"],
      ] {
        let result = try Program("copal").run(["query", store] + arguments)
        #expect(result.status == 65 && !result.errors.contains("did you mean"), "\(result)")
      }
      #expect(try run("query", store, "P", "--sort", "dd").errors.contains("did you mean 'd'?"))
      for date in ["2026-01-31", "\"2026-01-31\"", "2026-01-31T09:30:00Z"] {
        let result = try run("query", store, "P", "--where", "d > \(date)")
        #expect(result.status == 65 && result.errors.contains("CAST(\"2026-01-31T"), "\(result)")
      }
      let right = #"d == CAST("2026-01-31T00:00:00Z", "NSDate")"#
      #expect(try run("query", store, "P", "--where", right, "--count").output == "1\n")
    }

    @Test(
      "a shell in a pipe writes errors on the standard error, answers the rest, and ends with 65")
    func shellErrors() throws {
      let store = try makeStore()
      let result = try run(
        "shell", store, "--entity", "Maker",
        input: "nme == 1\nname ==\n.srot name\nname == \"Zecchi\"\n")
      #expect(result.status == 65 && result.output.hasSuffix("Zecchi\n1 row\n"), "\(result)")
      for text in ["nme", "srot", "name ==\n"] {
        #expect(result.errors.contains(text) && !result.output.contains(text), "\(result)")
      }
      #expect(try run("shell", store, "--entity", "Maker", input: "TRUEPREDICATE\n").status == 0)
    }

    @Test("values that cannot be read are told on the standard error, and the exit code is 1")
    func unreadable() throws {
      let store = try makeStore()
      do {
        let container = try PersistentContainer(
          tool: ManagedObjectModel(json: Self.model, file: "Paint.model.json"),
          store: .sqlite(at: URL(filePath: store)), transformers: [])
        try container.makeContext().executeUnsafe(
          sql: "UPDATE Pigment SET color = x'00' WHERE color IS NOT NULL")
      }
      for format in RowForm.allCases {
        for arguments in [["dump", store, "Pigment"], ["query", store, "Pigment"]] {
          let result = try Program("copal").run(arguments + ["--format", format.rawValue])
          #expect(result.status == 1, "\(arguments), \(format): \(result)")
          #expect(
            result.errors.contains("copal: 2 values of Pigment cannot be read; "), "\(result)")
          #expect(result.output.contains("‹unreadable›"))
        }
      }
      #expect(try run("check", store, "--everything").status == 1)
      let others = try run("query", store, "Pigment", "--columns", "name")
      #expect(others.status == 0 && others.errors.isEmpty)
      #expect(try run("dump", store, "Pigment", "--raw", "--format", "csv").status == 0)
    }

    private enum RowForm: String, CaseIterable { case table, json, jsonl, csv }

    /// Items, of which another program has written three values of their stock, a price, a weight
    /// and others that cannot be read.
    private func makeDamagedStore() throws -> String {
      let model = try write(
        """
        { "copal": 1, "model": "Stock", "entities": {
          "Box": { "attributes": { "label": "string" }, "unique": ["label"] },
          "Item": {
            "attributes": {
              "kind": "string", "stock": "integer?", "price": "decimal?", "isNew": "boolean?",
              "weight": { "type": "decimal?", "scale": 2 }, "size": "float?", "pin": {
                "type": "integer?", "private": true
              }, "site": "uri?", "serial": "uuid?", "since": "date?"
            },
            "relationships": { "box": "Box?" }
          }
        } }
        """, "Stock.model.json")
      let store = path("Stock.sqlite")
      let boxes = try write("label\nx\ny\n", "boxes.csv")
      let items = try write(
        """
        kind,stock,price,isNew,weight,size,pin,box.label
        a,1,2.5,true,1.25,1,7,x
        a,2,1.5,true,1.25,1,7,x
        a,3,,,,1,7,y
        b,5,2.5,false,2,1,7,y
        b,,,,,,,

        """, "items.csv")
      try run("import", store, "Box", boxes, "--model", model)
      #expect(try run("import", store, "Item", items).status == 0)
      let container = try PersistentContainer(
        tool: ManagedObjectModel(
          json: String(contentsOfFile: model, encoding: .utf8), file: "Stock"),
        store: .sqlite(at: URL(filePath: store)), transformers: [])
      let context = container.makeContext()
      try context.executeUnsafe(sql: "UPDATE Item SET stock = 'many' WHERE copal_id = 2")
      try context.executeUnsafe(
        sql: """
          UPDATE Item SET stock = 'few', price = '02.50', weight = 'x', pin = 'secret'
          WHERE copal_id = 3
          """)
      try context.executeUnsafe(
        sql: """
          UPDATE Item SET isNew = 2, size = 'x', site = x'00', serial = x'00', since = 'x'
          WHERE copal_id = 4
          """)
      try context.executeUnsafe(
        sql: "UPDATE Box SET label = CAST(x'ff' AS TEXT) WHERE copal_id = 1")
      return store
    }

    @Test(
      "values that cannot be read are told for groups, too",
      arguments: [
        ("kind, sum stock", 2, "kind,sum stock\na,1\nb,5\n"),
        ("stock, count", 2, "stock,count\n,1\n1,1\n5,1\n‹unreadable›,1\n‹unreadable›,1\n"),
        ("kind, min stock, max stock", 2, "kind,min stock,max stock\na,1,‹unreadable›\nb,5,5\n"),
        ("stock", 2, "stock\n1\n‹unreadable›\n‹unreadable›\n5\n\n"),
        ("stock, sum stock", 2, nil), ("kind, count", 0, "kind,count\na,3\nb,2\n"),
        ("max pin", 0, "max pin\n‹private›\n"),
        ("box.label, count, max price", 3, nil), ("weight, isNew, count", 2, nil),
      ])
    func unreadableGroups(group: String, count: Int, output: String?) throws {
      let store = try makeDamagedStore()
      let result = try run("query", store, "Item", "--group", group, "--format", "csv")
      if let output { #expect(result.output == output) }
      let text =
        "copal: \(count) value\(count == 1 ? "" : "s") of Item cannot be read; copal check \(store) --everything names them\n"
      #expect(result.errors == (count == 0 ? "" : text))
      #expect(result.status == (count == 0 ? 0 : 1))
    }

    @Test("groups and objects have the same values that cannot be read")
    func unreadableGroupsAndObjects() throws {
      let store = try makeDamagedStore()
      for name in [
        "kind", "stock", "price", "isNew", "weight", "size", "pin", "site", "serial", "since",
        "box.label", "box",
      ] {
        for sight in [[], ["--private"]] {
          let arguments = ["query", store, "Item"] + sight
          let objects = try Program("copal").run(arguments + ["--columns", name])
          for group in [name, name + ", count"] {
            let groups = try Program("copal").run(arguments + ["--group", group])
            #expect(groups.errors == objects.errors, "\(name): \(groups)")
            #expect(groups.status == objects.status)
          }
        }
      }
      #expect(try run("query", store, "Item", "--group", "max pin", "--private").status == 1)
    }

    @Test("a shell in a pipe tells the values that cannot be read, and ends with 1")
    func unreadableInShell() throws {
      let store = try makeDamagedStore()
      for line in [".group kind, sum stock", ".columns stock"] {
        let result = try run(
          "shell", store, "--entity", "Item", input: line + "\nTRUEPREDICATE\n")
        #expect(result.errors.contains("copal: 2 values of Item cannot be read; "), "\(result)")
        #expect(result.status == 1)
      }
      let others = try run(
        "shell", store, "--entity", "Item", input: ".group kind, count\nTRUEPREDICATE\n")
      #expect(others.status == 0 && others.errors.isEmpty, "\(others)")
      let wrong = try run(
        "shell", store, "--entity", "Item", input: ".columns stock\nTRUEPREDICATE\nkid ==\n")
      #expect(wrong.status == 65)
    }

    // MARK: Backups

    /// Runs the command without the right of root to write everything; nil where that is not
    /// possible.
    private func runUnprivileged(_ arguments: [String]) throws -> Int32? {
      let process = Program("copal").process(arguments, [:])
      if geteuid() == 0 {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else { return nil }
        let copal = process.executableURL?.path(percentEncoded: false) ?? ""
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments =
          ["--bounding-set", "-dac_override,-dac_read_search", copal] + arguments
      }
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }

    @Test("a store that one may only read is copied with its files, and the copy can be written")
    func backupOfReadable() throws {
      let store = try makeStore()
      let files = try FileManager.default.subpathsOfDirectory(atPath: store + "-files").map {
        store + "-files/" + $0
      }
      func allow(_ file: mode_t, _ folder: mode_t) {
        for path in files + [store] { chmod(path, path.hasSuffix("-files") ? folder : file) }
        chmod(store + "-files", folder)
      }
      allow(0o444, 0o555)
      defer { allow(0o644, 0o755) }
      guard let status = try runUnprivileged(["backup", store, path("Copy.sqlite")]) else { return }
      #expect(status == 0)
      #expect(try run("export", path("Copy.sqlite")).output == run("export", store).output)
      let csv = try write("name\nNew\n", "new.csv")
      #expect(try runUnprivileged(["import", path("Copy.sqlite"), "Maker", csv]) == 0)
    }

    @Test("Control-C ends a backup, and nothing of the copy is left")
    func interruptedBackup() throws {
      let store = try makeStore()
      do {
        let container = try PersistentContainer(
          tool: ManagedObjectModel(json: Self.model, file: "Paint.model.json"),
          store: .sqlite(at: URL(filePath: store)), transformers: [])
        let context = container.makeContext()
        try context.executeUnsafe(
          sql: """
            WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 150000)
            INSERT INTO Maker (copal_id, copal_version, name)
            SELECT x, 1, hex(randomblob(200)) FROM n
            """)
      }
      let before = try FileManager.default.contentsOfDirectory(atPath: path("")).sorted()
      let process = Program("copal").process(["backup", store, path("Copy.sqlite")], [:])
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      while process.isRunning, access(path("Copy.sqlite-incomplete"), F_OK) != 0 { usleep(100) }
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
      #expect(try FileManager.default.contentsOfDirectory(atPath: path("")).sorted() == before)
    }

    // MARK: What goes wrong

    @Test("a dump that is killed leaves no part of its file")
    func killedDump() throws {
      #if os(Linux)
        // A file without a name, where the file system has them.
        let unnamed = open(path(""), O_WRONLY | O_DIRECTORY | 0o20_000_000, 0o600)
        guard unnamed >= 0 else { return }
        close(unnamed)
        let store = try makeStore()
        let rows = (0..<20_000).map { "Maker \($0)\n" }.joined()
        #expect(try run("import", store, "Maker", write("name\n" + rows, "many.csv")).status == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: path("")).sorted()
        for number in 1...8 {
          let process = Program("copal").process(
            ["dump", store, "Maker", "--output", path("out.txt")], [:])
          try process.run()
          Thread.sleep(forTimeInterval: 0.02 * Double(number))
          kill(process.processIdentifier, SIGKILL)
          process.waitUntilExit()
          try? FileManager.default.removeItem(atPath: path("out.txt"))
          #expect(try FileManager.default.contentsOfDirectory(atPath: path("")).sorted() == before)
        }
        for _ in 0..<2 {
          let result = try run("dump", store, "Maker", "--output", path("out.txt"))
          #expect(result.status == 0, "\(result)")
          #expect(
            try String(contentsOfFile: path("out.txt"), encoding: .utf8).contains("20,002 rows"))
        }
      #endif
    }

    @Test("a full disk is 74, leaves no part of a file, and a reader that ends is no failure")
    func streams() throws {
      let store = try makeStore()
      let copal = Bundle.main.bundleURL.resolvingSymlinksInPath().appending(path: "copal")
        .path(percentEncoded: false)
      func shell(_ line: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", line, copal, store]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
      }
      #expect(try shell("\"$0\" dump \"$1\" > /dev/full") == 74)
      #expect(try shell("\"$0\" export \"$1\" > /dev/full") == 74)
      #expect(try shell("\"$0\" dump \"$1\" | head -1; exit ${PIPESTATUS[0]}") == 0)
    }

    @Test("an import that is killed, or interrupted, leaves nothing of it in the store")
    func killed() throws {
      let store = try makeStore()
      let rows = (0..<30_000).map { "Pigment \($0),\($0 % 100)\n" }.joined()
      let file = try write("name,price\n" + rows, "many.csv")
      var random = SplitMix(seed: 20)
      let count = ProcessInfo.processInfo.environment["COPAL_KILLS"].flatMap(Int.init) ?? 2
      for round in 0..<count {
        let process = Program("copal").process(["import", store, "Pigment", file], [:])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.8, using: &random))
        let isInterrupted = round.isMultiple(of: 2)
        kill(process.processIdentifier, isInterrupted ? SIGINT : SIGKILL)
        process.waitUntilExit()
        // It may have ended before the signal.
        let isDone = process.terminationReason == .exit
        #expect(isDone || process.terminationStatus == (isInterrupted ? SIGINT : SIGKILL))
        let number = try run("query", store, "Pigment", "--count").output
        // All of it or nothing: the signal can come between the commit and the end of the program.
        #expect(number == "30003\n" || !isDone && number == "3\n", "round \(round): \(number)")
        if number != "3\n" { break }
      }
      #expect(try run("check", store).status == 0)
    }

    @Test("mutated stores through every subcommand: no signal, no hang, and nothing is changed")
    func mutatedStores() throws {
      folder.allowsDamage()
      let store = try makeStore()
      let sound = try Data(contentsOf: URL(filePath: store))
      let deep = ProcessInfo.processInfo.environment["COPAL_MUTATIONS"] != nil
      var random = SplitMix(seed: 500)
      for round in 0..<(deep ? 500 : 3) {
        var bytes = sound
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1:
            let end = min(bytes.count, place + Int.random(in: 1...300, using: &random))
            bytes.replaceSubrange(place..<end, with: Data(count: end - place))
          case 2: bytes.removeLast(Int.random(in: 0...min(bytes.count - 1, 5000), using: &random))
          default: bytes[place % 200] ^= UInt8.random(in: 1...255, using: &random)
          }
          if bytes.isEmpty { bytes = sound }
        }
        try bytes.write(to: URL(filePath: store))
        let before = try contents()
        for arguments in reading(store) {
          let result = try Program("copal").run(arguments, input: "price > 3\n")
          #expect(
            [0, 1, 65, 74].contains(result.status), "round \(round), \(arguments): \(result)")
        }
        #expect(try contents() == before, "round \(round)")
      }
    }

    @Test("mutated files of an import: no signal, no hang, and a refusal changes nothing")
    func mutatedFiles() throws {
      let store = try makeStore()
      let before = try run("export", store).output
      let seeds: [(name: String, text: String)] = [
        ("a.csv", "name,price,maker.name\n\"New, one\",1.5,Kremer\nNew two,,\n"),
        (
          "a.jsonl",
          "{\"name\": \"New one\", \"price\": \"1.5\", \"maker.name\": \"Kremer\"}\n{\"name\": \"New two\"}\n"
        ),
        (
          "a.json",
          "[{\"name\": \"New one\", \"price\": 1.5},\n{\"name\": \"New two\", \"color\": \"#CC7722\"}]\n"
        ),
        ("export.jsonl", before),
      ]
      let deep = ProcessInfo.processInfo.environment["COPAL_MUTATIONS"] != nil
      var random = SplitMix(seed: 501)
      for round in 0..<(deep ? 500 : 12) {
        let (name, text) = seeds[round % seeds.count]
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1 where bytes.count > 20: bytes.remove(at: place)
          case 2: bytes.insert(bytes[Int.random(in: bytes.indices, using: &random)], at: place)
          default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
          }
          if bytes.isEmpty { bytes = Array(text.utf8) }
        }
        try Data(bytes).write(to: folder.url.appending(path: name))
        let isWhole = name.hasPrefix("export")
        let target = isWhole ? path("Copy.sqlite") : store
        let result = try Program("copal").run(
          ["import", target] + (isWhole ? [] : ["Pigment"]) + [path(name)])
        #expect([0, 65].contains(result.status), "round \(round), \(result)")
        if isWhole {
          let isThere = FileManager.default.fileExists(atPath: target)
          #expect(isThere == (result.status == 0), "round \(round)")
          try? StoreConfiguration.sqlite(at: URL(filePath: target)).destroy()
        } else if result.status == 0 {
          for suffix in ["", "-wal", "-shm", "-files"] {
            try? FileManager.default.removeItem(atPath: store + suffix)
          }
          _ = try makeStore()
        } else {
          #expect(try run("export", store).output == before, "round \(round)")
        }
      }
    }
  }
#endif
