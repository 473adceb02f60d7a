// compiles
import Copal
import CopalTestSupport

func query(_ context: ManagedObjectContext, _ name: String?, _ names: [String]) throws -> Int {
  try context.count(Pigment.self) { $0.code == nil || $0.code != name || $0.code == $0.name }
    + context.count(Pigment.self) { $0.name == name && $0.name != $0.code && $0.name.isIn(names) }
    + context.count(Pigment.self) { $0.name == "Woad" && $0.name < $0.code && $0.price < 20 }
}
