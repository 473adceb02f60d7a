import CopalEssentials
import CopalModel
import CopalStore

/// The rules of the model for values that are not set by an object: those of a batch and of a merge
/// policy. And the errors of values that break them.
struct BatchRules {
  private let runtime: EntityRuntime
  private let refusal: PersistenceError.Code
  private let rules: [ValueRule?]
  private let types: [AttributeType]

  /// - Parameter refusal: the code for a property that only objects can change.
  init(_ runtime: EntityRuntime, refusal: PersistenceError.Code = .batchNotAssignable) {
    (self.runtime, self.refusal) = (runtime, refusal)
    var rules = [ValueRule?](repeating: nil, count: runtime.layout.slotCount)
    for rule in runtime.rules { rules[rule.slot] = rule }
    self.rules = rules
    types = runtime.layout.attributes.map(\.type)
  }

  /// The slot of an attribute that a batch can write.
  func slot(_ name: String) throws -> Int {
    let layout = runtime.layout
    func notAssignable(_ found: String) -> PersistenceError {
      PersistenceError(refusal, entity: layout.name, property: name, found: found)
    }
    guard let slot = layout.slotByName[name] else {
      if runtime.relationship(named: name) != nil { throw notAssignable("a relationship") }
      let names = Set(layout.slotByName.keys).union(runtime.relationshipNames)
      throw PersistenceError(
        .unknownProperty, entity: layout.name, property: name,
        suggestion: NearestName.of(name, among: names.inOrder()))
    }
    if layout.slots[slot].isReference { throw notAssignable("a relationship") }
    if layout.attributes[slot].isTransient { throw notAssignable("transient") }
    if layout.attributes[slot].type == .transformable { throw notAssignable("transformable") }
    return slot
  }

  /// The error of a large value of an attribute whose large values are in files.
  func external(_ slot: Int) -> PersistenceError {
    error(.batchNotAssignable, slot, nil, found: "external")
  }

  /// A value in the form of its slot.
  ///
  /// - Parameter id: the object that gets the value; nil when it is not known.
  /// - Throws: the error of a value that breaks a rule.
  func checked(_ value: PropertyValue, _ slot: Int, _ id: ManagedObjectID?) throws -> PropertyValue
  {
    let value = try converted(value, slot, id)
    guard let rule = rules[slot], !rule.accepts(value), let failure = rule.failure(value) else {
      return value
    }
    throw error(
      failure.code, slot, id, found: failure.found, expected: failure.expected,
      suggestion: failure.suggestion)
  }

  func converted(_ value: PropertyValue, _ slot: Int, _ id: ManagedObjectID?) throws
    -> PropertyValue
  {
    let type = types[slot]
    switch (type, value) {
    case (_, .null), (.string, .string), (.double, .double), (.boolean, .boolean): return value
    case (.decimal, .integer(let number)): return .decimal(Decimal(number))
    case (.double, .integer(let number)), (.float, .integer(let number)):
      return .double(type == .float ? Double(Float(number)) : Double(number))
    case (.float, .double(let number)):
      let float = Double(Float(number))
      if float.isFinite || !number.isFinite { return .double(float) }
    default: if type.accepts(value) { return value }
    }
    let typeName = type.swiftType ?? type.rawValue
    let isNumber =
      switch (type, value) {
      case (.float, .double): true
      case (_, .integer): type.integerRange != nil
      default: false
      }
    let range = type.integerRange.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
    throw isNumber
      ? error(.outOfRange, slot, id, found: "the given number", expected: typeName + range)
      : error(.wrongValueType, slot, id, found: value.kind, expected: typeName)
  }

  private func error(
    _ code: PersistenceError.Code, _ slot: Int, _ id: ManagedObjectID?, found: String? = nil,
    expected: String? = nil, suggestion: String? = nil
  ) -> PersistenceError {
    PersistenceError(
      code, entity: runtime.layout.name, property: runtime.layout.attributes[slot].name,
      objectID: id, found: found, expected: expected, suggestion: suggestion)
  }
}
