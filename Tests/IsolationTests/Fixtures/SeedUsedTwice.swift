// error: 'seed' consumed more than once
import Copal

class Sketch: ManagedObject {
  let twin: ManagedObject

  required init(_copal seed: consuming ObjectSeed) {
    twin = ManagedObject(_copal: seed)
    super.init(_copal: seed)
  }
}
