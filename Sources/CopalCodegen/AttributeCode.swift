import CopalEssentials
import CopalModel

/// The code of one attribute: its property, and its member for queries.
struct AttributeCode {
  let attribute: AttributeDescription
  let slot: Int
  /// The class that has the attribute, as an identifier.
  private let className: String

  init(_ attribute: AttributeDescription, slot: Int, of className: String = "") {
    self.attribute = attribute
    self.slot = slot
    self.className = className
  }

  /// - Returns: nil for a slot that holds no attribute.
  init?(_ description: SlotDescription, slot: Int, of className: String) {
    guard case .attribute(let attribute) = description else { return nil }
    self.init(attribute, slot: slot, of: className)
  }

  /// The name as a Swift identifier, quoted if necessary.
  var name: String { SwiftText.identifier(attribute.name) }

  /// The name as a Swift string literal.
  var literal: String { SwiftText.literal(attribute.name) }

  /// The name of the primitive value for a custom accessor.
  var primitiveName: String { "primitive" + SwiftText.capitalized(attribute.name) }

  /// The name of the generated property as a Swift identifier, quoted if necessary.
  var propertyName: String {
    attribute.accessor == .custom ? SwiftText.identifier(primitiveName) : name
  }

  /// The Swift type without the Optional.
  var valueType: String {
    if attribute.cases != nil { return "\(className).\(attribute.enumTypeName)" }
    return attribute.type.swiftType ?? attribute.customClass ?? "Any"
  }

  /// The type of the attribute's member for typed queries.
  var queryType: String {
    if attribute.type == .transformable {
      return attribute.projections.isEmpty
        ? "QueryTransformable" : "QueryProjections<\(className).\(projectionsName)>"
    }
    return "\(isOptional ? "" : "Required")QueryAttribute<\(valueType)>"
  }

  /// The name of the type by which the projections of the attribute are found in typed queries.
  var projectionsName: String { "_CopalProjectionsOf" + SwiftText.capitalized(attribute.name) }

  /// Whether the attribute is stored and has no value that a save accepts, until it is set.
  var isRequired: Bool {
    !attribute.isOptional && !attribute.isTransient && attribute.defaultValue == nil
  }

  private var isOptional: Bool {
    attribute.isOptional || attribute.type.isAlwaysOptionalInSwift && placeholder == nil
  }

  /// What the property shows where it has no value, or none that can be read, as an expression.
  private var placeholder: String? {
    attribute.placeholder.map { text in
      if attribute.type == .uri { return Self.expression(ofURL: text) }
      // With the class, the compiler says of a member that does not exist what it lacks.
      return "\(valueType).\(SwiftText.identifier(String(text.dropFirst())))"
    }
  }

  private static func expression(ofURL text: String) -> String {
    "_copalURL(\(SwiftText.literal(text)))"
  }

  /// The type of the generated property.
  var propertyType: String { isOptional ? "\(valueType)?" : valueType }

  private var getter: String {
    placeholder.map { "\(storedValue) ?? \($0)" } ?? storedValue
  }

  /// The expression that reads the value.
  private var storedValue: String {
    if attribute.type == .transformable { return "_copalReadTransformable(\(slot))" }
    let optional = isOptional || placeholder != nil ? "Optional" : ""
    // A row has null for a transient, so the direct accessor cannot be used.
    if attribute.isTransient { return "_copalRead\(optional)Transient(\(slot))" }
    guard attribute.type == .decimal, let scale = attribute.scale else {
      return "_copalRead\(optional)(\(slot))"
    }
    return "_copalRead\(optional)Scaled(\(slot), \(scale))"
  }

  private var setter: String {
    if attribute.type == .transformable { return "_copalWriteTransformable(\(slot), newValue)" }
    return "_copalWrite(\(slot), newValue)"
  }

  private var primitiveSetter: String {
    attribute.type == .transformable
      ? "_copalWriteTransformable(\(slot), newValue, isPrimitive: true)"
      : "_copalWritePrimitive(\(slot), newValue)"
  }

  /// The parameter of an initializer that sets the attribute.
  ///
  /// - Parameter position: where the model names the class; nil when it names none.
  func parameter(at position: ModelProblem.Position?) -> InitializerCode.Parameter {
    if isRequired { return .init(required: name, valueType, assignment, at: position) }
    guard let expression = defaultExpression else {
      return .init(optional: name, valueType, assignment, at: position)
    }
    return .init(name, propertyType, equalTo: expression, assignment, at: position)
  }

  /// The default value of the model as an expression. Nil where there is none, and for a value that
  /// is new for each object. No expression names a type: a property may have its name.
  private var defaultExpression: String? {
    guard case .value(let value)? = attribute.defaultValue else { return nil }
    if let each = attribute.cases?.first(where: { $0.rawValue == value }) {
      return "." + SwiftText.identifier(each.name)
    }
    switch value {
    case .integer(let number): return "\(number)"
    case .double(let number): return attribute.type == .float ? "\(Float(number))" : "\(number)"
    case .decimal(let number): return Self.expression(of: number)
    case .boolean(let isTrue): return "\(isTrue)"
    case .date(let date):
      return ".init(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
    case .string(let text): return SwiftText.literal(text)
    case .binary(let data): return "_copalData(\"\(data.base64EncodedString())\")"
    case .uuid(let id): return "_copalUUID(\"\(id)\")"
    case .uri(let url): return Self.expression(ofURL: url.absoluteString)
    case .null, .object: return nil
    }
  }

  /// A decimal by its parts, because a literal with a point is a double.
  private static func expression(of number: Decimal) -> String {
    let parts = DecimalParts(number).shortest
    // The literals of decimals are those of `Int`.
    guard let digits = Int(exactly: parts.mantissa) else {
      return "_copalDecimal(\"\(number)\")"
    }
    let sign = parts.isNegative ? "minus" : "plus"
    return parts.exponent == 0
      ? (parts.isNegative ? "-" : "") + "\(digits)"
      : ".init(sign: .\(sign), exponent: \(parts.exponent), significand: \(digits))"
  }

  /// Sets the attribute in an initializer whose parameter has its name.
  private var assignment: String {
    // A custom property may have any type, or no setter.
    if attribute.accessor == .custom {
      let kind = attribute.type == .transformable ? "Transformable" : ""
      return "_copalWrite\(kind)(\(slot), \(name))"
    }
    return "self.\(name) = \(name)"
  }

  /// Writes the property, or the primitive value when the property is custom.
  ///
  /// - Parameters:
  ///   - isFinal: whether a subclass could override it otherwise.
  ///   - observedIn: the class, if it can be observed.
  ///   - position: where the model names the class; nil when it names none.
  func writeProperty(
    access: String, isFinal: Bool, observedIn observedClass: String?,
    at position: ModelProblem.Position?, to code: inout SourceLines
  ) {
    let isCustom = attribute.accessor == .custom
    let documentation =
      isCustom
      ? "The value of `\(attribute.name)` for its accessor. Setting it is not yet a change."
      : attribute.documentation
    // Nothing can stand between a declaration and its comment or attribute, so the location is
    // before them.
    let linesBefore = documentation.map { SwiftText.lines($0).count } ?? 0
    let start = position.flatMap { $0.moved(up: linesBefore + (access.isEmpty ? 0 : 1)) }
    code.located(at: start) { code in
      if let documentation { code.comment(documentation) }
      // Inlinable, so that reading properties in another module needs no call.
      if !access.isEmpty { code.line("@inlinable") }
      let modifiers = SwiftText.setter(attribute.setAccess) + (isFinal ? "final " : "")
      let head = "\(access)\(modifiers)var \(propertyName): \(propertyType)"
      let get = SwiftText.getter(getter, of: propertyName, observedIn: observedClass)
      let set = "set { \(isCustom ? primitiveSetter : setter) }"
      // One line of code for the line of the model.
      if start != nil { return code.line("\(head) { \(get) \(set) }") }
      code.block(head) { code in
        code.line(get)
        code.line(set)
      }
    }
  }
}

extension ModelProblem.Position {
  /// The position some lines above; nil where the file has no such line.
  fileprivate func moved(up lines: Int) -> Self? {
    line > lines ? Self(file: file, line: line - lines, column: column) : nil
  }
}
