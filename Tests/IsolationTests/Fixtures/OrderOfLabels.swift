// error: argument 'sortedBy' must precede argument 'where'
// error: argument 'limit' must precede argument 'where'
import Copal
import CopalTestSupport

func query(_ context: ManagedObjectContext, _ wish: FetchPredicate) throws {
  _ = try context.fetch(Pigment.self, where: wish, sortedBy: \.name.ascending)
  _ = try context.fetch(Pigment.self, where: { $0.price < 20 }, sortedBy: \.name.ascending)
  _ = try context.fetchIDs(Pigment.self, where: wish, limit: 3)
  _ = try context.first(Pigment.self, where: wish, sortedBy: \.name.ascending)
}
