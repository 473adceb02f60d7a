import Copal
import CopalExchange
import CopalTestSupport
import Foundation
import Testing

/// An import beside other features that are right alone.
@Suite("Pairs of an import and other features", .modelAsIs)
struct ImportPairTests {
  private struct Stop: Error {}

  private struct World {
    let test: TestStore
    let container: PersistentContainer
    let mine: ManagedObjectContext
    /// A stored object with the code "a" and the title "Ochre".
    let work: ManagedObject

    init(_ kind: StoreKind = .sqlite) throws {
      test = try TestStore(kind)
      container = try Self.container(test, version: 1)
      mine = container.makeContext()
      work = try mine.insert("Sculpture")
      try work.setValue("a", forKey: "code")
      try work.setValue("Ochre", forKey: "title")
      try mine.save()
    }

    static func container(_ test: TestStore, version: Int) throws -> PersistentContainer {
      let count =
        version == 1
        ? #""count": { "type": "integer", "default": 0 }"#
        : #""count": "integer?", "total": { "type": "integer", "renamedFrom": "count" }"#
      let model = """
        { "copal": 1, "model": "Workroom", "version": \(version), "entities": {
          "Work": {
            "attributes": {
              "title": { "type": "string?", "search": ["normalized", "substring"] },
              "code": { "type": "string?", "search": "normalized" }, \(count)
            },
            "unique": [{ "attribute": "code", "ignoring": ["case", "diacritics"] }]
          },
          "Sculpture": { "parent": "Work" }
        } }
        """
      return try PersistentContainer(
        model: ModelBinding(ManagedObjectModel(json: model, file: "Workroom")),
        store: test.configuration(SQLiteStore.Options(busyTimeoutSeconds: 0.05)))
    }

    /// Imports lines of a title, a code and a count.
    @discardableResult
    func run(_ lines: [String], upsert: Bool = true) throws -> RecordImport.Result {
      var reading = RecordImport(container, entity: "Sculpture")
      if upsert { reading.upsertKey = ["code"] }
      return try reading.run(
        ByteInput(text: (["title,code,count"] + lines).joined(separator: "\n") + "\n"))
    }

    /// The rows as a new context reads them, in the order of their codes.
    func rows() throws -> [String] {
      try container.makeContext().fetch(
        FetchRequest<ManagedObject>(entityName: "Work", sortKeys: [FetchSortKey("code")])
      ).map { work in
        let (title, code): (String?, String?) = (
          try work.value(of: "title"), try work.value(of: "code")
        )
        return "\(title ?? "") \(code ?? "") \(try work.value(of: "count", as: Int.self) ?? -1)"
      }
    }

    /// The codes of the works whose title has a part.
    func found(_ part: String) throws -> [String?] {
      let request = FetchRequest<ManagedObject>(
        entityName: "Work", predicate: try FetchPredicate(format: "title CONTAINS[cd] '\(part)'"),
        sortKeys: [FetchSortKey("code")])
      return try container.makeContext().fetch(request).map { try $0.value(of: "code") }
    }
  }

  /// The code of what the body throws, and of its cause; nil when it throws nothing.
  private func code(_ body: () throws -> Void) -> PersistenceError.Code? {
    do {
      try body()
      return nil
    } catch {
      let error = error as? PersistenceError
      return (error?.causes.first as? PersistenceError ?? error)?.code
    }
  }

  @Test(
    "a refresh has what an import has written, and keeps an unsaved change",
    arguments: StoreKind.allCases)
  func refresh(_ kind: StoreKind) throws {
    let world = try World(kind)
    try world.work.setValue(5, forKey: "count")
    let result = try world.run(["Umber,A,3", "Sienna,b,4"])
    #expect(result.inserted == 1 && result.updated == 1)
    try world.mine.refresh(world.work, mergeChanges: true)
    #expect(try world.work.value(of: "title") == "Umber")
    #expect(try world.work.value(of: "code") == "A")
    #expect(try world.work.value(of: "count") == 5)
    try world.mine.save()
    #expect(try world.rows() == ["Umber A 5", "Sienna b 4"])
    try world.mine.refresh(world.work, mergeChanges: false)
    #expect(try world.work.value(of: "count") == 5)
  }

  /// What each policy of the context makes of a title that an import has replaced, too.
  static let policies: [(name: String, policy: MergePolicy, kept: String?)] = [
    ("error", .error, nil), ("store", .mergeByPropertyStoreTrump, "Umber"),
    ("object", .mergeByPropertyObjectTrump, "Mine"), ("overwrite", .overwrite, "Mine"),
    ("rollback", .rollback, "Umber"),
  ]

  @Test(
    "a policy decides between an unsaved change and what an import has written",
    arguments: StoreKind.allCases, policies.indices)
  func policy(_ kind: StoreKind, _ index: Int) throws {
    let (name, policy, kept) = Self.policies[index]
    let world = try World(kind)
    // That of the container is not that of an import, which replaces the row in any case.
    world.container.defaultMergePolicy = policy
    world.mine.mergePolicy = policy
    try world.work.setValue("Mine", forKey: "title")
    try world.run(["Umber,a,0"])
    #expect(code { try world.mine.save() } == (kept == nil ? .conflict : nil), "\(name)")
    #expect(try world.rows() == ["\(kept ?? "Umber") a 0"], "\(name)")
    // A row that is taken is refused, whatever the policy of the container is.
    #expect(throws: ImportError.self, "\(name)") { try world.run(["New,Á,1"], upsert: false) }
    #expect(try world.rows() == ["\(kept ?? "Umber") a 0"], "\(name)")
  }

  @Test(
    "an import beside an open transaction is busy and writes nothing, and the transaction goes on",
    arguments: [true, false])
  func transaction(_ commits: Bool) throws {
    let world = try World()
    do {
      try world.mine.transaction {
        try world.work.setValue(5, forKey: "count")
        try world.mine.save()
        #expect(code { try world.run(["Umber,a,3", "Sienna,b,4"]) } == .busy)
        try world.work.setValue("Mine", forKey: "title")
        try world.mine.save()
        if !commits { throw Stop() }
      }
    } catch is Stop {}
    #expect(try world.rows() == [commits ? "Mine a 5" : "Ochre a 0"])
    try world.run(["Umber,a,3", "Sienna,b,4"])
    #expect(try world.rows() == ["Umber a 3", "Sienna b 4"])
  }

  @Test(
    "a search finds what an import has written, and nothing of one that was refused",
    arguments: StoreKind.allCases)
  func search(_ kind: StoreKind) throws {
    let world = try World(kind)
    #expect(throws: ImportError.self) { try world.run(["Úmber,a,1", "Úmber,b,wrong"]) }
    #expect(try world.found("mber") == [])
    #expect(try world.found("CHR") == ["a"])
    try world.run(["Úmber,Á,1", "Raw umber,b,2"])
    #expect(try world.found("CHR") == [])
    #expect(try world.found("umb") == ["b", "Á"])
    #expect(try world.container.check(.everything) == [])
  }

  @Test(
    "a row that another program has just written is refused, or updated where the import says so")
  func foreign() throws {
    let world = try World()
    _ = try world.test.sqlite3(
      """
      INSERT INTO Work (copal_id, copal_version, copal_entity, title, code, count)
      VALUES (7, 1, 'Sculpture', 'Theirs', 'É', 9)
      """)
    #expect(throws: ImportError.self) {
      try world.run(["Sienna,d,1", "Umber,e,1"], upsert: false)
    }
    #expect(try world.rows() == ["Ochre a 0", "Theirs É 9"])
    let result = try world.run(["Sienna,d,1", "Umber,e,1"])
    #expect(result.inserted == 1 && result.updated == 1)
    #expect(
      try world.test.sqlite3("SELECT copal_id = 7, title, code, count FROM Work ORDER BY title")
        == "0|Ochre|a|0\n0|Sienna|d|1\n1|Umber|e|1")
    #expect(try world.found("heir") == [])
    #expect(try world.found("umb") == ["e"])
    #expect(try world.container.check(.everything) == [])
  }

  @Test(
    "an import into a store that another program has migrated stops by name, and writes nothing")
  func migration() throws {
    let world = try World()
    _ = try World.container(world.test, version: 2)
    let before = try world.test.sqlite3("SELECT * FROM Work")
    for upsert in [true, false, true] {
      #expect(code { try world.run(["Umber,b,1"], upsert: upsert) } == .modelDiffers)
    }
    #expect(try world.test.sqlite3("SELECT * FROM Work") == before)
  }
}
