// error: binary operator '==' cannot be applied to operands of type 'RequiredQueryAttribute<String>' and 'Int'
import Copal
import CopalTestSupport

// The compiler must not give up: the operators of a Boolean attribute alone are tried last.
func query(_ context: ManagedObjectContext) throws {
  _ = try context.count(Pigment.self) {
    $0.price > 1 && $0.price > 2 && $0.price > 3 && $0.price > 4 && $0.price > 5 && $0.price > 6
      && $0.price > 7 && $0.name == 3 && $0.price > 8 && $0.price > 9 && $0.price > 10
      && $0.price > 11 && $0.price > 12 && $0.price > 13 && $0.price > 14 && $0.price > 15
  }
}
