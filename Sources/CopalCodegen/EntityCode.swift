import CopalModel

/// The code of one entity: its class, or the extension of a custom class.
struct EntityCode {
  let entity: EntityDescription
  /// The prefix of every declaration: `public ` or nothing.
  let access: String
  private let locations: ModelLocations
  /// Whether the class can be observed, as the root of its family says.
  private let isObservable: Bool
  /// The name of the attribute that is the identity, as the root of its family says.
  private let identity: String
  /// The class of the nearest ancestor that has generated code, or `ManagedObject`.
  private let superclass: String
  /// The class of the first ancestor that has generated code; nil for none.
  private let rootClass: String?
  /// Whether other entities have this one as their parent.
  private let hasChildren: Bool
  /// The attributes that the class inherits, in slot order.
  private let inherited: [AttributeCode]
  /// The attributes that the class declares, in slot order: those of the entity, and of ancestors
  /// without generated code.
  private let properties: [AttributeCode]
  /// The relationships that the class inherits, in the order of the model.
  private let inheritedRelationships: [RelationshipCode]
  /// The relationships that the class declares, in the order of the model.
  private let relationships: [RelationshipCode]
  /// The templates that the class declares: those of the entity, and of ancestors without generated
  /// code.
  private let fetchRequests: [FetchRequestCode]
  /// The fetched properties that the class declares.
  private let fetchedProperties: [FetchedPropertyCode]
  /// The code of the classes that inherit from this one, in the order of the model. A function, so
  /// that a model with many generations does not make the code of the last one for each of the
  /// others.
  private let descendants: () -> [EntityCode]

  /// The code of the entity at a position of a model.
  init(
    ofEntity index: Int, in model: ManagedObjectModel, _ families: Families, access: String,
    locations: ModelLocations
  ) {
    let entity = model.entities[index]
    self.entity = entity
    self.access = access
    self.locations = locations
    let ancestor = model.ancestors(ofEntity: index).last { model.entities[$0].codegen != .none }
    let rootAncestor = model.ancestors(ofEntity: index).first {
      model.entities[$0].codegen != .none
    }
    rootClass = rootAncestor.map { SwiftText.identifier(model.entities[$0].className) }
    let root = model.ancestors(ofEntity: index).first ?? index
    isObservable = model.entities[root].isObservable
    identity = model.entities[root].identity ?? "id"
    superclass =
      ancestor.map { SwiftText.identifier(model.entities[$0].className) }
      ?? (isObservable ? "ObservableManagedObject" : "ManagedObject")
    hasChildren = families.hasChildren(index)
    let all = model.slots(ofEntity: index).enumerated().compactMap { slot, description in
      AttributeCode(description, slot: slot, of: SwiftText.identifier(entity.className))
    }
    let inheritedCount = ancestor.map { model.slots(ofEntity: $0).count } ?? 0
    inherited = all.filter { $0.slot < inheritedCount }
    properties = all.filter { $0.slot >= inheritedCount }
    let allRelationships = RelationshipCode.relationships(ofEntity: index, in: model)
    inheritedRelationships =
      ancestor.map { RelationshipCode.relationships(ofEntity: $0, in: model) } ?? []
    relationships = Array(allRelationships.dropFirst(inheritedRelationships.count))
    // Those of ancestors without generated code are about this entity, as their attributes are.
    let line = model.ancestors(ofEntity: index) + [index]
    let declared =
      ancestor.flatMap { line.firstIndex(of: $0) }.map { line[($0 + 1)...] } ?? line[...]
    fetchRequests = declared.flatMap { declaring in
      model.entities[declaring].fetchRequests.map {
        FetchRequestCode($0, ofEntity: index, in: model)
      }
    }
    fetchedProperties = declared.flatMap { declaring in
      model.entities[declaring].fetchedProperties.map { FetchedPropertyCode($0, in: model) }
    }
    descendants = {
      families.descendants(of: index).filter { model.entities[$0].codegen != .none }.map {
        EntityCode(ofEntity: $0, in: model, families, access: access, locations: locations)
      }
    }
  }

  private var className: String { SwiftText.identifier(entity.className) }

  /// The beginning of the class's declaration. A class of an entity without children is final.
  private var classHead: String {
    "\(hasChildren ? "" : "final ")class \(className): \(superclass)"
  }

  func write(to code: inout SourceLines) {
    code.line()
    writeProperties(to: &code)
    code.line()
    writeNames(to: &code)
    writeQueries(to: &code)
    writeFetchRequests(to: &code)
  }

  // MARK: Fetch requests

  /// Writes the templates. A subclass has those of its superclass too, for its own objects.
  private func writeFetchRequests(to code: inout SourceLines) {
    guard !fetchRequests.isEmpty else { return }
    code.line()
    let relation = hasChildren ? ":" : " =="
    writeExtension("QueryableObject where Self\(relation) \(className)", to: &code) { code in
      for (index, request) in fetchRequests.enumerated() {
        if index > 0 { code.line() }
        request.write(access: access, to: &code)
      }
    }
  }

  // MARK: Properties

  private func writeProperties(to code: inout SourceLines) {
    switch entity.codegen {
    case .class, .none:
      code.comment(entity.documentation ?? "An object of the entity `\(entity.name)`.")
      code.block("\(access)nonisolated \(classHead)") { writeMembers(to: &$0) }
    case .extension:
      writeExtension(className, to: &code) { writeMembers(to: &$0) }
    }
  }

  private func writeExtension(
    _ head: String, to code: inout SourceLines, _ body: (inout SourceLines) -> Void
  ) {
    code.block("nonisolated extension \(head)", body)
  }

  /// Writes a line that names a class which a person writes. It comes before all code that uses the
  /// class, so that the compiler's first error about a missing class is at the model's line, and
  /// shows this line with the comment that says which class to write.
  func writeNeed(to code: inout SourceLines) {
    guard entity.codegen == .extension else { return }
    let key = entity.className == entity.name ? "codegen" : "class"
    let position = locations.compilerLocation(["entities", entity.name, key])
    code.line()
    code.located(at: position) { code in
      let missing = "nonisolated \(access)\(classHead) {}"
      code.line("nonisolated extension \(className) {}  // Write the class: \(missing)")
    }
  }

  /// The file that a person goes on with, for a class that the model leaves to a person. Nil for
  /// other classes, and for a class in a module of its own.
  var humanFile: CodeGenerator.HumanFile? {
    guard entity.codegen == .extension, !className.contains(".") else { return nil }
    let text = """
      \(access)import Copal

      nonisolated \(access)\(classHead) {
      }

      """
    return CodeGenerator.HumanFile(name: "\(className).swift", text: text)
  }

  private func writeMembers(to code: inout SourceLines) {
    for (index, property) in properties.enumerated() {
      if index > 0 { code.line() }
      // A member of an extension cannot be overridden, a member of a class only if it is not final.
      property.writeProperty(
        access: access, isFinal: hasChildren && entity.codegen != .extension,
        observedIn: isObservable ? className : nil, at: classPosition(of: property), to: &code)
    }
    for (index, relationship) in relationships.enumerated() {
      if index > 0 || !properties.isEmpty { code.line() }
      relationship.writeProperty(
        access: access, isFinal: hasChildren && entity.codegen != .extension,
        observedIn: isObservable ? className : nil, to: &code)
    }
    for (index, property) in fetchedProperties.enumerated() {
      if index > 0 || !properties.isEmpty || !relationships.isEmpty { code.line() }
      property.write(
        access: access, isFinal: hasChildren && entity.codegen != .extension, to: &code)
    }
    for property in properties {
      guard let enumeration = EnumCode(property.attribute) else { continue }
      code.line()
      enumeration.write(access: access, to: &code)
    }
    for initializer in initializers {
      code.line()
      initializer.write(access: access, to: &code)
    }
  }

  /// Where the model names the class of a transformable.
  private func classPosition(of property: AttributeCode) -> ModelProblem.Position? {
    guard property.attribute.customClass != nil else { return nil }
    return locations.compilerLocation(
      ["entities", entity.name, "attributes", property.attribute.name, "class"])
  }

  // MARK: Initializers

  /// The initializers that the class declares. It inherits those of its superclass, so it has one
  /// of its own only if it has a property of its own for it.
  private var initializers: [InitializerCode] {
    var result: [InitializerCode] = []
    if properties.contains(where: \.isRequired) {
      result.append(
        InitializerCode(
          documentation: "Inserts a new object with the values that it cannot be saved without.",
          parameters: (inherited + properties).filter(\.isRequired).map(parameter)))
    }
    let attributes = (inherited + properties).filter { !$0.attribute.isTransient }
    let toOnes = (inheritedRelationships + relationships).filter(\.isToOne)
    let hasOwn =
      properties.contains { !$0.attribute.isTransient } || relationships.contains(where: \.isToOne)
    // With nothing else to give, it would be the initializer above.
    guard hasOwn, !attributes.allSatisfy(\.isRequired) || !toOnes.isEmpty else { return result }
    let all =
      attributes.filter(\.isRequired).map(parameter)
      + toOnes.filter(\.isRequired).map(\.parameter)
      + attributes.filter { !$0.isRequired }.map(parameter)
      + toOnes.filter { !$0.isRequired }.map(\.parameter)
    result.append(
      InitializerCode(
        documentation: """
          Inserts a new object with values for its stored attributes and to-one relationships.

          A property that is left out keeps what the model and `awakeFromInsert()` give it.

          An initializer of your own is a `convenience init` that calls this one.
          """,
        parameters: all))
    return result
  }

  private func parameter(_ property: AttributeCode) -> InitializerCode.Parameter {
    property.parameter(at: classPosition(of: property))
  }

  // MARK: Identity and names

  private func writeNames(to code: inout SourceLines) {
    // A class inherits the conformances of its superclass.
    let conformances = rootClass == nil ? ": QueryableObject, Identifiable" : ""
    writeExtension(className + conformances, to: &code) { code in
      if rootClass == nil { writeIdentity(to: &code) }
      let allRelationships = inheritedRelationships + relationships
      let kinds = allRelationships.isEmpty ? "attributes" : "attributes and relationships"
      code.line("/// The names of the \(kinds), for access by name.")
      code.block("\(access)enum PropertyNames") { code in
        for property in inherited + properties {
          code.line("\(access)static let \(property.name) = \(property.literal)")
        }
        for relationship in allRelationships {
          code.line("\(access)static let \(relationship.name) = \(relationship.literal)")
        }
      }
      if rootClass == nil { writeKeyPaths(to: &code) }
      if rootClass == nil, isObservable { writeNotification(to: &code) }
    }
    code.line()
    // Not a member of the class: a static member of an extension cannot be overridden.
    writeExtension("QueryableObject where Self == \(className)", to: &code) { code in
      code.line("/// The name of the entity.")
      code.line("\(access)static var entityName: String { \(SwiftText.literal(entity.name)) }")
    }
  }

  /// The attribute that is the identity; nil for the identity of the object.
  private var identityAttribute: AttributeCode? {
    (inherited + properties).first { $0.attribute.name == identity }
  }

  /// Writes the property `id`, unless the attribute that is the identity has this name.
  private func writeIdentity(to code: inout SourceLines) {
    switch identityAttribute {
    case let attribute? where attribute.attribute.name == "id": return
    case let attribute?:
      code.line("/// The identity of the object: its `\(attribute.attribute.name)`.")
      code.line("\(access)var id: \(attribute.propertyType) { \(attribute.propertyName) }")
    case nil:
      code.line("/// Equal for the object's life in its context, before and after its first save.")
      code.line("\(access)var id: ManagedObjectID { _copalStableID }")
    }
    code.line()
  }

  /// Writes the key paths of the family. A class inherits the conformance to `QueryableObject`, and
  /// a member of an extension cannot be overridden: so the first class of a family lists its
  /// subclasses too.
  private func writeKeyPaths(to code: inout SourceLines) {
    code.line()
    code.line("/// The key paths of the properties, for `#Predicate`.")
    code.block("\(access)static var _copalKeyPaths: PropertyKeyPaths") { code in
      code.line("var paths = PropertyKeyPaths()")
      for entity in [self] + descendants() { entity.writeOwnKeyPaths(to: &code) }
      code.line("return paths")
    }
  }

  private func writeOwnKeyPaths(to code: inout SourceLines) {
    let stored = (inherited + properties).filter { !$0.attribute.isTransient }
    code.line("paths.add(\(className).self, entity: \(SwiftText.literal(entity.name)))")
    code.line("paths.add(id: \\\(className).objectID)")
    switch identityAttribute {
    case let attribute? where attribute.attribute.name == "id": break
    case let attribute?: code.line("paths.add(\\\(className).id, \(attribute.literal))")
    case nil: code.line("paths.add(id: \\\(className).id)")
    }
    for attribute in stored {
      // The property of a custom accessor is not generated: it can be private, or of another
      // isolation.
      code.line("paths.add(\\\(className).\(attribute.propertyName), \(attribute.literal))")
    }
    for relationship in inheritedRelationships + relationships {
      code.line("paths.add(\\\(className).\(relationship.propertyName), \(relationship.literal))")
    }
  }

  // MARK: Observation

  /// Writes the function that notifies observers of a property. The first class of a family lists
  /// its subclasses too, as for the key paths.
  private func writeNotification(to code: inout SourceLines) {
    code.line()
    code.line("/// Notifies the observers of a property.")
    code.line("\(access)static func _copalNotify(")
    code.line("  _ event: ObservedEvent, of property: Int, _ object: ManagedObject")
    code.block(")") { code in
      for entity in [self] + descendants() { entity.writeOwnNotifications(to: &code) }
    }
  }

  private func writeOwnNotifications(to code: inout SourceLines) {
    let observed =
      properties.map { ($0.slot, $0.propertyName) }
      + relationships.map { ($0.observedProperty, $0.propertyName) }
    guard !observed.isEmpty else { return }
    code.block("if let object = object as? \(className)") { code in
      code.line("switch property {")
      for (property, name) in observed {
        code.line("case \(property): event.notify(object, \\\(className).\(name))")
      }
      code.line("default: break")
      code.line("}")
    }
  }

  // MARK: Queries

  /// Writes what conditions of a query for an ancestor can say of the class.
  private func writeKind(of rootClass: String, to code: inout SourceLines) {
    code.block("nonisolated extension QueryProperties where Object: \(rootClass)") { code in
      let name = SwiftText.literal(entity.name)
      code.line("/// Whether the class of the object is `\(entity.className)` or a subclass of it.")
      code.line(
        "\(access)func isKind(of type: \(className).Type) -> FetchPredicate { _copalScope.isKind(\(name)) }"
      )
      code.line("/// The properties of `\(entity.className)`, which are nil for other objects.")
      code.line(
        "\(access)func `as`(_ type: \(className).Type) -> QuerySubentity<\(className)> { .init(\(name), _copalScope) }"
      )
    }
  }

  private func writeQueries(to code: inout SourceLines) {
    let queryable =
      properties.filter { !$0.attribute.isTransient }.map { ($0.name, $0.queryType, $0.literal) }
      + relationships.map { ($0.name, $0.queryType, $0.literal) }
    if let rootClass {
      code.line()
      writeKind(of: rootClass, to: &code)
    }
    guard !queryable.isEmpty else { return }
    code.line()
    writeExtension("QueryProperties where Object: \(className)", to: &code) { code in
      for (name, type, literal) in queryable {
        code.line("\(access)var \(name): \(type) { .init(\(literal), _copalScope) }")
      }
    }
    for property in properties where !property.attribute.projections.isEmpty {
      code.line()
      writeProjections(of: property, to: &code)
    }
  }

  /// Writes what conditions of a query can say of the values of a transformable.
  private func writeProjections(of property: AttributeCode, to code: inout SourceLines) {
    writeExtension(className, to: &code) { code in
      code.line("/// Names the projections of `\(property.attribute.name)` in typed queries.")
      code.line("\(access)enum \(property.projectionsName) {}")
    }
    code.line()
    let names = "\(className).\(property.projectionsName)"
    writeExtension("QueryProjections where Names == \(names)", to: &code) { code in
      for projection in property.attribute.projections {
        let type = projection.type.attributeType.swiftType ?? "Never"
        code.line(
          "\(access)var \(SwiftText.identifier(projection.name)): QueryAttribute<\(type)> { _projection(\(SwiftText.literal(projection.name))) }"
        )
      }
    }
  }
}
