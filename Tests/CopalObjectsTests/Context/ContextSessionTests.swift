import Copal
import CopalColor
import CopalModel
import CopalStore
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("The session of a context")
struct SessionFactoryTests {
  @Test("a context's state opens its session with the function that it was made with")
  func factory() throws {
    let container = try TestStore(.memory).atelier()
    let writer = container.makeContext()
    _ = Painter(context: writer, name: "Berthe")
    try writer.save()
    let opened = Tally()
    let state = ContextState(container.runtime) {
      opened.add(1)
      return try container.runtime.store.makeSession()
    }
    let query = StoreQuery(entity: container.runtime.schema.model.entityIndex("Painter") ?? 0)
    #expect(try state.session.opened().count(query) == 1)
    #expect(try state.session.opened().count(query) == 1)
    #expect(opened.value == 1)
  }
}
