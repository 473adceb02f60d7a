// error: cannot convert
import Copal
import CopalTestSupport

func query(_ context: ManagedObjectContext) throws {
  _ = try context.fetch(Pigment.self) { $0.name == 12 }
}
