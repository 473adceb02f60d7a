// error: sending 'changes' risks causing data races
import Copal

func send(_ context: ManagedObjectContext, to other: Other) -> ChangeSubscription {
  context.onChange { changes in
    Task { await other.take(changes) }
  }
}

actor Other {
  func take(_ changes: ObjectChanges) { print(changes.inserted.count) }
}
