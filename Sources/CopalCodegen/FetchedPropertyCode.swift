import CopalModel

/// The code of one fetched property: a property with its objects, and one with its request.
struct FetchedPropertyCode {
  private let property: FetchedPropertyDescription
  /// The class of the objects.
  private let destination: String

  init(_ property: FetchedPropertyDescription, in model: ManagedObjectModel) {
    self.property = property
    destination =
      model.entity(property.destination).map { RelationshipCode.className(of: $0, in: model) }
      ?? "ManagedObject"
  }

  /// The name of the property with the request.
  static func requestName(of property: FetchedPropertyDescription) -> String {
    property.name + "Request"
  }

  /// Writes both properties.
  ///
  /// - Parameter isFinal: whether a subclass could override them otherwise.
  func write(access: String, isFinal: Bool, to code: inout SourceLines) {
    let head = "\(access)\(isFinal ? "final " : "")var"
    let literal = SwiftText.literal(property.name)
    code.comment(
      property.documentation
        ?? "The objects of `\(property.destination)` that a fetch finds. Each call is a fetch.")
    code.writeCondition(property.condition)
    code.block("\(head) \(SwiftText.identifier(property.name)): [\(destination)]") {
      $0.line("get throws { try _copalFetchedObjects(\(literal)) }")
    }
    code.line()
    code.line("/// The request of `\(property.name)`, for a count or for pages.")
    let name = SwiftText.identifier(Self.requestName(of: property))
    code.block("\(head) \(name): FetchRequest<\(destination)>") {
      $0.line("get throws { try _copalFetchRequest(of: \(literal)) }")
    }
  }
}
