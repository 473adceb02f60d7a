// error: cannot convert value of type 'Int' to expected argument type 'QueryAttribute<String>'
import Copal
import CopalTestSupport

func query(_ context: ManagedObjectContext) throws {
  _ = try context.fetch(Pigment.self) { $0.name == 12 }
}
