import CopalModel

/// The code of one entity: its class, or the extension of a custom class.
struct EntityCode {
  let entity: EntityDescription
  /// The prefix of every declaration: `public ` or nothing.
  let access: String
  private let locations: ModelLocations
  /// The slot of the entity's first own attribute, after those of its parent.
  private let firstSlot: Int

  init(
    _ entity: EntityDescription, firstSlot: Int, access: String, locations: ModelLocations
  ) {
    self.entity = entity
    self.firstSlot = firstSlot
    self.access = access
    self.locations = locations
  }

  private var className: String { SwiftText.identifier(entity.className) }

  private var properties: [AttributeCode] {
    entity.ownSlots.enumerated().compactMap { offset, slot in
      guard case .attribute(let attribute) = slot else { return nil }
      return AttributeCode(attribute, slot: firstSlot + offset)
    }
  }

  /// The attributes that are required for a save and have no default.
  private var requiredProperties: [AttributeCode] {
    properties.filter {
      let attribute = $0.attribute
      return !attribute.isOptional && !attribute.isTransient && attribute.defaultValue == nil
    }
  }

  func write(to code: inout SourceLines) {
    code.line()
    writeProperties(to: &code)
    code.line()
    writeQueries(to: &code)
    code.line()
    writeIdentity(to: &code)
  }

  // MARK: Properties

  private func writeProperties(to code: inout SourceLines) {
    switch entity.codegen {
    case .class, .none:
      code.comment(entity.documentation ?? "An object of the entity `\(entity.name)`.")
      let head = "\(access)nonisolated final class \(className): ManagedObject"
      code.block(head) { writeMembers(to: &$0) }
    case .extension:
      writeExtension("", to: &code) { writeMembers(to: &$0) }
    }
  }

  /// Writes an extension of the class. Where a person writes the class, the compiler reports a missing class at
  /// the model's line, and shows the line of the extension with the comment that says which class to write.
  private func writeExtension(
    _ conformance: String, to code: inout SourceLines, _ body: (inout SourceLines) -> Void
  ) {
    let head = "nonisolated extension \(className)\(conformance)"
    guard entity.codegen == .extension else { return code.block(head, body) }
    let key = entity.className == entity.name ? "codegen" : "class"
    let position = locations.compilerLocation(["entities", entity.name, key])
    code.located(at: position) { code in
      let missing = "nonisolated \(access)final class \(className): ManagedObject {}"
      code.line("\(head) {  // Write the class: \(missing)")
    }
    code.indented(body)
    code.line("}")
  }

  private func writeMembers(to code: inout SourceLines) {
    for (index, property) in properties.enumerated() {
      if index > 0 { code.line() }
      property.writeProperty(access: access, at: classPosition(of: property), to: &code)
    }
    let required = requiredProperties
    guard !required.isEmpty else { return }
    code.line()
    writeInitializer(with: required, to: &code)
  }

  private func writeInitializer(with required: [AttributeCode], to code: inout SourceLines) {
    // No attribute has the name `context`, because it is reserved.
    let parameters =
      ["context: ManagedObjectContext"] + required.map { "\($0.name): \($0.valueType)" }
    code.line("/// Inserts a new object with the values that it cannot be saved without.")
    let line = "\(access)convenience init(\(parameters.joined(separator: ", ")))"
    // With several classes there is no single line; the properties have the lines of their classes.
    let positions = required.compactMap(classPosition)
    if positions.count == 1 {
      code.located(at: positions.first) { $0.line("\(line) {") }
      code.indented { writeAssignments(of: required, to: &$0) }
      code.line("}")
    } else if line.count + code.indentation + 2 <= SourceLines.width {
      code.block(line) { writeAssignments(of: required, to: &$0) }
    } else {
      code.line("\(access)convenience init(")
      for (index, parameter) in parameters.enumerated() {
        code.line("  \(parameter)\(index == parameters.count - 1 ? "" : ",")")
      }
      code.block(")") { writeAssignments(of: required, to: &$0) }
    }
  }

  /// Where the model names the class of a transformable.
  private func classPosition(of property: AttributeCode) -> ModelProblem.Position? {
    guard property.attribute.customClass != nil else { return nil }
    return locations.compilerLocation(
      ["entities", entity.name, "attributes", property.attribute.name, "class"])
  }

  private func writeAssignments(of required: [AttributeCode], to code: inout SourceLines) {
    code.line("self.init(context: context)")
    for property in required { code.line(property.assignment) }
  }

  // MARK: Queries

  private func writeQueries(to code: inout SourceLines) {
    writeExtension(": QueryableObject", to: &code) { code in
      code.line("/// The name of the entity.")
      code.line("\(access)static var entityName: String { \(SwiftText.literal(entity.name)) }")
      code.line()
      code.line("/// The attributes that queries can name.")
      code.block("\(access)struct Properties: Sendable") { code in
        for property in properties where !property.attribute.isTransient {
          let declaration = "\(access)var \(property.name): \(property.queryType)"
          code.line("\(declaration) { .init(\(property.literal)) }")
        }
      }
      code.line()
      code.line("/// The attributes, for typed queries.")
      code.line("\(access)static var properties: Properties { .init() }")
      code.line()
      code.line("/// The names of the attributes, for access by name.")
      code.block("\(access)enum PropertyNames") { code in
        for property in properties {
          code.line("\(access)static let \(property.name) = \(property.literal)")
        }
      }
    }
  }

  // MARK: Identity

  private func writeIdentity(to code: inout SourceLines) {
    writeExtension(": Identifiable", to: &code) { code in
      guard entity.attribute("id") == nil else { return }
      code.line("/// Equal for the object's life in its context, before and after its first save.")
      code.line("\(access)var id: ManagedObjectID { _copalStableID }")
    }
  }
}
