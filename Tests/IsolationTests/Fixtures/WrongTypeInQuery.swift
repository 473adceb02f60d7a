// error: binary operator '==' cannot be applied to operands of type 'RequiredQueryAttribute<String>' and 'Int'
import Copal
import CopalTestSupport

func query(_ context: ManagedObjectContext) throws {
  _ = try context.fetch(Pigment.self) { $0.name == 12 }
}
