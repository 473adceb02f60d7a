// error: conformance of 'QueryAttribute<V>' to 'FetchCondition' is unavailable: it can be nil; write == true, or != false
// error: conformance of 'QueryPathAttribute<V>' to 'FetchCondition' is unavailable: it can be nil; write == true, or != false
// error: generic struct 'RequiredQueryAttribute' requires the types 'Decimal' and 'Bool' be equivalent
import Copal
import CopalTestSupport

extension QueryProperties where Object: Pigment {
  var isSold: QueryAttribute<Bool> { .init("isSold", _copalScope) }
}

func path(_ pigment: Pigment.Properties) -> QueryPathAttribute<Bool> { fatalError() }

func query(_ context: ManagedObjectContext) throws {
  _ = try context.count(Pigment.self) { $0.isSold }
  _ = try context.count(Pigment.self) { path($0) }
  _ = try context.count(Pigment.self) { $0.price }
}
