import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Unique values without case and accents, in contexts")
struct UniqueIgnoringObjectTests {
  private static let model = """
    { "copal": 1, "model": "Library", "entities": {
      "Author": {
        "codegen": "none",
        "attributes": {
          "email": { "type": "string?", "search": ["normalized", "case"] }, "town": "string?"
        },
        "unique": [{ "attribute": "email", "ignoring": ["case", "diacritics"] }]
      }
    } }
    """

  private func container(_ kind: StoreKind) throws -> (TestStore, PersistentContainer) {
    let store = try TestStore(kind)
    return (
      store,
      try PersistentContainer(
        model: ModelBinding(name: "Library", json: Self.model, classes: []),
        store: store.configuration())
    )
  }

  private func insert(_ email: String, town: String? = nil, _ context: ManagedObjectContext) throws
    -> ManagedObject
  {
    let author = try context.insert("Author")
    try author.setValue(email, forKey: "email")
    try author.setValue(town, forKey: "town")
    return author
  }

  private func rows(_ container: PersistentContainer) throws -> [String] {
    let request = FetchRequest<ManagedObject>(
      entityName: "Author", sortKeys: [.ascending("email").alphabetical])
    return try container.makeContext().fetch(request).map {
      "\(try $0.value(of: "email", as: String.self) ?? "") \(try $0.value(of: "town", as: String.self) ?? "")"
    }
  }

  @Test(
    "a save finds an equal value in the store, and in the context", arguments: StoreKind.allCases)
  func conflicts(kind: StoreKind) throws {
    let (_, container) = try container(kind)
    let context = container.makeContext()
    _ = try insert("ada@example.org", context)
    try context.save()
    let second = try insert("ADA@Example.org", context)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    let causes = (error?.causes ?? []).compactMap { $0 as? PersistenceError }
    #expect((causes.first ?? error)?.code == .uniqueConflict)
    #expect((causes.first ?? error)?.property == "email")
    context.delete(second)
    // Two new objects, before the store is asked.
    _ = try insert("Zoë", context)
    let third = try insert("zoe", context)
    #expect(third.validationErrors().map(\.code) == [.uniqueConflict])
    #expect(throws: PersistenceError.self) { try context.save() }
    context.delete(third)
    try context.save()
    #expect(try rows(container) == ["ada@example.org ", "Zoë "])
  }

  @Test(
    "a merge policy lets the new object become the stored one", arguments: StoreKind.allCases)
  func policy(kind: StoreKind) throws {
    let (_, container) = try container(kind)
    let context = container.makeContext()
    _ = try insert("ada@example.org", town: "London", context)
    try context.save()
    let importing = container.makeContext()
    importing.mergePolicy = .mergeByPropertyObjectTrump
    _ = try insert("Ada@Example.org", town: "Paris", importing)
    try importing.save()
    #expect(try rows(container) == ["Ada@Example.org Paris"])
  }

  @Test("an upsert finds the stored object", arguments: StoreKind.allCases)
  func upsert(kind: StoreKind) throws {
    let (_, container) = try container(kind)
    let context = container.makeContext()
    _ = try insert("ada@example.org", town: "London", context)
    try context.save()
    let result = try context.upsertAll(
      "Author", [["email": "ÀDA@example.org", "town": "Paris"], ["email": "Bo"]], on: ["email"])
    #expect(result.updated.count == 1 && result.inserted.count == 1)
    #expect(try rows(container) == ["ÀDA@example.org Paris", "Bo "])
  }

  // MARK: Rows of other programs

  /// A way in which a program gives an object a value that another program has just given to one.
  enum Way: String, CaseIterable, Sendable {
    case insert, update, insertAll, upsertAll, updateAll, transaction
  }

  static let policies: [(name: String, policy: MergePolicy)] = [
    ("error", .error), ("store", .mergeByPropertyStoreTrump),
    ("object", .mergeByPropertyObjectTrump), ("overwrite", .overwrite), ("rollback", .rollback),
  ]

  /// What comes of it: the codes of the errors, twice, and the rows.
  private func outcome(_ way: Way, _ policy: MergePolicy, model: String, theirs: String) throws
    -> [String]
  {
    let store = try TestStore()
    let container = try PersistentContainer(
      model: ModelBinding(name: "Library", json: model, classes: []), store: store.configuration())
    let context = container.makeContext()
    context.mergePolicy = policy
    let own = try insert("own", town: "London", context)
    try context.save()
    _ = try store.sqlite3(
      "INSERT INTO Author (copal_id, copal_version, email, town) VALUES (7, 1, '\(theirs)', 'Rome')"
    )
    func codes(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "saved"
      } catch {
        let error = error as? PersistenceError
        let causes = (error?.causes ?? []).compactMap { ($0 as? PersistenceError)?.code }
        return "\(causes.isEmpty ? [error?.code].compactMap(\.self) : causes)"
      }
    }
    func write() throws {
      switch way {
      case .insert:
        _ = try insert("CLEO", town: "Paris", context)
        try context.save()
      case .update:
        try own.setValue("CLEO", forKey: "email")
        try own.setValue("Paris", forKey: "town")
        try context.save()
      case .insertAll:
        try context.insertAll("Author", [["email": "CLEO", "town": "Paris"]])
      case .upsertAll:
        _ = try context.upsertAll("Author", [["email": "CLEO", "town": "Paris"]], on: ["email"])
      case .updateAll:
        try context.updateAll(
          "Author", where: .comparison(.property("town"), .equal, .constant("London")),
          set: [BatchAssignment("email", .constant("CLEO"))])
      case .transaction:
        try context.transaction {
          _ = try insert("CLEO", town: "Paris", context)
          try context.save()
        }
      }
    }
    var outcome = [codes(write)]
    context.rollback()
    outcome.append(codes(write))
    context.rollback()
    return try outcome + rows(container).map { $0.lowercased() }
  }

  @Test(
    "a value that another program has just written is taken, as by a plain constraint",
    arguments: Way.allCases, policies.indices)
  func foreign(way: Way, policy: Int) throws {
    let policy = Self.policies[policy]
    let plain = Self.model.replacing(
      #"{ "attribute": "email", "ignoring": ["case", "diacritics"] }"#, with: #""email""#)
    let expected = try outcome(way, policy.policy, model: plain, theirs: "CLEO")
    let found = try outcome(way, policy.policy, model: Self.model, theirs: "Cleo")
    #expect(found == expected, "\(policy.name)")
    #expect(!found[0].contains("backend"))
  }
}
