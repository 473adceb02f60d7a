// compiles
import Copal

class Sketch: ManagedObject {
  let pages: Int

  required init(_copal seed: consuming ObjectSeed) {
    pages = 12
    super.init(_copal: seed)
  }
}

final class Study: Sketch {
  var notes: [String] = []
}

func make(_ context: ManagedObjectContext) -> (Sketch, Study) {
  (Sketch(context: context), Study(context: context))
}
