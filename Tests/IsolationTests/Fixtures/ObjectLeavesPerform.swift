// error: risks causing data races
import Copal
import CopalTestSupport

func leave(_ container: PersistentContainer) async throws {
  let pigment = try await container.perform { context in
    try context.fetch(Pigment.self)[0]
  }
  print(pigment.name)
}
