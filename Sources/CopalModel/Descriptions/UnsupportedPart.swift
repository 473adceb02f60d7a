/// A part of a model that the format allows and this version does not support.
///
/// The code generator reports it when the model is built, and a container reports it when it opens.
/// Both use this list.
package struct UnsupportedPart: Sendable, Hashable {
  package enum Kind: Sendable {
    case version, renamedFrom
  }

  package let kind: Kind
  /// The path of keys to it in the model's file.
  package let keys: [String]
  /// Its name in the model, such as `Painter.friends`; empty for the model itself.
  package let subject: String
  /// What the model says there: the version, the old name.
  package let found: String

  fileprivate init(_ kind: Kind, at keys: [String], subject: String = "", found: String = "") {
    self.kind = kind
    self.keys = keys
    self.subject = subject
    self.found = found
  }
}

extension ManagedObjectModel {
  /// The parts of the model that this version does not support, in the order of the model.
  package var unsupportedParts: [UnsupportedPart] {
    let ofModel =
      version > 1 ? [UnsupportedPart(.version, at: ["version"], found: "\(version)")] : []
    return ofModel + entities.flatMap(\.unsupportedParts)
  }
}

extension EntityDescription {
  fileprivate var unsupportedParts: [UnsupportedPart] {
    let keys = ["entities", name]
    var parts: [UnsupportedPart] = []
    if let renamedFrom {
      parts.append(
        UnsupportedPart(
          .renamedFrom, at: keys + ["renamedFrom"], subject: name, found: renamedFrom))
    }
    for attribute in attributes {
      guard let old = attribute.renamedFrom else { continue }
      parts.append(
        UnsupportedPart(
          .renamedFrom, at: keys + ["attributes", attribute.name, "renamedFrom"],
          subject: "\(name).\(attribute.name)", found: old))
    }
    for relationship in relationships {
      guard let old = relationship.renamedFrom else { continue }
      parts.append(
        UnsupportedPart(
          .renamedFrom, at: keys + ["relationships", relationship.name, "renamedFrom"],
          subject: "\(name).\(relationship.name)", found: old))
    }
    return parts
  }
}
