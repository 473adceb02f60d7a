import Copal
import CopalTestSupport
import Foundation
import Synchronization
import Testing

/// A transformer of the articles: its forward function makes data of the object, or the object of
/// the data. It records its calls.
private final class RecordingTransformer: ValueTransforming {
  let forwardEncodes: Bool
  private let calls = Mutex<[String]>([])

  init(forwardEncodes: Bool) { self.forwardEncodes = forwardEncodes }

  func takeCalls() -> [String] {
    calls.withLock { calls in
      defer { calls = [] }; return calls
    }
  }

  func transformedValue(_ value: Any?) -> Any? {
    calls.withLock { $0.append("forward") }
    return forwardEncodes ? data(value) : finish(value)
  }

  func reverseTransformedValue(_ value: Any?) -> Any? {
    calls.withLock { $0.append("reverse") }
    return forwardEncodes ? finish(value) : data(value)
  }

  private func data(_ value: Any?) -> Data? { (value as? Finish).map { Data($0.rawValue.utf8) } }
  private func finish(_ value: Any?) -> Finish? {
    (value as? Data).flatMap { Finish(rawValue: String(decoding: $0, as: UTF8.self)) }
  }
}

/// A transformer without a reverse function.
private struct OneWayTransformer: ValueTransforming {
  static func allowsReverseTransformation() -> Bool { false }
  func transformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { Finish(rawValue: String(decoding: $0, as: UTF8.self)) }
  }
}

@Suite("Transformers that were written for Core Data")
struct AdapterTests {
  private func container(
    _ store: TestStore, _ base: some ValueTransforming, _ forward: ForwardDirection,
    samples: [Finish] = []
  ) throws -> PersistentContainer {
    try PersistentContainer(
      model: .rack, store: store.configuration(),
      transformers: [
        ValueTransformerAdapter(
          "FinishTransformer", base, of: Finish.self, forward: forward, isSecure: true,
          samples: samples)
      ])
  }

  @Test(
    "rows 9 and 10: the forward function is called as the adapter says, on save or on read",
    arguments: [
      (ForwardDirection.encodes, "forward", "reverse"), (.decodes, "reverse", "forward"),
    ])
  func directions(_ direction: ForwardDirection, _ onSave: String, _ onRead: String) throws {
    let store = try TestStore()
    let base = RecordingTransformer(forwardEncodes: direction == .encodes)
    let container = try container(store, base, direction)
    let context = container.makeContext()
    RackTube(context: context).finish = .satin
    try context.save()
    #expect(Set(base.takeCalls()) == [onSave])
    let found = try #require(try container.makeContext().fetch(RackTube.self).first)
    #expect(base.takeCalls() == [])
    #expect(found.finish == .satin)
    #expect(base.takeCalls() == [onRead])
  }

  @Test(
    "row 11: a transformer that is plugged in backwards is found when the container opens, and the error says how to write it",
    arguments: [ForwardDirection.encodes, .decodes])
  func backwards(_ direction: ForwardDirection) throws {
    let store = try TestStore()
    let base = RecordingTransformer(forwardEncodes: direction == .decodes)
    let error = try #require(throws: PersistenceError.self) {
      try container(store, base, direction, samples: [.matt])
    }
    #expect(
      error.code == .wrongDirection && error.entity == "RackTube" && error.property == "finish")
    #expect("\(error)".contains("write forward: .\(direction == .encodes ? "decodes" : "encodes")"))
    #expect(!FileManager.default.fileExists(atPath: store.file.path))
  }

  @Test("row 11: without samples, the save of the first value throws, and no NULL is written")
  func backwardsWithoutSamples() throws {
    let store = try TestStore()
    let container = try container(store, RecordingTransformer(forwardEncodes: false), .encodes)
    let context = container.makeContext()
    RackTube(context: context).finish = .satin
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    let cause = try #require(error.causes.first as? PersistenceError)
    #expect(cause.code == .encodeFailed)
    #expect((cause.causes.first as? PersistenceError)?.code == .wrongDirection)
    #expect(try store.sqlite3("SELECT count(*) FROM RackTube") == "0")
  }

  @Test("row 14: a one-way transformer whose forward function decodes is read-only")
  func oneWay() throws {
    let store = try TestStore()
    do {
      let context = try container(store, RecordingTransformer(forwardEncodes: false), .decodes)
        .makeContext()
      RackTube(context: context).finish = .satin
      try context.save()
    }
    let context = try container(store, OneWayTransformer(), .decodes, samples: [.matt])
      .makeContext()
    let tube = try #require(try context.fetch(RackTube.self).first)
    #expect(tube.finish == .satin)
    tube.finish = .matt
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect((error.causes.first as? PersistenceError)?.code == .transformerReadOnly)
    #expect(try store.sqlite3("SELECT CAST(finish AS TEXT) FROM RackTube") == "satin")
  }

  @Test(
    "row 29: an adapter that does not promise to check classes gives a warning, and an error where warnings are errors"
  )
  func notSecure() throws {
    let adapter = ValueTransformerAdapter(
      "FinishTransformer", RecordingTransformer(forwardEncodes: true), of: Finish.self,
      forward: .encodes, samples: [.matt])
    let container = try PersistentContainer(
      model: .rack, store: .inMemory, transformers: [adapter], warnings: .ignore)
    #expect(container.warnings.map(\.code) == [.transformerNotSecure])
    #expect(
      container.warnings.first?.description == """
        RackTube.finish uses the transformer 'FinishTransformer', which is not secure: stored bytes decide which classes it makes \
        objects of; use SecureUnarchiveTransformer with the classes that you allow, or let isSecure return true if it checks the \
        classes itself [transformer.notSecure]
        """)
    let error = try #require(throws: PersistenceError.self) {
      try PersistentContainer(
        model: .rack, store: .inMemory, transformers: [adapter], warnings: .fail)
    }
    #expect(error.code == .transformerNotSecure)
  }

  @Test(
    "row 12: a transformer whose values have another type than the class in the model is found when the container opens"
  )
  func wrongClass() throws {
    let texts = ValueTransformerAdapter(
      "FinishTransformer", RecordingTransformer(forwardEncodes: true), of: String.self,
      forward: .encodes, isSecure: true, samples: [])
    let error = try #require(throws: PersistenceError.self) {
      try PersistentContainer(model: .rack, store: .inMemory, transformers: [texts])
    }
    #expect(error.code == .transformerWrongClass && error.property == "finish")
    #expect(error.found == "String" && error.expected == "Finish")
  }
}
