// error: risks causing data races
import Copal
import CopalTestSupport

func share(_ container: PersistentContainer) throws {
  let context = container.makeContext()
  Task { _ = try context.count(Pigment.self) }
  _ = try context.count(Pigment.self)
}
