import CopalModel
import CopalStore

extension ContainerRuntime {
  /// The error of a new object of an abstract entity, with the subentities that can have it.
  func isAbstract(_ runtime: EntityRuntime) -> PersistenceError {
    let names = runtime.entities.map { entities[$0].layout.entity }
      .filter { !$0.isAbstract }.map(\.name)
    return PersistenceError(
      .abstractEntity, entity: runtime.layout.name,
      expected: names.isEmpty ? nil : names.joined(separator: ", "))
  }
}
