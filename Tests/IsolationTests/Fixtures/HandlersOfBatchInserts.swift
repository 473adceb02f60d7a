// error: 'init(booleanLiteral:)' is unavailable: return .insert in place of Core Data's false, and .end in place of its true
// error: declared closure result 'Bool' is incompatible with contextual type 'BatchStep'
// error: value of type 'Pigment' has no member 'take'
import Copal
import CopalTestSupport

func insert(_ names: [String], _ context: ManagedObjectContext) throws {
  var names = names.makeIterator()
  try context.insertAll(Pigment.self) { pigment in
    guard let name = names.next() else { return true }
    pigment.name = name
    return false
  }
  try context.insertAll(Pigment.self) { (pigment: Pigment) -> Bool in true }
  try context.insertAll(Pigment.self) { pigment, row in
    guard let name = names.next() else { return true }
    row.set { $0.name.set(to: name) }
    return false
  }
  try context.insertAll(Pigment.self) { pigment in
    guard let name = names.next() else { return .end }
    pigment.take(name)
    return .insert
  }
}
