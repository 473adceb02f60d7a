import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// `+= 5` here and `+= 5` elsewhere are two changes with one value. Only the program knows that
/// they
/// are two.
@Suite("Equal changes and a custom policy", .modelAsIs)
struct EqualChangeTests {
  private static let text = """
    { "copal": 1, "model": "Ledger", "entities": { "Account": { "attributes": {
      "name": "string?", "count": { "type": "integer", "default": 0 },
      "paid": { "type": "decimal", "scale": 2, "default": "0" } } } } }
    """

  /// The policy of the comment of `MergePolicy.custom(_:)`, and of the guide about conflicts.
  private static let adding = MergePolicy.custom { conflict in
    guard case .integer(let mine)? = conflict.mine?["count"],
      case .integer(let base)? = conflict.base?["count"],
      case .integer(let stored)? = conflict.stored?["count"],
      case .decimal(let paid)? = conflict.mine?["paid"],
      case .decimal(let before)? = conflict.base?["paid"],
      case .decimal(let theirs)? = conflict.stored?["paid"]
    else { return .refuse }
    return .values([
      "count": .integer(stored + mine - base), "paid": .decimal(theirs + paid - before),
    ])
  }

  private static func container(_ configuration: StoreConfiguration) throws -> PersistentContainer {
    let container = try PersistentContainer(
      model: ModelBinding(ManagedObjectModel(json: text, file: "Ledger")), store: configuration)
    container.defaultMergePolicy = adding
    return container
  }

  @Test(
    "the policy is asked about equal changes, also when the other save was merged before",
    arguments: bothStores, [false, true])
  func equal(_ kind: StoreKind, _ merges: Bool) throws {
    let container = try Self.container(TestStore(kind).configuration())
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = merges
    let account = try mine.insert("Account")
    try mine.save()
    let other = try theirs.existingObject(with: account.objectID)
    try account.setValue(5, forKey: "count")
    try account.setValue(Decimal(5), forKey: "paid")
    try other.setValue(5, forKey: "count")
    try other.setValue(Decimal(5), forKey: "paid")
    try theirs.save()
    if merges {
      mine.mergeChanges()
      #expect(mine.hasChanges && account.changedValues().count == 2)
    }
    let report = try mine.save()
    #expect(report.resolved.map(\.conflict.changedHere) == [["count", "paid"]])
    #expect(report.resolved.map(\.conflict.changedThere) == [["count", "paid"]])
    let stored = try container.makeContext().existingObject(with: account.objectID)
    #expect(try stored.value(of: "count", as: Int.self) == 10)
    #expect(try stored.value(of: "paid", as: Decimal.self) == 10)
    #expect(try account.value(of: "count", as: Int.self) == 10)
  }

  @Test(
    "with the other policies, an equal change that was merged is no change any more",
    arguments: bothStores, MergePolicyTests.Policy.allCases)
  func merged(_ kind: StoreKind, _ policy: MergePolicyTests.Policy) throws {
    let container = try Self.container(TestStore(kind).configuration())
    container.defaultMergePolicy = policy.value
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let account = try mine.insert("Account")
    try mine.save()
    let other = try theirs.existingObject(with: account.objectID)
    for account in [account, other] { try account.setValue(5, forKey: "count") }
    try theirs.save()
    mine.mergeChanges()
    #expect(!mine.hasChanges)
    try mine.save()
    #expect(try account.value(of: "count", as: Int.self) == 5)
  }

  @Test("other changes of both sides are merged without the policy", arguments: bothStores)
  func others(_ kind: StoreKind) throws {
    let container = try Self.container(TestStore(kind).configuration())
    container.defaultMergePolicy = .custom { _ in .refuse }
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let account = try mine.insert("Account")
    try mine.save()
    try theirs.existingObject(with: account.objectID).setValue(5, forKey: "count")
    try theirs.save()
    try account.setValue("a", forKey: "name")
    mine.mergeChanges()
    #expect(try account.value(of: "count", as: Int.self) == 5)
    try mine.save()
  }

  // MARK: Many at once

  private static let rounds = 25

  /// Adds 1, and pays 5, in each round of each task.
  private static func work(_ container: PersistentContainer, tasks: Int) async throws {
    let id = try await container.perform { context in
      try context.fetchIDs(FetchRequest<ManagedObject>(entityName: "Account"))[0]
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<rounds {
            // Ten attempts of a save can be too few for as many writers.
            var isSaved = false
            while !isSaved {
              isSaved = try await container.perform { context in
                let account = try context.existingObject(with: id)
                let count = try account.value(of: "count", as: Int.self) ?? 0
                let paid = try account.value(of: "paid", as: Decimal.self) ?? 0
                try account.setValue(count + 1, forKey: "count")
                try account.setValue(paid + 5, forKey: "paid")
                do {
                  try context.save()
                  return true
                } catch let error as PersistenceError where error.code == .saveFailed {
                  return false
                }
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func sums(_ container: PersistentContainer) throws -> [String] {
    let context = container.makeContext()
    let account = try #require(
      try context.fetch(FetchRequest<ManagedObject>(entityName: "Account")).first)
    return [
      "\(try account.value(of: "count", as: Int.self) ?? 0)",
      "\(try account.value(of: "paid", as: Decimal.self) ?? 0)",
    ]
  }

  @Test("32 tasks that add the same amounts 25 times lose nothing", arguments: bothStores)
  func tasks(_ kind: StoreKind) async throws {
    let container = try Self.container(
      TestStore(kind).configuration(SQLiteStore.Options(busyTimeoutSeconds: 60)))
    let context = container.makeContext()
    _ = try context.insert("Account")
    try context.save()
    try await Self.work(container, tasks: 32)
    #expect(try Self.sums(container) == ["800", "4000"])
  }

  @Test("two processes that add the same amounts lose nothing")
  func processes() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "Ledger.sqlite").path(percentEncoded: false)
    let container = try Self.container(Self.configuration(path))
    let context = container.makeContext()
    _ = try context.insert("Account")
    try context.save()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            try await Self.work(Self.container(Self.configuration(path)), tasks: 16)
          }
        }
      }
    }
    #expect(try Self.sums(container) == ["800", "4000"])
  }

  private static func configuration(_ path: String) -> StoreConfiguration {
    .sqlite(at: URL(filePath: path), options: SQLiteStore.Options(busyTimeoutSeconds: 60))
  }
}
