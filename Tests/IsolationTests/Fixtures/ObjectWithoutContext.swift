// error: 'init()' is unavailable: every object belongs to a context; use init(context:), such as Pigment(context: context)
// error: 'init(entity:insertInto:)' is unavailable: use init(context:), also from a convenience
import Copal
import CopalTestSupport

func make(_ context: ManagedObjectContext) -> [ManagedObject] {
  let pigment = Pigment()
  let other = Pigment(entity: pigment.entity, insertInto: context)
  return [pigment, other]
}
