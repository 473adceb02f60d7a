// error: risks causing data races
import Copal
import CopalTestSupport

@MainActor
func enter(_ container: PersistentContainer) async throws {
  let pigment = try container.viewContext.fetch(Pigment.self)[0]
  try await container.perform { context in
    pigment.name = "changed elsewhere"
    try context.save()
  }
}
