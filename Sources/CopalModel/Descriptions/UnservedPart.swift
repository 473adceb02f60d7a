/// A part of a model that can be written and checked, and that this version does not serve.
///
/// Generated code refuses it where the model is built, and a container when it opens. Both have it from here.
package struct UnservedPart: Sendable, Hashable {
  package enum Kind: Sendable {
    case version, parent, abstract, relationship, renamedFrom
  }

  package let kind: Kind
  /// The keys that lead to it in the model's file.
  package let keys: [String]
  /// Where in the model, such as `Painter.friends`; empty for the model itself.
  package let subject: String
  /// What the model says there: the version, the parent, the old name.
  package let found: String

  fileprivate init(_ kind: Kind, at keys: [String], subject: String = "", found: String = "") {
    self.kind = kind
    self.keys = keys
    self.subject = subject
    self.found = found
  }
}

extension ManagedObjectModel {
  /// What this version does not serve of the model, in the order of the model.
  package var unservedParts: [UnservedPart] {
    let ofModel =
      version > 1 ? [UnservedPart(.version, at: ["version"], found: "\(version)")] : []
    return ofModel + entities.flatMap(\.unservedParts)
  }
}

extension EntityDescription {
  fileprivate var unservedParts: [UnservedPart] {
    let keys = ["entities", name]
    var parts: [UnservedPart] = []
    if let parent {
      parts.append(UnservedPart(.parent, at: keys + ["parent"], subject: name, found: parent))
    }
    if isAbstract { parts.append(UnservedPart(.abstract, at: keys + ["abstract"], subject: name)) }
    if let renamedFrom {
      parts.append(
        UnservedPart(
          .renamedFrom, at: keys + ["renamedFrom"], subject: name, found: renamedFrom))
    }
    for relationship in relationships {
      parts.append(
        UnservedPart(
          .relationship, at: keys + ["relationships", relationship.name],
          subject: "\(name).\(relationship.name)"))
    }
    for attribute in attributes {
      guard let old = attribute.renamedFrom else { continue }
      parts.append(
        UnservedPart(
          .renamedFrom, at: keys + ["attributes", attribute.name, "renamedFrom"],
          subject: "\(name).\(attribute.name)", found: old))
    }
    return parts
  }
}
