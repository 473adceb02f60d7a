import Copal
import CopalColor
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Values that cannot be read")
struct ReadFailureTests {
  private func damaged(_ sql: String) throws -> (TestStore, ManagedObjectContext, Pigment) {
    let store = try TestStore()
    let container = try store.atelier()
    let filling = container.makeContext()
    Pigment(context: filling, name: "Ochre").code = "PY43"
    try filling.save()
    #expect(try store.sqlite3(sql + "; UPDATE Pigment SET copal_version = 2") == "")
    let context = container.makeContext()
    return (store, context, try #require(try context.fetch(Pigment.self).first))
  }

  struct Case: Sendable {
    let attribute: String
    let sql: String
    let code: PersistenceError.Code
  }

  static let cases = [
    Case(attribute: "opacity", sql: "'a lot'", code: .typeMismatch),
    Case(attribute: "name", sql: "x'0102'", code: .typeMismatch),
    Case(attribute: "price", sql: "'1.5 euro'", code: .typeMismatch),
    Case(attribute: "density", sql: "'3 point 1'", code: .undecodable),
    Case(attribute: "density", sql: "''", code: .undecodable),
    Case(attribute: "density", sql: "'007'", code: .undecodable),
    Case(attribute: "density", sql: "'1.50'", code: .undecodable),
    Case(attribute: "density", sql: "'-0'", code: .undecodable),
    Case(attribute: "isLightfast", sql: "'yes'", code: .typeMismatch),
    Case(attribute: "isLightfast", sql: "2", code: .undecodable),
    Case(attribute: "name", sql: "CAST(x'4fff' AS TEXT)", code: .undecodable),
    Case(attribute: "origin", sql: "'https://example.com/a b'", code: .undecodable),
    Case(attribute: "origin", sql: "''", code: .undecodable),
    Case(attribute: "spectrum", sql: "'text'", code: .typeMismatch),
    Case(attribute: "introduced", sql: "'1827-01-01'", code: .typeMismatch),
    Case(attribute: "color", sql: "x'00'", code: .decodeFailed),
  ]

  @Test(
    "an unreadable value reads as nil or zero, is reported once, and is thrown by throwing functions",
    .modelAsIs,
    arguments: cases)
  func kinds(_ damage: Case) throws {
    let (store, context, pigment) = try damaged(
      "UPDATE Pigment SET \(damage.attribute) = \(damage.sql)")
    let before = try store.sqlite3("SELECT hex(\(damage.attribute)) FROM Pigment")
    var reported: [PersistenceError] = []
    context.readFailureHandler = { reported.append($0) }
    for _ in 0..<3 {
      _ = (pigment.name, pigment.opacity, pigment.price, pigment.density, pigment.isLightfast)
      _ = (pigment.spectrum, pigment.introduced, pigment.color, pigment.origin)
    }
    #expect(reported.map(\.code) == [damage.code])
    #expect(reported.first?.property == damage.attribute)
    #expect(pigment.code == "PY43")
    let error = #expect(throws: PersistenceError.self) {
      try pigment.value(forKey: damage.attribute)
    }
    #expect(error?.code == damage.code && error?.objectID == pigment.objectID)

    // Saving another attribute does not change the bytes. Placeholder zeros are never stored.
    pigment.code = "PY42"
    try context.save()
    #expect(try store.sqlite3("SELECT code FROM Pigment") == "PY42")
    #expect(try store.sqlite3("SELECT hex(\(damage.attribute)) FROM Pigment") == before)
    #expect(throws: PersistenceError.self) { try pigment.value(forKey: damage.attribute) }

    // A refresh reads again, and reports again.
    _ = try store.sqlite3("UPDATE Pigment SET copal_version = 9")
    try context.refresh(pigment, mergeChanges: false)
    _ = (pigment.name, pigment.opacity, pigment.price, pigment.density, pigment.isLightfast)
    _ = (pigment.spectrum, pigment.introduced, pigment.color, pigment.origin)
    #expect(reported.count == 2)
  }

  @Test(
    "every function that does not throw reports an unreadable value: conditions in memory, sort orders, committed values",
    .modelAsIs,
    arguments: ["UPDATE Painting SET weightKilograms = 1e300", "UPDATE Painting SET id = x''"])
  func everyFunction(sql: String) throws {
    let store = try TestStore()
    let container = try store.atelier()
    let filling = container.makeContext()
    Painting(context: filling, widthMillimetres: 1, heightMillimetres: 1).title = "Irises"
    try filling.save()
    _ = try store.sqlite3(sql)
    let isWeight = sql.contains("weight")
    let reads: [(ManagedObjectContext, Painting) throws -> Void] = [
      { _ = isWeight ? $1.weightKilograms.map { $0 as Any } : $1.id },
      { _ = $1.committedValues() },
      { context, painting in
        painting.views = 1
        // A changed property is read, so the object is evaluated in memory.
        let count = try context.count(Painting.self) {
          $0.views == 1 && (isWeight ? $0.weightKilograms > 1 : $0.id == UUID())
        }
        #expect(count == 0)
      },
      { context, painting in
        painting.views = 1
        let found =
          try isWeight
          ? context.fetch(Painting.self, sortedBy: \.weightKilograms.ascending, \.views.ascending)
          : context.fetch(Painting.self, sortedBy: \.id.ascending, \.views.ascending)
        #expect(found == [painting])
      },
    ]
    for (number, read) in reads.enumerated() {
      let context = container.makeContext()
      var reported: [PersistenceError] = []
      context.readFailureHandler = { reported.append($0) }
      let painting = try #require(try context.fetch(Painting.self).first)
      try read(context, painting)
      #expect(reported.map(\.code) == [.undecodable], "function \(number)")
      #expect(reported.map(\.property) == [isWeight ? "weightKilograms" : "id"])
      #expect(throws: PersistenceError.self) {
        try painting.value(forKey: isWeight ? "weightKilograms" : "id")
      }
    }
  }

  @Test("a double in a float column is read as the nearest float, by every function", .modelAsIs)
  func typedFloat() throws {
    let store = try TestStore()
    let container = try store.atelier()
    let filling = container.makeContext()
    for _ in 0..<3 { _ = Painting(context: filling, widthMillimetres: 1, heightMillimetres: 1) }
    try filling.save()
    _ = try store.sqlite3(
      """
      UPDATE Painting SET weightKilograms = 0.1 WHERE copal_id = 1;
      UPDATE Painting SET weightKilograms = 0.3 WHERE copal_id = 2
      """)
    let context = container.makeContext()
    context.readFailureHandler = { Issue.record("\($0)") }
    let paintings = try context.fetch(Painting.self)
    for isPending in [false, true] {
      if isPending { for painting in paintings { painting.views += 1 } }
      #expect(paintings.map(\.weightKilograms) == [0.1, 0.3, nil])
      #expect(try paintings[0].value(of: "weightKilograms", as: Float.self) == 0.1)
      #expect(paintings[0].committedValues()["weightKilograms"] as? Float == 0.1)
      #expect(try context.fetch(Painting.self) { $0.weightKilograms == 0.1 } == [paintings[0]])
      #expect(try context.fetch(Painting.self) { $0.weightKilograms > 0.1 } == [paintings[1]])
      #expect(
        try context.fetch(Painting.self) { $0.weightKilograms <= 0.3 } == Array(paintings[..<2]))
      #expect(
        try context.fetch(Painting.self, sortedBy: \.weightKilograms.descending)
          == [paintings[1], paintings[0], paintings[2]])
    }
    // Setting it to its current value changes nothing: the digits in the file stay.
    paintings[0].weightKilograms = 0.1
    try context.save()
    #expect(try store.sqlite3("SELECT weightKilograms FROM Painting WHERE copal_id = 1") == "0.1")
  }

  @Test("a stored number beyond the attribute's width is not truncated", .modelAsIs)
  func tooBig() throws {
    let store = try TestStore()
    let container = try store.atelier()
    let filling = container.makeContext()
    _ = Painter(context: filling, name: "Rosa")
    try filling.save()
    _ = try store.sqlite3("UPDATE Painter SET prizes = 70000, copal_version = 2")
    let context = container.makeContext()
    let painter = try #require(try context.fetch(Painter.self).first)
    #expect(painter.prizes == 0)
    let error = #expect(throws: PersistenceError.self) {
      try painter.value(of: "prizes", as: Int16.self)
    }
    #expect(error?.code == .outOfRange && error?.property == "prizes")
    #expect(try store.sqlite3("SELECT prizes FROM Painter") == "70000")
  }

  @Test("an unreadable row is reported once, and not overwritten until a refresh")
  func outage() throws {
    let outage = Outage()
    let container = try PersistentContainer(
      model: .atelier, store: outage.configuration, transformers: TestTransformers.atelier)
    let filling = container.makeContext()
    let painter = Painter(context: filling, name: "Rosa")
    painter.prizes = 5
    try filling.save()
    let context = container.makeContext()
    let fault = try context.object(with: painter.objectID, as: Painter.self)
    #expect(try context.count(Painter.self) == 1)
    var reported: [PersistenceError.Code] = []
    context.readFailureHandler = { reported.append($0.code) }
    outage.isDown = true
    #expect(fault.name == "" && fault.prizes == 0 && fault.email == nil)
    #expect(reported == [.inputOutput])
    fault.email = "rosa@example.com"
    outage.isDown = false
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.incompleteObject])
    #expect((error?.firstCause?.causes.first as? PersistenceError)?.code == .inputOutput)
    #expect(throws: PersistenceError.self) { try fault.value(of: "name", as: String.self) }
    try context.refresh(fault, mergeChanges: true)
    #expect(fault.name == "Rosa" && fault.email == "rosa@example.com")
    try context.save()
    let found = try #require(try container.makeContext().fetch(Painter.self).first)
    #expect(found.prizes == 5 && found.email == "rosa@example.com")
  }

  @Test("a refresh that cannot read the row does not change the object")
  func refresh() throws {
    let outage = Outage()
    let container = try PersistentContainer(
      model: .atelier, store: outage.configuration, transformers: TestTransformers.atelier)
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    painter.prizes = 2
    outage.isDown = true
    #expect(throws: PersistenceError.self) { try context.refresh(painter, mergeChanges: true) }
    #expect(throws: PersistenceError.self) { try context.fetch(Painter.self) }
    #expect(throws: PersistenceError.self) { try context.count(Painter.self) }
    #expect(painter.name == "Rosa" && painter.prizes == 2 && painter.isUpdated)
  }

  // MARK: Handlers

  /// A painter whose row cannot be read.
  private func unreadable(_ context: ManagedObjectContext) throws -> Painter {
    let missing = try #require(
      ManagedObjectID(uri: "copal://\(context.state.container.store.identifier)/Painter/p99"))
    return try context.object(with: missing, as: Painter.self)
  }

  @Test("a failure goes to the container's handler, unless the context has its own")
  func handlers() throws {
    let container = try TestStore(.memory).atelier()
    let reported = Locked<[String]>([])
    @Sendable func say(_ text: String) { reported.withLock { $0.append(text) } }
    func read(_ context: ManagedObjectContext) throws -> [String] {
      reported.withLock { $0 = [] }
      #expect(try unreadable(context).name == "")
      return reported.withLock { $0 }
    }
    let early = container.makeContext()
    container.readFailureHandler = { error in
      reported.withLock { $0.append("container: \(error.code) \(error.entity ?? "")") }
    }
    #expect(try read(early) == ["container: object.missing Painter"])
    let own = container.makeContext()
    own.readFailureHandler = { say("context: \($0.code)") }
    #expect(try read(own) == ["context: object.missing"])
    own.readFailureHandler = nil
    try own.refresh(try unreadable(own), mergeChanges: false)
    #expect(try read(own) == ["container: object.missing Painter"])
    container.readFailureHandler = { _ in say("another") }
    #expect(try read(container.makeContext()) == ["another"])
  }

  @Test("an object that outlives its context reports to the container's handler")
  func outliving() throws {
    let container = try TestStore(.memory).atelier()
    let reported = Locked<[PersistenceError.Code]>([])
    container.readFailureHandler = { error in reported.withLock { $0.append(error.code) } }
    func orphan() throws -> Painter {
      let context = container.makeContext()
      context.readFailureHandler = { _ in Issue.record("the context has ended") }
      return try unreadable(context)
    }
    #expect(try orphan().name == "")
    #expect(reported.withLock { $0 } == [.objectMissing])
  }

  @Test("an error of the store as a whole reaches the handler with the object's id")
  func subject() throws {
    let outage = Outage()
    let container = try PersistentContainer(
      model: .atelier, store: outage.configuration, transformers: TestTransformers.atelier)
    let reported = Locked<[PersistenceError]>([])
    container.readFailureHandler = { error in reported.withLock { $0.append(error) } }
    let context = container.makeContext()
    let fault = try unreadable(context)
    outage.isDown = true
    #expect(fault.name == "")
    let error = try #require(reported.withLock { $0 }.first)
    #expect(error.code == .inputOutput && error.entity == "Painter")
    #expect(error.objectID == fault.objectID && error.property == nil)
  }

  // Standard error is captured in a separate process.

  @Test(
    "without a handler, standard error gets one line for each failure, without stored values",
    .modelAsIs)
  func standardError() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let store = try TestStore()
      let container = try store.atelier()
      container.readFailureHandler = nil
      let filling = container.makeContext()
      _ = Pigment(context: filling, name: "Ochre")
      try filling.save()
      _ = try store.sqlite3(
        "UPDATE Pigment SET color = x'5EC4E7', opacity = 'secret', copal_version = 2")
      let pigment = try #require(try container.makeContext().fetch(Pigment.self).first)
      for _ in 0..<3 { _ = (pigment.name, pigment.color, pigment.opacity) }
      let outage = Outage()
      let other = try PersistentContainer(
        model: .atelier, store: outage.configuration, transformers: TestTransformers.atelier)
      let id = try #require(ManagedObjectID(uri: "copal://\(other.storeIdentifier)/Painter/p7"))
      let context = other.makeContext()
      let painter = try context.object(with: id, as: Painter.self)
      outage.isDown = true
      _ = painter.name
    }
    let lines = String(decoding: result.standardErrorContent, as: UTF8.self)
      .split(separator: "\n").filter { $0.contains("Copal") }
    #expect(
      lines == [
        "Copal: Pigment.color of Pigment p1 could not be decoded by the transformer 'SerializableColorTransformer' from 3 bytes; the stored value is kept unchanged; correct the transformer, or set the attribute [transformer.decodeFailed]",
        "Copal: Pigment.opacity of Pigment p1 contains TEXT instead of REAL; another program wrote it; correct the value in the store, or set the attribute [object.typeMismatch]",
        "Copal: Painter p7: the store could not be read or written: the disk is on fire; nothing was changed; check the disk and try again [store.inputOutput]",
      ])
  }

  @Test("without a handler, a program with a closed standard error continues")
  func brokenPipe() async {
    await #expect(processExitsWith: .success) {
      var ends: [CInt] = [0, 0]
      let former = dup(2)
      #expect(pipe(&ends) == 0 && dup2(ends[1], 2) == 2)
      close(ends[0])
      close(ends[1])
      // The testing library also prints at the end.
      defer { dup2(former, 2) }
      let container = try TestStore(.memory).atelier()
      container.readFailureHandler = nil
      let context = container.makeContext()
      let id = try #require(
        ManagedObjectID(uri: "copal://\(container.storeIdentifier)/Painter/p7"))
      #expect(try context.object(with: id, as: Painter.self).name == "")
    }
  }
}
