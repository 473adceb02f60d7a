import Copal
import CopalTestSupport
import Foundation
import Testing

/// Reads the numbers that another program writes.
private struct NumberReader: ReadOnlyTransformer {
  let name: TransformerName = "FinishTransformer"
  func decode(_ stored: Int64) throws -> Finish { stored == 0 ? .matt : .gloss }
}

private struct Numbers: AttributeTransformer {
  let name: TransformerName = "FinishTransformer"
  func encode(_ finish: Finish) -> Int64 { finish == .matt ? 0 : 1 }
  func decode(_ stored: Int64) -> Finish { stored == 0 ? .matt : .gloss }
}

/// Makes each text longer whenever it is stored.
private struct Growing: AttributeTransformer {
  let name: TransformerName = "FinishTransformer"
  var isFailing = false
  var samples: [Finish] { [.matt] }
  func encode(_ finish: Finish) -> String { finish == .matt ? "m" : "mm" }
  func decode(_ stored: String) throws -> Finish {
    if isFailing { throw CocoaError(.featureUnsupported) }
    return .gloss
  }
}

@Suite("Transformers that only read, or change a value")
struct OneWayTests {
  private func container(_ store: TestStore, _ transformer: any AttributeTransformer) throws
    -> PersistentContainer
  {
    try PersistentContainer(
      model: .rack, store: store.configuration(), transformers: [transformer], warnings: .fail)
  }

  /// A store with one tube of each finish, and a context that can only read them.
  private func readOnly(_ store: TestStore) throws -> ManagedObjectContext {
    let context = try container(store, Numbers()).makeContext()
    for finish in [Finish.matt, .gloss, nil] { RackTube(context: context).finish = finish }
    try context.save()
    return try container(store, NumberReader()).makeContext()
  }

  @Test("row 14: fetching works; a save of a change throws transformer.readOnly, and the row stays")
  func readOnly() throws {
    let store = try TestStore()
    let context = try readOnly(store)
    let tubes = try context.fetch(RackTube.self)
    #expect(tubes.map(\.finish) == [.matt, .gloss, nil])
    for change in [Finish.gloss, nil] {
      tubes[0].finish = change
      let error = try #require(throws: PersistenceError.self) { try context.save() }
      let cause = try #require(error.causes.first as? PersistenceError)
      #expect(cause.code == .transformerReadOnly && cause.property == "finish")
      #expect(cause.objectID == tubes[0].objectID)
      context.rollback()
      #expect(tubes[0].finish == .matt)
    }
    #expect(try store.sqlite3("SELECT finish FROM RackTube ORDER BY rowid") == "0\n1")
  }

  @Test("row 14: other attributes of the object can be saved, and objects without a value inserted")
  func otherAttributes() throws {
    let store = try TestStore()
    let context = try readOnly(store)
    let tubes = try context.fetch(RackTube.self)
    tubes[1].label = "cracked"
    tubes[2].finish = nil
    tubes[2].label = "empty"
    RackTube(context: context).label = "new"
    try context.save()
    #expect(
      try store.sqlite3("SELECT finish, label FROM RackTube ORDER BY rowid")
        == "0|\n1|cracked\n|empty\n|new")
  }

  @Test(
    "row 15: a transformer that stores a sample in another form when it was read before does not open"
  )
  func notIdempotent() throws {
    let error = try #require(throws: PersistenceError.self) {
      try container(try TestStore(), Growing())
    }
    #expect(error.code == .transformerNotIdempotent && error.property == "finish")
    #expect(
      "\(error)"
        == "the transformer 'FinishTransformer' stores its sample 0 in another form when it was read before; encode the decoded value to the same form [transformer.notIdempotent]"
    )
  }

  @Test("row 26: a transformer that cannot decode its sample does not open, in release too")
  func failingSample() throws {
    let error = try #require(throws: PersistenceError.self) {
      try container(try TestStore(), Growing(isFailing: true))
    }
    #expect(error.code == .transformerSelfTestFailed && error.causes.first is CocoaError)
  }

  @Test("row 13: a required attribute with a transformer that only reads gives a warning")
  func requiredAttribute() throws {
    let model = try ManagedObjectModel(
      name: "Numbers",
      entities: [
        EntityDescription(
          "Label", codegen: .none,
          attributes: [
            AttributeDescription(
              "finish", .transformable, transformer: "FinishTransformer", customClass: "Finish")
          ])
      ])
    let container = try PersistentContainer(
      model: ModelBinding(model, classes: []), store: .inMemory, transformers: [NumberReader()],
      warnings: .ignore)
    #expect(container.warnings.map(\.code) == [.transformerReadOnlyRequired])
  }
}
