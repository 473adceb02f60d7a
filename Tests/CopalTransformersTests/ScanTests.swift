import Copal
import CopalTestSupport
import Foundation
import Synchronization
import Testing

/// Accepts fewer values than the transformer that stored them.
private struct MattOnly: AttributeTransformer {
  struct NotMatt: Error {}
  let name: TransformerName = "MattOnly"
  func encode(_ finish: Finish) -> String { finish.rawValue }
  func decode(_ stored: String) throws -> Finish {
    guard stored == "matt" else { throw NotMatt() }
    return .matt
  }
}

@Suite("Scans of transformable values")
struct ScanTests {
  private func shelf(_ store: TestStore, _ finishes: [Finish?]) throws -> PersistentContainer {
    let container = try store.shelf()
    let context = container.makeContext()
    for finish in finishes { Tube(context: context).finish = finish }
    try context.save()
    return container
  }

  @Test(
    "row 30: lists the objects that a stricter transformer cannot read, and writes nothing",
    .modelAsIs)
  func stricter() async throws {
    let store = try TestStore()
    let container = try shelf(store, [.matt, .gloss, nil, .satin])
    #expect(try await container.scan("finish", of: "Tube").isEmpty)
    let failures = try await container.scan("finish", of: "Tube", with: MattOnly())
    let context = container.makeContext()
    let found = try failures.map { error in
      try (context.object(with: #require(error.objectID)) as? Tube)?.finish
    }
    #expect(found == [.gloss, .satin])
    #expect(failures.allSatisfy { $0.code == .decodeFailed && $0.causes.first is MattOnly.NotMatt })
    #expect(failures.map(\.expected) == ["5 bytes", "5 bytes"])
  }

  @Test("finds values that another program damaged, also of a wrong storage class", .modelAsIs)
  func damaged() async throws {
    let store = try TestStore()
    let container = try shelf(store, [.matt, .gloss, .satin])
    _ = try store.sqlite3("UPDATE Tube SET finish = 'velvet' WHERE finish = 'matt'")
    _ = try store.sqlite3("UPDATE Tube SET finish = x'00' WHERE finish = 'satin'")
    let failures = try await container.scan("finish", of: "Tube")
    #expect(failures.map(\.code) == [.decodeFailed, .typeMismatch])
  }

  @Test("progress is reported after each batch of 1,000")
  func progress() async throws {
    let container = try shelf(try TestStore(.memory), Array(repeating: .matt, count: 2500))
    let steps = Mutex<[String]>([])
    _ = try await container.scan("finish", of: "Tube") { read, all in
      steps.withLock { $0.append("\(read)/\(all)") }
    }
    #expect(steps.withLock { $0 } == ["1000/2500", "2000/2500", "2500/2500"])
  }

  /// What is asked for, and the code of the error.
  static let mistakes: [(attribute: String, entity: String, code: PersistenceError.Code)] = [
    ("finish", "Tub", .unknownEntity), ("finisch", "Tube", .unknownProperty),
    ("label", "Tube", .notTransformable), ("grade", "Tube", .transformerWrongStorage),
  ]

  @Test("a name that does not exist is a typed error with the nearest one", arguments: mistakes)
  func wrongNames(_ mistake: (attribute: String, entity: String, code: PersistenceError.Code))
    async throws
  {
    let container = try shelf(try TestStore(.memory), [])
    let error = await #expect(throws: PersistenceError.self) {
      try await container.scan(mistake.attribute, of: mistake.entity, with: MattOnly())
    }
    #expect(error?.code == mistake.code)
    if mistake.code == .unknownProperty { #expect(error?.suggestion == "finish") }
  }
}
