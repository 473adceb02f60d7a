// warning: '==' is deprecated: the attribute is required, so it is never nil; remove the condition
// warning: '!=' is deprecated: the attribute is required, so it is never nil; remove the condition
import Copal
import CopalTestSupport

func query(_ context: ManagedObjectContext) throws -> Int {
  try context.count(Pigment.self) { $0.name == nil } + context.count(Pigment.self) { $0.name != nil }
}
