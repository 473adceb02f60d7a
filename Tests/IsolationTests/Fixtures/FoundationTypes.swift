// compiles
import Copal
import CopalTestSupport
import Foundation

// Foundation's own types, in a program that needs them beside Copal.
func names(_ pigments: [Pigment]) -> [Any] {
  let list: NSOrderedSet = NSOrderedSet(array: pigments.map(\.name))
  let condition: NSPredicate = NSPredicate { value, _ in (value as? String)?.isEmpty == false }
  let both = NSCompoundPredicate(andPredicateWithSubpredicates: [condition])
  let order: NSSortDescriptor = NSSortDescriptor(keyPath: \String.count, ascending: true)
  let set: NSSet = list.set as NSSet
  return list.filtered(using: both).array + [order, set]
}
