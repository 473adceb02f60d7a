// compiles
import Copal
import CopalTestSupport

extension Pigment {
  static let cheap = Pigment.properties.price < 20
  static func isWoad(_ pigment: Pigment.Properties) -> FetchPredicate { pigment.name == "Woad" }
}

func query(_ context: ManagedObjectContext, _ wish: FetchPredicate?, _ words: [String]) throws
  -> Int
{
  try context.count(Pigment.self, where: nil) + context.count(Pigment.self)
    + context.count(Pigment.self, where: Pigment.cheap)
    + context.count(Pigment.self, where: Pigment.isWoad)
    + context.count(Pigment.self, where: wish ?? .true)
    + context.count(Pigment.self) { $0.name.isIn(words) && $0.price < 20 && $0.code != nil }
    + context.fetch(Pigment.self, sortedBy: \.price.descending, limit: 3, where: wish).count
    + context.fetch(Pigment.self, sortedBy: \.price.descending) { $0.price < 20 }.count
    + context.fetch(Pigment.self, sortedBy: \.name.ascending, where: nil).count
}

func change(_ context: ManagedObjectContext, _ wish: FetchPredicate?) throws {
  try context.updateAll(Pigment.self, where: wish) { $0.code.set(to: "w") }
  try context.updateAll(Pigment.self, where: { $0.price < 20 && $0.code == "w" }) {
    $0.price.set(to: $0.price * 2 + 1)
    $0.code.set(to: nil)
  }
  try context.deleteAll(Pigment.self, where: Pigment.cheap && Pigment.properties.code == nil)
  try context.deleteAll(Pigment.self) { Pigment.cheap || $0.name == "Woad" }
  _ = try context.fetchValues(Pigment.self, where: wish) { ($0.name, $0.price) }
  _ = try context.fetchValues(Pigment.self, where: nil) { ($0.name, $0.price.sum) }
}

func filter(_ pigments: [Pigment], _ wish: FetchPredicate) throws -> [Pigment] {
  try pigments.filter(wish).filter { $0.price < 20 }.sorted(
    by: \.price.descending, \.name.ascending
  )
  .sorted { $0.name < $1.name }
}
