// error: main actor-isolated property 'viewContext' cannot be accessed
import Copal
import CopalTestSupport

func detach(_ container: PersistentContainer) {
  Task.detached {
    _ = try container.viewContext.fetch(Pigment.self).count
  }
}
