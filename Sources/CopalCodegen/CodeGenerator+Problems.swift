import CopalEssentials
import CopalModel

/// Problems of valid models that cannot be generated.
extension CodeGenerator {
  func problems() -> [CodegenProblem] {
    let classNames = Set(model.entities.map(\.className))
    let findings =
      missingImports + otherModelClashes + classClashes + constantClashes
      + generatedEntities.flatMap { self.findings(of: $0, classNames) }
    guard !findings.isEmpty else { return [] }
    let problems = findings.map { finding in
      CodegenProblem(
        finding.code, at: locations.location(finding.keys), subject: finding.subject,
        found: finding.found, expected: finding.expected)
    }
    return problems.enumerated()
      .inOrder { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
  }

  /// A problem, before its location in the file is looked up.
  private struct Finding {
    let code: CodegenError.Code
    /// The path of keys to it.
    let keys: [String]
    let subject: String
    var found = ""
    var expected = ""
  }

  /// Imports of a product that the target does not depend on.
  private var missingImports: [Finding] {
    guard let missingProduct else { return [] }
    return model.imports.filter { ImportText($0)?.module == missingProduct.name }.map { name in
      Finding(
        code: .missingProduct, keys: ["imports", name], subject: missingProduct.target,
        found: missingProduct.name, expected: missingProduct.dependency)
    }
  }

  /// Names in the code of this model that the code of another model of the module has too.
  private var otherModelClashes: [Finding] {
    otherModels.flatMap { file, other in
      let other = CodeGenerator(other, file: file)
      var findings: [Finding] = []
      if other.namespace == namespace || other.bindingName == bindingName {
        findings.append(
          Finding(
            code: .duplicateModel, keys: ["model"], subject: "", found: model.name, expected: file))
      }
      let taken = Set(other.generatedEntities.filter { $0.codegen == .class }.map(\.className))
      for entity in generatedEntities
      where entity.codegen == .class && taken.contains(entity.className) {
        findings.append(
          Finding(
            code: .duplicateClass, keys: ["entities", entity.name], subject: entity.name,
            found: entity.className, expected: file))
      }
      return findings
    }
  }

  /// Classes that would hide names that the generated code uses.
  private var classClashes: [Finding] {
    // Inside `extension ModelBinding`, its members take precedence.
    let taken: Set = [namespace, bindingName, "name", "model", "with"]
    return generatedEntities.filter { taken.contains($0.className) }.map { entity in
      Finding(
        code: .nameClash, keys: ["entities", entity.name], subject: entity.name,
        found: entity.className)
    }
  }

  /// Transformers with the same name of their constants.
  private var constantClashes: [Finding] {
    var taken: Set<String> = []
    return transformers.compactMap { transformer in
      guard !taken.insert(transformer.constant).inserted else { return nil }
      let (entity, attribute) = transformer.firstUse
      return Finding(
        code: .nameClash,
        keys: ["entities", entity, "attributes", attribute, "transformer"],
        subject: "\(entity).\(attribute)", found: transformer.constant)
    }
  }

  private func findings(of entity: EntityDescription, _ classNames: Set<String>) -> [Finding] {
    var findings: [Finding] = []
    for attribute in entity.attributes {
      func add(_ code: CodegenError.Code, _ found: String = "") {
        findings.append(
          Finding(
            code: code, keys: ["entities", entity.name, "attributes", attribute.name],
            subject: "\(entity.name).\(attribute.name)", found: found))
      }
      if attribute.type == .transformable, attribute.name == "id" {
        add(.transformableID, "rename it")
      }
      if attribute.type == .transformable, attribute.name == entity.identity {
        add(.transformableID, "name another attribute as \"identity\"")
      }
      if let hidden = hiddenName(in: attribute.customClass) { add(.nameClash, hidden) }
      if attribute.cases != nil,
        let clash = clash(of: attribute.enumTypeName, in: entity, attribute, classNames)
      {
        add(.nameClash, clash)
      }
    }
    return accessorFindings(of: entity) + findings + requestFindings(of: entity)
  }

  /// A stored property of the model, and the primitive property that is made for its accessor.
  private struct Property {
    let kind: String
    let name: String
    let primitive: String?

    static func all(of entity: EntityDescription) -> [Self] {
      entity.attributes.map {
        Self(
          kind: "attributes", name: $0.name,
          primitive: $0.accessor == .custom ? AttributeCode($0, slot: 0).primitiveName : nil)
      }
        + entity.relationships.map {
          Self(
            kind: "relationships", name: $0.name,
            primitive: $0.accessor == .custom ? RelationshipCode.primitiveName(of: $0) : nil)
        }
    }
  }

  /// Properties with the name of a primitive property, or of the identity, of their family.
  private func accessorFindings(of entity: EntityDescription) -> [Finding] {
    let ancestors = ancestors(of: entity)
    let (own, inherited) = (Property.all(of: entity), ancestors.flatMap(Property.all))
    let names = Set((own + inherited).map(\.name))
    var taken = Set(inherited.compactMap(\.primitive))
    let root = ancestors.first ?? entity
    if let identity = root.identity, identity != "id" { taken.insert("id") }
    return own.flatMap { property in
      let clashes =
        [property.primitive].compactMap(\.self).filter(names.contains)
        + [property.name].filter(taken.contains)
      return clashes.map {
        Finding(
          code: .nameClash, keys: ["entities", entity.name, property.kind, property.name],
          subject: "\(entity.name).\(property.name)", found: $0)
      }
    }
  }

  /// Names that a fetched property adds, and that something else has.
  private func requestFindings(of entity: EntityDescription) -> [Finding] {
    let family = [entity] + ancestors(of: entity)
    let attributes = family.flatMap(\.attributes)
    let relationships = family.flatMap(\.relationships)
    let primitives = Set(
      attributes.filter { $0.accessor == .custom }.map { AttributeCode($0, slot: 0).primitiveName })
    // Step by step: the compiler takes seconds for a sum of lists of names.
    var taken = primitives
    taken.formUnion(attributes.map(\.name))
    taken.formUnion(relationships.map(\.name))
    taken.formUnion(
      relationships.filter { $0.accessor == .custom }.map(RelationshipCode.primitiveName(of:)))
    taken.formUnion(family.flatMap(\.fetchedProperties).map(\.name))
    return inheritedRequestFindings(of: entity)
      + entity.fetchedProperties.compactMap { property in
        let request = FetchedPropertyCode.requestName(of: property)
        let clash =
          primitives.contains(property.name)
          ? property.name : taken.contains(request) ? request : nil
        return clash.map {
          Finding(
            code: .nameClash, keys: ["entities", entity.name, "fetchedProperties", property.name],
            subject: "\(entity.name).\(property.name)", found: $0)
        }
      }
  }

  /// Properties with the name of the request of an ancestor's fetched property.
  private func inheritedRequestFindings(of entity: EntityDescription) -> [Finding] {
    let requests = Set(
      ancestors(of: entity).flatMap(\.fetchedProperties).map(FetchedPropertyCode.requestName(of:)))
    let names =
      entity.attributes.map { ("attributes", $0.name) }
      + entity.relationships.map { ("relationships", $0.name) }
      + entity.fetchedProperties.map { ("fetchedProperties", $0.name) }
    return names.filter { requests.contains($0.1) }.map { kind, name in
      Finding(
        code: .nameClash, keys: ["entities", entity.name, kind, name],
        subject: "\(entity.name).\(name)", found: name)
    }
  }

  /// The name of an enum, when a class or another enum in sight has it.
  private func clash(
    of name: String, in entity: EntityDescription, _ attribute: AttributeDescription,
    _ classNames: Set<String>
  ) -> String? {
    let family = [entity] + ancestors(of: entity)
    let attributes = family.flatMap(\.attributes)
    let properties =
      attributes.map(\.name) + family.flatMap(\.relationships).map(\.name)
      + family.flatMap(\.fetchRequests).map(\.name)
      + family.flatMap(\.fetchedProperties).map(\.name)
    let isTaken =
      classNames.contains(name) || properties.contains(name)
      || attributes.contains { $0.cases != nil && $0 != attribute && $0.enumTypeName == name }
      || attributes.contains { Self.outerNames(of: $0.customClass).contains(name) }
    return isTaken ? name : nil
  }

  private func ancestors(of entity: EntityDescription) -> [EntityDescription] {
    guard let index = model.entityIndex(entity.name) else { return [] }
    return model.ancestors(ofEntity: index).map { model.entities[$0] }
  }

  /// The part of a class name that Swift would take for a type nested in the generated class.
  private func hiddenName(in customClass: String?) -> String? {
    Self.outerNames(of: customClass).first { $0 == "Properties" || $0 == "PropertyNames" }
  }

  /// The names at the beginning of the types in the name of a class.
  private static func outerNames(of customClass: String?) -> [String] {
    let parts = customClass?.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") } ?? []
    return parts.map { $0.split(separator: ".").first.map(String.init) ?? "" }
  }
}
