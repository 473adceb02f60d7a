// error: sending 'list' risks causing data races
import Copal

@MainActor
func send(_ context: ManagedObjectContext, to other: Other) async throws {
  let list = try FetchedResultsController(
    FetchRequest<ManagedObject>(entityName: "Painter"), in: context)
  await other.take(list)
}

actor Other {
  func take(_ list: FetchedResultsController<ManagedObject>) { print(list.objects.count) }
}
