// compiles
import Copal
import CopalTestSupport

func query(_ context: ManagedObjectContext, _ wish: FetchPredicate, _ isAny: Bool) throws {
  _ = try context.fetch(Pigment.self) { $0.isLightfast }
  _ = try context.fetch(Pigment.self, sortedBy: \.name.ascending, limit: 3) { !$0.isLightfast }
  _ = try context.count(Pigment.self) { $0.isLightfast && $0.price < 20 || !$0.isLightfast }
  _ = try context.first(Pigment.self) { $0.price < 20 && $0.isLightfast && wish }
  _ = try context.exists(Pigment.self) { $0.isLightfast == true }
  _ = try context.fetchIDs(Pigment.self) { $0.isLightfast == isAny }
  _ = try context.count(Pigment.self) { isAny ? .true : $0.isLightfast && wish }
  _ = try context.count(Pigment.self) { _ in isAny ? .true : wish }
  _ = try context.count(Pigment.self) { _ in .false }
  _ = try context.count(Pigment.self, where: !Pigment.properties.isLightfast && wish)
  _ = Pigment.fetchRequest().filter { $0.isLightfast }.filter { _ in wish }
  try context.updateAll(Pigment.self, where: { $0.isLightfast }) { $0.code.set(to: nil) }
  try context.deleteAll(Pigment.self) { !$0.isLightfast }
}

func pass(
  _ context: ManagedObjectContext, _ condition: (Pigment.Properties) -> FetchPredicate,
  _ other: ((Pigment.Properties) -> FetchPredicate)?
) throws -> Int {
  try withoutActuallyEscaping(condition) { condition in
    try context.count(Pigment.self, where: condition)
      + context.fetch(Pigment.self, where: other).count
  }
}
