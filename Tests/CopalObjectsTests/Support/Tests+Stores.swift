import Copal
import CopalTestSupport
import Testing

/// The tests of contexts run with every store.
let bothStores = StoreKind.allCases

extension PersistenceError {
  /// The codes of the errors behind this one.
  var causeCodes: [PersistenceError.Code] { causes.compactMap { ($0 as? PersistenceError)?.code } }

  var firstCause: PersistenceError? { causes.first as? PersistenceError }
}

extension ManagedObjectContext {
  /// Inserts an object of the entity of a class, or of one of the subentities that `ModelShape`
  /// gives it.
  func insert<T: ManagedObject>(
    _ type: T.Type, with values: [String: Any], _ random: inout some RandomNumberGenerator
  ) throws -> T {
    let name = "\(type)"
    let kinds = model.entities.map(\.name).filter { $0 == name || $0.hasPrefix("\(name)Heir") }
    let object = try insert(try #require(kinds.randomElement(using: &random)))
    for (name, value) in values { try object.setValue(value, forKey: name) }
    return try #require(object as? T)
  }
}
