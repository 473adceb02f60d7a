import CopalModel

/// The code of one attribute: its property, and its member for queries.
struct AttributeCode {
  let attribute: AttributeDescription
  let slot: Int

  init(_ attribute: AttributeDescription, slot: Int) {
    self.attribute = attribute
    self.slot = slot
  }

  /// The name as a Swift identifier, quoted if necessary.
  var name: String { SwiftText.identifier(attribute.name) }

  /// The name as a Swift string literal.
  var literal: String { SwiftText.literal(attribute.name) }

  /// The name of the primitive value for a custom accessor.
  var primitiveName: String { "primitive" + SwiftText.capitalized(attribute.name) }

  /// The Swift type without the Optional.
  var valueType: String { attribute.type.swiftType ?? attribute.customClass ?? "Any" }

  /// The type of the attribute's member for typed queries.
  var queryType: String {
    attribute.type == .transformable ? "QueryTransformable" : "QueryAttribute<\(valueType)>"
  }

  private var isOptional: Bool {
    attribute.isOptional || attribute.type.isAlwaysOptionalInSwift
  }

  private var propertyType: String { isOptional ? "\(valueType)?" : valueType }

  private var getter: String {
    if attribute.type == .transformable { return "_copalReadTransformable(\(slot))" }
    let optional = isOptional ? "Optional" : ""
    // A row has no slot for a transient, so the direct accessor cannot be used.
    if attribute.isTransient { return "_copalRead\(optional)Carefully(\(slot))" }
    guard attribute.type == .decimal, let scale = attribute.scale else {
      return "_copalRead\(optional)(\(slot))"
    }
    return "_copalRead\(optional)Scaled(\(slot), \(scale))"
  }

  private var setter: String {
    if attribute.type == .transformable { return "_copalWriteTransformable(\(slot), newValue)" }
    return "_copalWrite\(isOptional ? "Optional" : "")(\(slot), newValue)"
  }

  private var primitiveSetter: String {
    let kind = attribute.type == .transformable ? "Transformable" : ""
    return "_copalWritePrimitive\(kind)(\(slot), newValue)"
  }

  /// Sets the attribute in an initializer whose parameter has its name.
  var assignment: String {
    // A custom property may have any type, or no setter.
    if attribute.accessor == .custom {
      let kind = attribute.type == .transformable ? "Transformable" : ""
      return "_copalWrite\(kind)(\(slot), \(name))"
    }
    return "self.\(name) = \(name)"
  }

  /// Writes the property, or the primitive value when the property is custom.
  func writeProperty(access: String, to code: inout SourceLines) {
    let isCustom = attribute.accessor == .custom
    if isCustom {
      code.comment(
        "The value of `\(attribute.name)` for its accessor. Setting it is not yet a change.")
    } else if let documentation = attribute.documentation {
      code.comment(documentation)
    }
    // Inlinable, so that reading properties in another module needs no call.
    if !access.isEmpty { code.line("@inlinable") }
    let name = isCustom ? SwiftText.identifier(primitiveName) : name
    code.block("\(access)var \(name): \(propertyType)") { code in
      code.line("get { \(getter) }")
      code.line("set { \(isCustom ? primitiveSetter : setter) }")
    }
  }
}
