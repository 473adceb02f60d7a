// error: value of type 'QueryProperties<Pigment>' has no member 'prise'
// error: binary operator '==' cannot be applied to operands of type 'RequiredQueryAttribute<Decimal>' and 'String'
// error: binary operator '==' cannot be applied to operands of type 'QueryAttribute<String>' and 'Int'
// error: binary operator '<' cannot be applied to operands of type 'QueryAttribute<Decimal>' and 'String'
// error: cannot convert value of type 'RequiredQueryAttribute<Decimal>' to expected argument type 'RequiredQueryAttribute<String>'
// error: requires that 'RequiredQueryAttribute<Decimal>.Value' (aka 'Decimal') conform to 'QueryTextConvertible'
import Copal
import CopalTestSupport

func query(_ context: ManagedObjectContext) throws {
  _ = try context.count(Pigment.self) { $0.name == "Woad" && $0.prise < 3 }
  _ = try context.count(Pigment.self) { $0.price == "cheap" }
  _ = try context.count(Pigment.self) { $0.code == 29 || $0.name == "Woad" }
  _ = try context.count(Pigment.self) { $0.density < "light" }
  _ = try context.count(Pigment.self) { $0.name == $0.price }
  _ = try context.count(Pigment.self) { $0.price.contains("W") }
}
