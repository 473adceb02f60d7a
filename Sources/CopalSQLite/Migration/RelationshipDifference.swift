import CopalModel

/// What has changed in a relationship that a store and a program both have, in the words of the
/// model file.
struct RelationshipDifference {
  /// The differences: what follows the name of the relationship.
  private(set) var lines: [String] = []

  init(
    from old: RelationshipDescription, _ oldInverse: RelationshipDescription?,
    to new: RelationshipDescription, _ newInverse: RelationshipDescription?
  ) {
    let (oldType, newType) = (Self.type(of: old), Self.type(of: new))
    if oldType != newType { lines.append("has changed its type from \(oldType) to \(newType)") }
    if old.isOrdered != new.isOrdered {
      lines.append(new.isOrdered ? "is ordered now" : "was ordered and is not ordered now")
    }
    if old.inverse != new.inverse {
      lines.append(
        "has changed its inverse from \(Self.quoted(old.inverse)) to \(Self.quoted(new.inverse))")
    } else if let oldInverse, let newInverse, oldInverse.isToMany != newInverse.isToMany {
      let (was, now) = (Self.arity(oldInverse), Self.arity(newInverse))
      lines.append("has the inverse '\(newInverse.name)', which was \(was) and is \(now) now")
    }
    // The column of a reference that may dangle has another definition.
    let (wasDangling, isDangling) = (Self.dangles(oldInverse), Self.dangles(newInverse))
    if !new.isToMany, wasDangling != isDangling {
      lines.append(
        isDangling
          ? "has an inverse with the delete rule noAction now"
          : "had an inverse with the delete rule noAction")
    }
  }

  /// The type as a model file has it. For a to-many relationship, the least number of objects is
  /// not part of it.
  private static func type(of relationship: RelationshipDescription) -> String {
    relationship.isToMany
      ? "'[\(relationship.destination)]'"
      : "'\(relationship.destination)\(relationship.isOptional ? "?" : "")'"
  }

  private static func quoted(_ inverse: String?) -> String { inverse.map { "'\($0)'" } ?? "none" }

  private static func arity(_ relationship: RelationshipDescription) -> String {
    relationship.isToMany ? "to-many" : "to-one"
  }

  private static func dangles(_ inverse: RelationshipDescription?) -> Bool {
    inverse?.deleteRule == .noAction
  }
}
