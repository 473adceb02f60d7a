/// A part of a model that the format allows and this version does not support.
///
/// The code generator reports it when the model is built, and a container reports it when it opens.
/// Both use this list.
package struct UnsupportedPart: Sendable, Hashable {
  /// The path of keys to it in the model's file.
  package let keys: [String]
  /// Its name in the model, such as `Painter.friends`.
  package let subject: String
  /// What the model says there: the old names.
  package let found: String
}

extension ManagedObjectModel {
  /// The parts of the model that this version does not support, in the order of the model: renamed
  /// relationships.
  package var unsupportedParts: [UnsupportedPart] {
    entities.flatMap { entity in
      entity.relationships.filter { !$0.renamedFrom.isEmpty }.map { relationship in
        UnsupportedPart(
          keys: ["entities", entity.name, "relationships", relationship.name, "renamedFrom"],
          subject: "\(entity.name).\(relationship.name)",
          found: relationship.renamedFrom.joined(separator: ", "))
      }
    }
  }
}
