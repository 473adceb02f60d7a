#if Command
  import Copal
  import CopalCommand
  import CopalStore
  import CopalTestSupport
  import Foundation
  import Testing

  @Suite("What the command takes for a store")
  struct StoreAddressTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) throws -> Program.Result {
      try Program("copal").run(arguments, in: folder.url)
    }

    private static let noStores = "has no stores at"

    @Test(
      "is no address of a scheme that it does not know: one line, exit code 64, and no file",
      arguments: [
        "postgresql://", "postgresql:///", "postgresql://example.com/shop", "postgres://shop",
        "POSTGRESQL://shop", "Postgresql://SHOP", "postgresql://shop?sslmode=require",
        "postgresql://[::1]:5432/shop", "postgresql://a,b,c/shop", "postgresql://user@host/shop",
        "postgresql://host/sh op", "postgresql:// ", "postgresql://\u{1B}[31mred",
        "postgresql://shop\nline", "postgresql://\u{7}", "postgresql://%00", "postgresql://%zz",
        "postgresql://é/ü", "postgresql://host/..", "postgresql://host/\u{202E}pohs",
        "mysql://shop", "x+y-z.1://shop", "a://", "http://example.com/Shop.sqlite",
        "file:///tmp/Shop.sqlite", "sqlite://Shop.sqlite", "file://", "cloud://shop.model.json",
      ])
    func unknownScheme(address: String) throws {
      // Also where a file has the name.
      let path = folder.url.appending(path: address)
      try? FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try? Data("{}".utf8).write(to: path)
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
      let lines = [
        ["inspect", address], ["check", address], ["dump", address], ["diff", address, address],
        ["migrate", address, "--to", "Shop.model.json"], ["backup", address, "Copy.sqlite"],
        ["import", address, "Book", "books.csv"],
      ]
      for line in lines {
        let result = try Program("copal").run(line, in: folder.url)
        #expect(result.status == 64, "\(line): \(result.errors)")
        #expect(result.output == "")
        #expect(result.errors.contains(Self.noStores), "\(line): \(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(line): \(result.errors)")
        #expect(
          result.errors.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{7F}" })
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) == files)
    }

    @Test(
      "is no address with a password, which is not repeated",
      arguments: [
        "postgresql://user:hunter2@host/shop", "postgresql://:hunter2@host",
        "cloud://user:hunter2@", "postgresql://user:hun@ter2@host",
        "postgresql://user:hunter2/@host/shop", "postgresql://host/shop?password=hunter2",
        "postgresql://host/shop?a=b&PASSWORD=hunter2", "postgresql://host?sslpassword=hunter2",
        "postgresql://host/shop?p%61ssword=hunter2", "postgresql://user:hunter2 @host",
        "postgresql://user:hun?ter2@host/shop", "postgresql://user:hun#ter2@host",
        "jdbc:postgresql://host/shop?user=u&password=hunter2", " postgresql://u:hunter2@host",
        "my_db://u:hunter2@host", "postgresql://u:\u{301}hunter2@host", "cloud://host?pwd=hunter2",
      ])
    func password(address: String) throws {
      let result = try run("inspect", address)
      #expect(result.status == 64)
      #expect(result.output == "")
      #expect(result.errors.hasPrefix("copal: the address has a password"))
      #expect(!result.errors.contains("hun"))
      #expect(result.errors.split(separator: "\n").count == 1)
      // Wherever it is.
      for line in [
        ["check", "--watch", address], ["inspect", "Shop.sqlite", address], [address],
        ["backup", "Shop.sqlite", address], ["dump", "Shop.sqlite", "--output=\(address)"],
        ["format", address], ["diff", address, "Shop.model.json"],
      ] {
        let other = try Program("copal").run(line, in: folder.url)
        #expect(
          other.status == 64 && other.output == "" && other.errors == result.errors, "\(line)")
      }
    }

    @Test("is no password where a condition has an address")
    func conditions() throws {
      let result = try run("query", "none.sqlite", "Book", "--where", "link == 'https://u:p@host/'")
      #expect(result.status == 74)
    }

    @Test("is a path where there is no scheme, also with a colon")
    func path() throws {
      try Data(#"{ "copal": 1, "model": "Shop", "entities": { "Book": {} } }"#.utf8)
        .write(to: folder.url.appending(path: "a:b.model.json"))
      let result = try run("check", "a:b.model.json")
      #expect(result.status == 0, "\(result.errors)")
      // What is before the colon is a revision of git, which this folder does not have.
      let revision = try run("diff", "HEAD:Shop.model.json", "a:b.model.json")
      #expect(!revision.errors.contains(Self.noStores))
    }

    @Test("can be an address of stores that a program adds")
    func added() async throws {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        // One store, filled by another session.
        let json =
          #"{ "copal": 1, "model": "Shop", "entities": { "Book": { "attributes": { "title": "string" } } } }"#
        let model = try ManagedObjectModel(json: json, file: "Shop.model.json")
        let store = MemoryStore(StoreSchema(model))
        let tester = try StoreTester(store)
        for title in ["Emma", "Persuasion"] { try tester.insert(["title": .string(title)]) }
        let stores = AddressedStores(scheme: "cloud") { address, _ in
          guard address == "cloud://shop" else { throw PersistenceError(.noStore, path: address) }
          return StoreConfiguration(name: address, open: { _ in store }) {
            StoreDescription(identifier: store.identifier, schema: store.schema)
          }
        }
        func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
        for line in [
          ["inspect", "cloud://shop"], ["query", "cloud://shop", "Book", "--sort", "-title"],
          ["delete", "cloud://shop", "Book", "--where", "title == 'Emma'", "--yes"],
          ["dump", "cloud://shop", "--format", "csv"], ["inspect", "cloud://other"],
          ["backup", "cloud://shop", "Copy.sqlite"], ["inspect", "clod://shop"],
        ] {
          say("$ copal \(line.joined(separator: " "))")
          say("= \(CopalCommand.run(line, [stores]))")
        }
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      let identifier = try #require(output.firstMatch(of: /identifier +([0-9A-F-]{36})/)?.1)
      #expect(
        output.replacing(identifier, with: "X") == """
          $ copal inspect cloud://shop
          cloud://shop
            model         Shop, version 1
            identifier    X

          entity  objects
          ──────  ───────
          Book          2
          = 0
          $ copal query cloud://shop Book --sort -title
          $id  title
          ───  ──────────
            2  Persuasion
            1  Emma
          2 rows
          = 0
          $ copal delete cloud://shop Book --where title == 'Emma' --yes
          1 object of Book
          1 object deleted
          = 0
          $ copal dump cloud://shop --format csv
          $id,title
          2,Persuasion
          = 0
          $ copal inspect cloud://other
          = 74
          $ copal backup cloud://shop Copy.sqlite
          = 65
          $ copal inspect clod://shop
          = 64

          """)
    }
  }
#endif
