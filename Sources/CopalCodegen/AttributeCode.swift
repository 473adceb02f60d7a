import CopalModel

/// The code of one attribute: its property, and what queries call it.
struct AttributeCode {
  let attribute: AttributeDescription
  let slot: Int

  init(_ attribute: AttributeDescription, slot: Int) {
    self.attribute = attribute
    self.slot = slot
  }

  /// The name as Swift takes it.
  var name: String { SwiftText.identifier(attribute.name) }

  /// The name as a string in Swift.
  var literal: String { SwiftText.literal(attribute.name) }

  /// The name of the primitive value that a custom accessor is written over.
  var primitiveName: String { "primitive" + SwiftText.capitalized(attribute.name) }

  /// The Swift type of a value that is there.
  var valueType: String { attribute.type.swiftType ?? attribute.customClass ?? "Any" }

  /// What a typed query has for the attribute.
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
    // A row has no place for a transient, so the way straight into it is not for one.
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
    // A property that a person writes may have any type, or no setter.
    if attribute.accessor == .custom {
      let kind = attribute.type == .transformable ? "Transformable" : ""
      return "_copalWrite\(kind)(\(slot), \(name))"
    }
    return "self.\(name) = \(name)"
  }

  /// Writes the property, or the primitive value where a person writes the property.
  func writeProperty(access: String, to code: inout SourceLines) {
    let isCustom = attribute.accessor == .custom
    if isCustom {
      code.comment(
        "The value of `\(attribute.name)` for its accessor. Setting it is not yet a change.")
    } else if let documentation = attribute.documentation {
      code.comment(documentation)
    }
    // Properties are read in loops; other modules should not pay a call for each.
    if !access.isEmpty { code.line("@inlinable") }
    let name = isCustom ? SwiftText.identifier(primitiveName) : name
    code.block("\(access)var \(name): \(propertyType)") { code in
      code.line("get { \(getter) }")
      code.line("set { \(isCustom ? primitiveSetter : setter) }")
    }
  }
}
