import CopalModel

/// What the reader of models allows and generated code cannot give.
extension CodeGenerator {
  func problems(_ places: ModelPlaces) -> [CodegenProblem] {
    let found =
      classProblems(places) + transformerProblems(places)
      + generatedEntities.flatMap { problems(of: $0, places) }
    return found.enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
  }

  /// Classes that would hide what the code around them names.
  private func classProblems(_ places: ModelPlaces) -> [CodegenProblem] {
    // Within `extension ModelBinding` its own members come first.
    let taken: Set = [namespace, bindingName, "name", "model", "with"]
    return generatedEntities.filter { taken.contains($0.className) }.map { entity in
      CodegenProblem(
        .codegenNameClash, at: places.place("entities", entity.name), subject: entity.name,
        found: entity.className)
    }
  }

  /// Transformers whose constants would have the same name.
  private func transformerProblems(_ places: ModelPlaces) -> [CodegenProblem] {
    var taken: Set<String> = []
    return transformers.compactMap { name, constant in
      guard !taken.insert(constant).inserted, let (entity, attribute) = firstUse(of: name) else {
        return nil
      }
      return CodegenProblem(
        .codegenNameClash,
        at: places.place("entities", entity.name, "attributes", attribute.name, "transformer"),
        subject: "\(entity.name).\(attribute.name)", found: constant)
    }
  }

  private func firstUse(
    of name: TransformerName
  ) -> (EntityDescription, AttributeDescription)? {
    for entity in model.entities {
      for attribute in entity.attributes where attribute.transformer == name {
        return (entity, attribute)
      }
    }
    return nil
  }

  private func problems(of entity: EntityDescription, _ places: ModelPlaces) -> [CodegenProblem] {
    var problems: [CodegenProblem] = []
    if let parent = entity.parent {
      problems.append(
        CodegenProblem(
          .codegenInheritance, at: places.place("entities", entity.name, "parent"),
          subject: entity.name, found: parent))
    }
    for relationship in entity.relationships {
      problems.append(
        CodegenProblem(
          .codegenRelationship,
          at: places.place("entities", entity.name, "relationships", relationship.name),
          subject: "\(entity.name).\(relationship.name)"))
    }
    let names = Set(entity.attributes.map(\.name))
    for attribute in entity.attributes {
      let place = places.place("entities", entity.name, "attributes", attribute.name)
      let subject = "\(entity.name).\(attribute.name)"
      let primitive = AttributeCode(attribute, slot: 0).primitiveName
      if attribute.accessor == .custom, names.contains(primitive) {
        problems.append(
          CodegenProblem(.codegenNameClash, at: place, subject: subject, found: primitive))
      }
      if attribute.type == .transformable, attribute.name == "id" {
        problems.append(CodegenProblem(.codegenTransformableID, at: place, subject: subject))
      }
      if let hidden = hiddenName(in: attribute.customClass) {
        problems.append(
          CodegenProblem(.codegenNameClash, at: place, subject: subject, found: hidden))
      }
    }
    return problems
  }

  /// The part of a class that would be taken for a type nested in the generated class.
  private func hiddenName(in customClass: String?) -> String? {
    let outer = customClass?.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") } ?? []
    return outer.map { $0.split(separator: ".").first.map(String.init) ?? "" }
      .first { $0 == "Attributes" || $0 == "AttributeNames" }
  }
}
