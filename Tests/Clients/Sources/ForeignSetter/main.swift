import Copal
import PublicModels

let rooms = try PersistentContainer(model: .rooms, store: .inMemory).makeContext()
let room = Room(context: rooms)
room.isOpen = true
room.id = "of the same package"
// Only the module with the model sets these.
room.visits = 3
room.next = nil
