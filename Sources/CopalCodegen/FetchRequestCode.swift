import CopalModel

/// The code of one template: a function that makes its request.
struct FetchRequestCode {
  private let template: FetchRequestTemplate
  private let entityName: String
  private let parameters: [Parameter]

  /// A variable as a parameter.
  private struct Parameter {
    let name: String
    let literal: String
    let type: String
    /// The value as an argument of a condition.
    let argument: String
  }

  /// - Parameter entity: the position of the entity whose class has the function: that of the
  ///   template, or a subentity.
  init(_ template: FetchRequestTemplate, ofEntity entity: Int, in model: ManagedObjectModel) {
    self.template = template
    entityName = model.entities[entity].name
    parameters = model.variables(of: template, ofEntity: entity).map {
      Self.parameter($0, in: model)
    }
  }

  private static func parameter(_ variable: TemplateVariable, in model: ManagedObjectModel)
    -> Parameter
  {
    let name = SwiftText.identifier(variable.name)
    var type: String
    var member: String?
    switch variable.type {
    case .value(let attributeType): type = attributeType.swiftType ?? "String"
    case .object(let entity):
      type = RelationshipCode.className(of: model.entities[entity], in: model)
      member = "objectID"
    case .cases(let attribute, let entity):
      if let owner = enumOwner(of: attribute, entity: entity, in: model) {
        type = "\(owner).\(attribute.enumTypeName)"
        member = "rawValue"
      } else {
        type = attribute.type.swiftType ?? "String"
      }
    }
    var argument = name
    if variable.isList {
      type = "[\(type)]"
      if let member { argument = "\(name).map { $0.\(member) }" }
    } else {
      if let member { argument = name + (variable.isOptional ? "?." : ".") + member }
      if variable.isOptional { type += "?" }
    }
    return Parameter(
      name: name, literal: SwiftText.literal(variable.name), type: type, argument: argument)
  }

  /// The class that contains the enum of an attribute; nil when there is no generated one.
  private static func enumOwner(
    of attribute: AttributeDescription, entity: Int, in model: ManagedObjectModel
  ) -> String? {
    let line = model.ancestors(ofEntity: entity) + [entity]
    guard
      let declaring = line.firstIndex(where: { model.entities[$0].attributes.contains(attribute) })
    else { return nil }
    return line[declaring...].map { model.entities[$0] }.first { $0.codegen != .none }
      .map { SwiftText.identifier($0.className) }
  }

  func write(access: String, to code: inout SourceLines) {
    code.comment(
      template.documentation ?? "A request of the model for objects of `\(entityName)`.")
    code.writeCondition(template.condition)
    let name = SwiftText.identifier(template.name)
    let list = parameters.map { "\($0.name): \($0.type)" }
    let head = "\(access)static func \(name)(\(list.joined(separator: ", "))) -> FetchRequest<Self>"
    if head.count + code.indentation + 2 <= SourceLines.width {
      code.block(head) { writeBody(to: &$0) }
    } else {
      code.line("\(access)static func \(name)(")
      for (index, parameter) in list.enumerated() {
        code.line("  \(parameter)\(index == list.count - 1 ? "" : ",")")
      }
      code.block(") -> FetchRequest<Self>") { writeBody(to: &$0) }
    }
  }

  private func writeBody(to code: inout SourceLines) {
    var arguments = [template.condition.map(SwiftText.literal) ?? "nil"]
    if !parameters.isEmpty {
      let values = parameters.map { "\($0.literal): \($0.argument)" }
      arguments.append("variables: [\(values.joined(separator: ", "))]")
    }
    if !template.sortKeys.isEmpty {
      let keys = template.sortKeys.map(Self.text)
      arguments.append("sortedBy: [\(keys.joined(separator: ", "))]")
    }
    if let limit = template.limit { arguments.append("limit: \(limit)") }
    code.line("_copalFetchRequest(")
    for (index, argument) in arguments.enumerated() {
      code.line("  \(argument)\(index == arguments.count - 1 ? ")" : ",")")
    }
  }

  private static func text(_ key: FetchSortKey) -> String {
    let order = key.textOrder == .bytes ? "" : ".\(key.textOrder.rawValue)"
    let nils = key.nilOrder.map { ".\($0.rawValue)" } ?? ""
    let direction = key.isAscending ? "ascending" : "descending"
    return "FetchSortKey.\(direction)(\(SwiftText.literal(key.property)))\(order)\(nils)"
  }
}

extension SourceLines {
  /// Adds a condition to a comment.
  mutating func writeCondition(_ condition: String?) {
    guard let condition else { return }
    line("///")
    for part in SwiftText.lines(condition) { comment("    " + part) }
  }
}
