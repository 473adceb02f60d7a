public import Copal

extension PersistenceError {
  /// Why a migration was refused: for each cause what it concerns, and what was found, such as
  /// `Pigment.weight: removed`.
  public var refusals: [String] {
    causes.compactMap { $0 as? PersistenceError }.map { "\($0.subjectOfModel): \($0.found ?? "")" }
  }

  /// The same with the codes: `migration.removed Pigment.weight: removed`.
  public var codedRefusals: [String] {
    causes.compactMap { $0 as? PersistenceError }.map {
      "\($0.code) \($0.subjectOfModel): \($0.found ?? "")"
    }
  }

  private var subjectOfModel: String {
    [entity, property].compactMap(\.self).joined(separator: ".")
  }
}
