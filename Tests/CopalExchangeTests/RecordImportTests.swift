import Copal
import CopalColor
import CopalExchange
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Import of records")
struct RecordImportTests {
  private static let model = """
    { "copal": 1, "model": "Shop", "entities": {
      "Maker": { "attributes": { "name": "string", "rank": "integer16?" }, "unique": ["name"] },
      "Tag": {
        "attributes": { "name": "string" },
        "relationships": { "pigments": { "type": "[Pigment]", "inverse": "tags" } },
        "unique": ["name"]
      },
      "Pigment": {
        "attributes": {
          "name": { "type": "string", "minimumLength": 2, "maximumLength": 20 },
          "code": { "type": "string?", "pattern": "P[A-Z][0-9]+" },
          "price": { "type": "decimal", "minimum": 0, "maximum": 1000, "default": 10 },
          "stock": { "type": "integer32", "default": 5 },
          "kind": { "type": "string?", "cases": ["earth", "mineral"] },
          "weight": "double?", "isSold": "boolean?", "added": "date?",
          "pin": { "type": "string?", "private": true, "maximumLength": 4 },
          "color": {
            "type": "transformable?", "transformer": "SerializableColorTransformer",
            "class": "SerializableColor"
          }
        },
        "relationships": {
          "maker": "Maker?",
          "tags": { "type": "[Tag]", "inverse": "pigments" }
        },
        "unique": ["name"]
      },
      "Line": { "attributes": { "time": "date", "level": "string", "unit": "string?", "text": "string" } }
    } }
    """

  private func container(_ store: StoreConfiguration = .inMemory) throws -> PersistentContainer {
    let model = try ManagedObjectModel(json: Self.model, file: "Shop.model.json")
    let container = try PersistentContainer(
      model: ModelBinding(model), store: store, transformers: [SerializableColorTransformer()])
    let context = container.makeContext()
    try context.insertAll("Maker", [["name": "Kremer"], ["name": "Zecchi"]])
    try context.insertAll("Tag", [["name": "old"], ["name": "warm"]])
    return container
  }

  /// Imports a text into pigments.
  private func run(
    _ text: String, into container: PersistentContainer, entity: String = "Pigment",
    _ change: (inout RecordImport) throws -> Void = { _ in }
  ) throws -> RecordImport.Result {
    var reading = RecordImport(container, entity: entity)
    try change(&reading)
    return try reading.run(ByteInput(text: text))
  }

  /// What is wrong with a text: line, column, property and code. Nothing of it is in the store.
  private func problems(
    _ text: String, entity: String = "Pigment",
    _ change: (inout RecordImport) throws -> Void = { _ in }
  ) throws -> [String] {
    let container = try container()
    do {
      _ = try run(text, into: container, entity: entity, change)
      return []
    } catch let error as ImportError {
      let request = FetchRequest<ManagedObject>(entityName: entity)
      #expect(try container.makeContext().count(request) == 0)
      return error.problems.map {
        "\($0.line ?? 0):\($0.column ?? 0) \($0.property ?? "-") \($0.code.rawValue.dropFirst(7))"
      }
    }
  }

  @Test("values, defaults, relationships and colors of CSV are in the store")
  func csv() throws {
    let container = try container()
    let text = """
      Name,code,PRICE,is_sold,added,maker.name,tags.name,weight
      Ochre,PY43,6.20,true,2026-03-01,Zecchi,old warm,1e3
      "Lapis, ""the"" lazuli",,,no,2026-03-01T09:30:00.25+01:00,,,
      """
    let result = try run(text, into: container)
    #expect(result.inserted == 2 && result.updated == 0)
    let context = container.makeContext()
    let objects = try context.fetch(
      FetchRequest<ManagedObject>(entityName: "Pigment", sortKeys: [FetchSortKey("name")]))
    let (lapis, ochre) = (objects[0], objects[1])
    #expect(try lapis.value(of: "name") == "Lapis, \"the\" lazuli")
    #expect(try lapis.value(of: "price") == Decimal(10))
    #expect(try lapis.value(of: "stock") == Int32(5))
    #expect(try lapis.value(of: "isSold") == false)
    #expect(try lapis.value(of: "code", as: String.self) == nil)
    #expect(
      try lapis.value(of: "added") == Date(timeIntervalSince1970: 1_772_353_800.25))
    #expect(try ochre.value(of: "price") == Decimal(string: "6.2"))
    #expect(try ochre.value(of: "weight") == 1000.0)
    let maker: ManagedObject? = try ochre.value(of: "maker")
    #expect(try maker?.value(of: "name") == "Zecchi")
    let tags = try #require(try ochre.value(forKey: "tags") as? ToMany<ManagedObject>)
    #expect(
      try tags.map { try $0.value(of: "name", as: String.self) ?? "" }.sorted() == ["old", "warm"])
  }

  @Test("each kind of rule that is broken is refused with its line, and nothing is written")
  func rules() throws {
    let head = "name,code,price,kind,pin,stock,maker.name\n"
    let cases: [(row: String, problem: String)] = [
      ("x,,,,,,", "2:1 name brokenRule"),
      ("a very long name of a pigment,,,,,,", "2:1 name brokenRule"),
      (",,,,,,", "2:1 name required"),
      ("\"\",,,,,,", "2:1 name brokenRule"),
      ("Ochre,43,,,,,", "2:7 code brokenRule"),
      ("Ochre,,-1,,,,", "2:8 price brokenRule"),
      ("Ochre,,1000.01,,,,", "2:8 price brokenRule"),
      ("Ochre,,\"1,5\",,,,", "2:8 price wrongValue"),
      ("Ochre,,nan,,,,", "2:8 price wrongValue"),
      ("Ochre,,0x10,,,,", "2:8 price wrongValue"),
      ("Ochre,,,eart,,,", "2:9 kind brokenRule"),
      ("Ochre,,,,12345,,", "2:10 pin brokenRule"),
      ("Ochre,,,,,2147483648,", "2:11 stock wrongValue"),
      ("Ochre,,,,,1.0,", "2:11 stock wrongValue"),
      ("Ochre,,,,,+1,", "2:11 stock wrongValue"),
      ("Ochre,,,,, 1,", "2:11 stock wrongValue"),
      ("Ochre,,,,,,Nobody", "2:0 maker missingObject"),
      ("Ochre,,", "2:0 - fieldCount"),
    ]
    for (row, problem) in cases {
      #expect(try problems(head + row + "\n") == [problem], "\(row)")
      #expect(
        try problems(head + "Umber,,,,,,\n\n" + row + "\n")
          == [problem.replacing("2:", with: "4:")], "\(row)")
    }
    // What ends the reading does not hide what was found before.
    #expect(
      try problems(head + "x,,,,,,\n\"y,,,,,,\n") == ["2:1 name brokenRule", "3:0 - notCSV"])
    #expect(
      try problems(head + "Ochre,,,,,,\nOchre,,,,,,\n") == ["3:0 name notUnique"])
    // The store refuses what comes after many rows, too.
    let many = (0..<2500).map { "Pigment \($0),,,,,,\n" }.joined()
    #expect(try problems(head + many + "Pigment 7,,,,,,\n") == ["2502:0 name notUnique"])
    #expect(
      try problems(head + many + "x,,,,,,\nx,,,,,,\n")
        == ["2502:1 name brokenRule", "2503:1 name brokenRule"])
  }

  @Test("the first 100 problems are listed, and a private text is in none of them")
  func manyProblems() throws {
    let text = "name,pin\n" + (0..<150).map { "Ochre \($0),secret\($0)\n" }.joined()
    let error = #expect(throws: ImportError.self) { try run(text, into: try container()) }
    #expect(error?.problems.count == 100 && error?.hasMore == true)
    #expect(error?.description.contains("secret") == false)
    #expect(error?.description.contains("2:9: Pigment.pin:") == true, "\(error?.description ?? "")")
  }

  @Test("a header: names without case and _, a map, and what is wrong with one")
  func headers() throws {
    #expect(try problems("nmae\nOchre\n") == ["1:0 - unknownProperty"])
    #expect(try problems("name,Name\nOchre,Ochre\n") == ["1:0 - header"])
    #expect(try problems("price\n3\n") == ["1:0 - header"])
    #expect(try problems("name,maker\nOchre,Zecchi\n") == ["1:0 - header"])
    #expect(try problems("name,maker.rank\nOchre,3\n") == ["1:0 - header"])
    #expect(try problems("") == ["1:0 - header"])
    #expect(try problems("name\n") == [])
    #expect(try problems("name,x\nOchre,1\n") { $0.map = ["x": "", "y": ""] } == ["1:0 - header"])
    let container = try container()
    var used: [String] = []
    var unused: [String] = []
    let result = try run("Bezeichnung;Hersteller;x\nOcker;Zecchi;1\n", into: container) {
      $0.format = .csv(delimiter: ";")
      $0.map = ["Bezeichnung": "name", "Hersteller": "maker.name", "x": ""]
      $0.willBegin = { (used, unused) = ($0, $1) }
    }
    #expect(result.inserted == 1)
    #expect(used == ["Bezeichnung → name", "Hersteller → maker.name"] && unused == ["x"])
  }

  /// Names, codes, weights and stocks, in the order of their names, with a point for no value.
  private func rows(_ container: PersistentContainer) throws -> [String] {
    let names = ["name", "code", "weight", "stock"]
    var request = ValueRequest(
      entityName: "Pigment", columns: names.map { .init($0, .property($0)) })
    request.sortKeys = [.init(.property("name"), isAscending: true)]
    return try container.makeContext().fetchValues(request).map { row in
      row.map { value in
        switch value {
        case .string(let text): text
        case .double(let number): "\(number)"
        case .integer(let number): "\(number)"
        default: "."
        }
      }.joined(separator: "|")
    }
  }

  @Test("a text of no value is none, with marks and without; an empty field has a text of its own")
  func noValues() throws {
    let quoted = "\"name\",\"code\",\"weight\"\n\"Ochre\",\"\",\"\"\n\"Umber\",\"PA1\",\"2.5\"\n"
    #expect(try problems(quoted) == ["2:9 code brokenRule", "2:12 weight wrongValue"])
    let container = try container()
    _ = try run(quoted, into: container) { $0.textOfNoValue = "" }
    _ = try run("name,weight,stock\nA1,NA,\"NA\"\nA2,,NA\n", into: container) {
      $0.textOfNoValue = "NA"
    }
    #expect(try rows(container) == ["A1|.|.|5", "A2|.|.|5", "Ochre|.|.|5", "Umber|PA1|2.5|5"])
    #expect(try problems("name,weight\nA1,NA\n") == ["2:4 weight wrongValue"])
    #expect(try problems("name\nNA\n") { $0.textOfNoValue = "NA" } == ["2:1 name required"])
    let template = try LineTemplate("{time} {level} [{unit}] {text}")
    _ = try run("2026-03-01 a [-] b\n", into: container, entity: "Line") {
      ($0.format, $0.textOfNoValue) = (.lines(template), "-")
    }
    let units = try container.makeContext().fetchValues(
      ValueRequest(entityName: "Line", columns: [.init("unit", .property("unit"))]))
    #expect(units == [[.null]])
  }

  @Test("without quotation marks, a mark is a character, and each line is a record")
  func noQuotationMarks() throws {
    let text = "name\tcode\tweight\n\"big\" 5\"\t\t1\nOchre \"\t\t2\n\"x\t\t3\n"
    #expect(
      try problems(text) { $0.format = .csv(delimiter: "\t") }.first?.hasSuffix("notCSV") == true)
    let container = try container()
    _ = try run(text, into: container) {
      ($0.format, $0.hasQuotationMarks) = (.csv(delimiter: "\t"), false)
    }
    #expect(try rows(container) == ["\"big\" 5\"|.|1.0|5", "\"x|.|3.0|5", "Ochre \"|.|2.0|5"])
  }

  @Test("fields at the end of a record may be missing, if the program says so")
  func shortRecords() throws {
    let text = "name,code,weight\nOchre,PA1,2\nUmber\nLead,PB2\n"
    #expect(try problems(text) == ["3:0 - fieldCount", "4:0 - fieldCount"])
    #expect(
      try problems("name\nOchre,x\n") { $0.allowsShortRecords = true } == ["2:0 - fieldCount"])
    let container = try container()
    _ = try run(text, into: container) { $0.allowsShortRecords = true }
    #expect(try rows(container) == ["Lead|PB2|.|5", "Ochre|PA1|2.0|5", "Umber|.|.|5"])
    // A required value that is missing is named.
    #expect(
      try problems("code,name\nPA1\n") { $0.allowsShortRecords = true }.first?.hasSuffix("required")
        == true)
  }

  @Test("a file without a header, with its columns in order, and lines of comment")
  func noHeader() throws {
    let text = "# \"made by\n#\nOchre,x,2\n# Umber,x,3\nA # b,x,4\n"
    let container = try container()
    var used: [String] = []
    _ = try run(text, into: container) {
      ($0.columnNames, $0.commentMark) = (["name", "", "weight"], "#")
      $0.willBegin = { names, _ in used = names }
    }
    #expect(
      try rows(container) == ["A # b|.|4.0|5", "Ochre|.|2.0|5"] && used == ["name", "weight"])
    let mark = { (reading: inout RecordImport) in reading.commentMark = "--" }
    _ = try run("-- a\nname\n-- b\nSienna\n", into: container, mark)
    _ = try run("-- a\n{\"name\": \"Woad\"}\n--", into: container) {
      mark(&$0)
      $0.format = .jsonLines
    }
    #expect(try rows(container).suffix(2) == ["Sienna|.|.|5", "Woad|.|.|5"])
    #expect(try problems("Ochre\n") { $0.columnNames = ["nmae"] } == ["0:0 - unknownProperty"])
    #expect(try problems("Ochre,1\n") { $0.columnNames = ["name"] } == ["1:0 - fieldCount"])
    #expect(try problems("Ochre;1\n") { $0.columnNames = ["name"] } == [])
    #expect(
      try problems("# a\n,\n# \"\nx,\n") {
        ($0.columnNames, $0.commentMark) = (["name", "code"], "#")
      } == ["2:1 name required", "4:1 name brokenRule"])
  }

  @Test("a name that is none is listed once, with the number of its records")
  func unknownNames() throws {
    let lines = (0..<150).map { "{\"name\": \"Ochre \($0)\", \"x\": 1, \"maker\": 1}\n" }.joined()
    let error = #expect(throws: ImportError.self) {
      try run(lines + "{\"name\": \"Umber\", \"y\": 1}\n", into: try container()) {
        $0.format = .jsonLines
      }
    }
    let texts = error?.problems.map(\.description) ?? []
    #expect(texts.count == 3 && error?.hasMore == false, "\(texts)")
    #expect(
      texts.first?.hasPrefix(
        "1:21: Pigment: there is no property 'x' (in 150 records); set map[\"x\"] to \"PROPERTY\"")
        == true)
    #expect(
      texts.dropFirst().first?.contains(
        "(in 150 records); set map[\"maker\"] to \"maker.name\"") == true)
    #expect(texts.last?.hasPrefix("151:19: Pigment: there is no property 'y'; set") == true)
  }

  @Test(
    "a problem that an option can solve names the property of RecordImport",
    arguments: [
      (
        "name;price\nOchre;1\n",
        #"the first line has one column, 'name;price'; set the delimiter of format to ";" [import.header]"#
      ),
      (
        "name,Name\nOchre,Umber\n",
        #"the columns 'name' and 'Name' are both for 'name'; set map["Name"] to "" to leave the column out [import.header]"#
      ),
      (
        "name,tags\nOchre,warm\n",
        #"'tags' is a relationship, and needs a unique attribute of its objects; set map["tags"] to "tags.name", or to "" to leave the column out [import.header]"#
      ),
      (
        "name,price\nOchre,\"12,50\"\n",
        "Pigment.price: '12,50' is no value here; write a decimal such as 12.50, or set hasDecimalComma to true to read commas [import.wrongValue]"
      ),
      (
        "name,added\nOchre,1.3.2026\n",
        "Pigment.added: '1.3.2026' is no value here; write a date such as 2026-03-01 or 2026-03-01T09:30:00Z, or set dateFormat for another form [import.wrongValue]"
      ),
      (
        "name\nO\"chre\n",
        #"the file is no CSV: a quotation mark inside a field; put the whole field into quotation marks, and write "" for the mark, or set hasQuotationMarks to false to read marks as they are [import.notCSV]"#
      ),
      (
        "name,pin\nOchre,‹private›\n",
        "Pigment.pin: '‹private›' is no value here; write the value itself, or dump again with showsPrivateValues [import.wrongValue]"
      ),
      (
        "name\nOchre\nOchre\n",
        "Pigment.name: another object has the same value 'Ochre'; set upsertKey to update it [import.notUnique]"
      ),
    ])
  func remedies(text: String, sentence: String) throws {
    let error = #expect(throws: ImportError.self) { try run(text, into: try container()) }
    let all = error?.problems.map(\.description) ?? []
    #expect(all.contains { $0.hasSuffix(" " + sentence) }, "\(all)")
  }

  @Test("an upsert updates what is there, and keeps the values that the file does not have")
  func upsert() throws {
    let container = try container()
    _ = try run("name,price,stock\nOchre,1,7\nUmber,2,8\n", into: container)
    let result = try run("name,price\nOchre,3\nSienna,4\n", into: container) {
      $0.upsertKey = ["name"]
    }
    #expect(result.inserted == 1 && result.updated == 1)
    let rows = try container.makeContext().fetchValues(
      ValueRequest(
        entityName: "Pigment",
        columns: ["name", "price", "stock"].map { .init($0, .property($0)) }))
    #expect(
      rows == [
        ["Ochre", .decimal(3), 7], ["Umber", .decimal(2), 8], ["Sienna", .decimal(4), 5],
      ])
    // Only the key and a value: what each object needs is in the store.
    let prices = try run("name,stock,code\nUmber,9,\n", into: container) { $0.upsertKey = ["name"] }
    #expect(prices.updated == 1)
    let makers = try run("rank,name\n5,Kremer\n", into: container, entity: "Maker") {
      $0.upsertKey = ["name"]
    }
    #expect(makers.updated == 1)
    let lines = try #require(
      #expect(throws: ImportError.self) {
        try run("text,level\na,b\n", into: container, entity: "Line")
      })
    #expect(lines.problems.map(\.code) == [.header])
    let none = #expect(throws: PersistenceError.self) {
      try run("name,price\nOchre,3\n", into: container) { $0.upsertKey = [] }
    }
    #expect(none?.code == .batchNoConstraint)
    let error = #expect(throws: PersistenceError.self) {
      try run("name,price\nOchre,3\n", into: container) { $0.upsertKey = ["price"] }
    }
    #expect(error?.code == .batchNoConstraint)
  }

  @Test("members of a list with spaces are a list of JSON, also in CSV")
  func lists() throws {
    let container = try container()
    try container.makeContext().insertAll("Tag", [["name": "very old"]])
    _ = try run(
      "name,tags.name\nOchre,\"[\"\"very old\"\",\"\"warm\"\"]\"\nUmber,old warm\n", into: container
    )
    var bytes: [UInt8] = []
    var dump = RowDump(container, FetchRequest<ManagedObject>(entityName: "Pigment"))
    (dump.format, dump.columns) = (.csv, ["name", "tags.name"])
    try dump.run(to: ByteOutput { bytes += $0 })
    let text = String(decoding: bytes, as: UTF8.self)
    let again = try self.container()
    try again.makeContext().insertAll("Tag", [["name": "very old"]])
    #expect(try run(text, into: again).inserted == 2, "\(text)")
    var second: [UInt8] = []
    dump = RowDump(again, FetchRequest<ManagedObject>(entityName: "Pigment"))
    (dump.format, dump.columns) = (.csv, ["name", "tags.name"])
    try dump.run(to: ByteOutput { second += $0 })
    #expect(second == bytes)
  }

  @Test("JSON and JSON Lines: the same values, and where a mistake is")
  func json() throws {
    let lines = #"""
      {"name": "Ochre", "price": "6.20", "stock": 3, "isSold": false, "tags.name": ["old"], "color": null}

      {"name": "Umber", "price": 5.40, "maker.name": "Kremer"}
      """#
    let container = try container()
    #expect(try run(lines, into: container) { $0.format = .jsonLines }.inserted == 2)
    let list =
      "[\n"
      + lines.split(separator: "\n").map {
        $0.replacing("Ochre", with: "A1").replacing("Umber", with: "A2")
      }.joined(separator: ",\n") + "\n]\n"
    #expect(try run(list, into: container) { $0.format = .json }.inserted == 2)
    #expect(try run("[]", into: container) { $0.format = .json }.inserted == 0)
    let rows = try container.makeContext().fetchValues(
      ValueRequest(
        entityName: "Pigment", columns: [.init("price", .property("price"))]))
    #expect(
      rows.map { $0[0] } == [6.2, 5.4, 6.2, 5.4].map { .decimal(Decimal(string: "\($0)") ?? 0) })

    func refused(_ text: String, _ format: RecordFormat) throws -> [String] {
      try problems(text) { $0.format = format }
    }
    #expect(
      try refused("{\"name\": \"Ochre\"}\n{\"name\": \"Umber\", \"stock\": \"3\"}\n", .jsonLines)
        == ["2:28 stock wrongValue"])
    #expect(
      try refused("{\"name\": \"Ochre\", \"x\": 1}\n", .jsonLines) == ["1:19 - unknownProperty"])
    #expect(try refused("{\"price\": 1}\n", .jsonLines) == ["1:0 name required"])
    #expect(
      try refused("{\"name\": \"Ochre\", \"Name\": \"Umber\"}\n", .jsonLines)
        == ["1:27 name notJSON"])
    #expect(try refused("{\"name\": 'a'}\n", .jsonLines) == ["1:10 - notJSON"])
    #expect(
      try refused("[{\"name\": \"Ochre\"}\n{\"name\": \"Umber\"}]", .json) == ["2:0 - notJSON"])
    #expect(
      try refused("[{\"name\": \"Ochre\"},\n  {\"name\": 3}]", .json) == ["2:12 name wrongValue"])
    #expect(try refused("[{\"name\": \"Ochre\"}", .json) == ["1:0 - notJSON"])
    #expect(try refused("{\"name\": \"Ochre\"}", .json) == ["1:0 - notJSON"])
    #expect(try refused("[1]", .json) == ["1:2 - notJSON"])
    #expect(try refused("[] x", .json) == ["1:0 - notJSON"])
  }

  @Test("a decimal comma and forms of dates, only where they are asked for")
  func forms() throws {
    let container = try container()
    _ = try run("name;price;added\nOchre;6,20;01.03.2026 09:30\n", into: container) {
      $0.format = .csv(delimiter: ";")
      $0.hasDecimalComma = true
      $0.dateFormat = try DateTemplate("dd.MM.yyyy HH:mm")
    }
    let object = try #require(
      try container.makeContext().fetch(FetchRequest<ManagedObject>(entityName: "Pigment")).first)
    #expect(try object.value(of: "price") == Decimal(string: "6.2"))
    #expect(try object.value(of: "added") == Date(timeIntervalSince1970: 1_772_357_400))
    #expect(
      try problems("name,price\nOchre,6.20\n") { $0.hasDecimalComma = true }
        == ["2:7 price wrongValue"])
  }

  @Test("lines of a log by a template")
  func log() throws {
    let container = try container()
    let text = """
      2026-03-01T09:30:00Z INFO  [web] started: {"port": 8080}
      2026-03-01T09:31:00Z ERROR [] disk full
      """
    let template = try LineTemplate("{time} {level} [{unit}] {text}")
    #expect(
      try run(text, into: container, entity: "Line") { $0.format = .lines(template) }.inserted == 2)
    let rows = try container.makeContext().fetchValues(
      ValueRequest(
        entityName: "Line",
        columns: ["level", "unit", "text"].map { .init($0, .property($0)) }))
    #expect(
      rows == [["INFO", "web", "started: {\"port\": 8080}"], ["ERROR", .null, "disk full"]])
    func refused(_ line: String, _ form: String? = nil) throws -> [String] {
      try problems(line, entity: "Line") {
        $0.format = .lines(template)
        $0.dateFormat = try form.map { try DateTemplate($0) }
      }
    }
    #expect(try refused("2026-03-01T09:30:00Z INFO started") == ["1:22 - templateMismatch"])
    #expect(try refused("yesterday INFO [a] b") == ["1:1 time wrongValue"])
    #expect(try refused("2026-03-01 09:30:00 INFO [a] b", "yyyy-MM-dd HH:mm:ss") == [])
    #expect(try refused("Mar 5, 2026 INFO [a] b", "MMM d, yyyy") == [])
    for wrong in ["", "no part", "{a}{b}", "{a", "{time} {time}", "{}"] {
      #expect(throws: LineTemplate.Failure.self, "\(wrong)") { try LineTemplate(wrong) }
    }
  }

  @Test(
    "forms of times",
    arguments: [
      ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "2026-03-01T09:30:00.250+0100", 1_772_353_800.25),
      ("dd/MMM/yyyy:HH:mm:ss Z", "01/Mar/2026:09:30:00 +01:00", 1_772_353_800),
      ("unix", "1772353800.5", 1_772_353_800.5),
      ("unixMilliseconds", "1772353800250", 1_772_353_800.25),
      ("d.MM.yyyy", "1.03.2026", 1_772_323_200),
    ])
  func times(form: String, text: String, seconds: Double) throws {
    #expect(try DateTemplate(form).date(of: text) == Date(timeIntervalSince1970: seconds))
    for wrong in ["", text + "x", "29.02.2026", "2026-02-30T00:00:00.000Z", "nan"] {
      #expect(try DateTemplate(form).date(of: wrong) == nil, "\(wrong)")
    }
  }

  @Test("forms that are none", arguments: ["", "HH:mm", "yyyy-mm", "yyyy-MM-DD", "'x"])
  func wrongForms(form: String) {
    #expect(throws: DateTemplate.Failure.self) { try DateTemplate(form) }
  }

  @Test("a dump as CSV is imported to the same values")
  func roundTrip() throws {
    var random = SplitMix(seed: 11)
    let source = try ExchangeWorld.container(.inMemory)
    try ExchangeWorld.fillPlain(source, &random)
    let names = [
      "tag", "small", "medium", "large", "flag", "single", "real", "exact", "money", "time", "text",
      "key", "link", "bytes", "big", "mood", "rank", "secret",
    ]
    for format in [RowDump.Format.csv, .jsonLines, .json] {
      var bytes: [UInt8] = []
      var dump = RowDump(source, FetchRequest<ManagedObject>(entityName: "Thing"))
      (dump.format, dump.columns, dump.showsPrivateValues) = (format, names, true)
      try dump.run(to: ByteOutput { bytes += $0 })
      let target = try ExchangeWorld.container(.inMemory)
      var reading = RecordImport(target, entity: "Thing")
      reading.format =
        switch format {
        case .csv: .csv()
        case .json: .json
        default: .jsonLines
        }
      try reading.run(ByteInput(bytes: bytes))
      func values(_ container: PersistentContainer) throws -> [String] {
        try ExchangeWorld.contents(of: container).filter {
          $0.contains(" = ") && !$0.contains(".color")
        }
      }
      let (wanted, found) = (try values(source), try values(target))
      #expect(wanted == found, "\(format): \(wanted.difference(from: found))")
    }
  }
}
