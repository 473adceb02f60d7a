import CopalModel
public import CopalStore

/// Validating without a save: for the fields of a form.
extension ManagedObject {
  /// Throws what a save would say about one value of this object: for a field of a form, while
  /// somebody types. The object does not change, and no hook is called.
  ///
  /// ```swift
  /// do { try painter.validateValue(text, forKey: "name") } catch { show(error, beside: "name") }
  /// ```
  ///
  /// - Parameters:
  ///   - value: an attribute takes what ``setValue(_:forKey:)`` takes, a to-one relationship an
  ///     object; nil for none.
  ///   - name: the name of an attribute or of a to-one relationship.
  /// - Throws: `request.unknownProperty`; `object.wrongValueType` or `object.outOfRange` for a
  ///   value that the property cannot have; the code of the rule that the value breaks, such as
  ///   `save.required` or `save.tooLong`; `transformer.encodeFailed` for a transformable.
  public final func validateValue(_ value: Any?, forKey name: String) throws {
    if let relationship = runtime.relationship(named: name) {
      return try validateTarget(value, relationship)
    }
    let slot = try slot(name)
    if runtime.layout.attributes[slot].type == .transformable {
      return try validateTransformable(value, slot)
    }
    try validateRule(of: slot, try convert(value, slot))
  }

  /// Everything that a save would refuse about this object now: its validation hook, the rules of
  /// the model, transformables that cannot be encoded, the numbers of related objects, delete
  /// rules, and unique values that another unsaved object has, too. Empty for an object without
  /// changes.
  ///
  /// What only the store knows is not among it: values that a stored object has, and what others
  /// have saved. The hook may change objects, as in a save; `willSave()` is not called. An object
  /// with limited relationships may read the number of its related objects.
  public final func validationErrors() -> [PersistenceError] {
    guard hasChanges, let state = core.state() else { return [] }
    _ = noteMutations()
    var validation = ObjectValidation()
    validation.callHook(of: self)
    validation.checkRules(of: self)
    validation.failures += encodingErrors()
    if flags.contains(.deleted) {
      validation.failures += DenyCheck(state, core).failures(of: self)
    } else {
      validation.failures += CountCheck(state, core).failures(of: self)
      validation.failures += uniqueErrors(state)
    }
    return validation.failures
  }

  // MARK: One value

  final func validate(_ value: PropertyValue?, name: String) throws {
    try validateRule(of: try slot(name), value ?? .null)
  }

  private final func validateRule(of slot: Int, _ value: PropertyValue) throws {
    guard let rule = runtime.rules.first(where: { $0.slot == slot }), !rule.accepts(value),
      let failure = rule.failure(value)
    else { return }
    throw error(
      failure.code, slot, found: failure.found, expected: failure.expected,
      suggestion: failure.suggestion)
  }

  private final func validateTransformable(_ value: Any?, _ slot: Int) throws {
    guard let value else { return try validateRule(of: slot, .null) }
    guard let transformer = runtime.transformers[slot] else { return }
    if let problem = transformer.rejects(value) {
      throw error(.wrongValueType, slot, found: problem, expected: typeName(slot))
    }
    guard let decoded = transformer.decodedValue(of: value) else { return }
    _ = try encoded(decoded, slot)
  }

  private final func validateTarget(_ value: Any?, _ relationship: RelationshipRuntime) throws {
    guard let slot = relationship.slot else {
      throw wrongType(
        "a to-many relationship", "an attribute or a to-one relationship", relationship)
    }
    guard let value else { return try validateRule(of: slot, .null) }
    guard let object = value as? ManagedObject, object.isObject(of: relationship.destination) else {
      throw wrongType(
        "\(Swift.type(of: value))", relationship.description.destination, relationship)
    }
  }

  // MARK: All values

  private final func encodingErrors() -> [PersistenceError] {
    if runtime.isPlain || flags.contains(.deleted) { return [] }
    return runtime.transformableSlots.compactMap { slot in
      guard let entry = cells?.decoded(runtime.ordinalBySlot[slot]), let value = entry.value else {
        return nil
      }
      do {
        _ = try encoded(value, slot)
        return nil
      } catch {
        return error as? PersistenceError
      }
    }
  }

  private final func encoded(_ value: any _CopalDecodedValue, _ slot: Int) throws -> PropertyValue {
    do {
      return try runtime.transformers[slot]?.encodedForm(value) ?? .null
    } catch let failure {
      throw error(
        .encodeFailed, slot, found: runtime.transformers[slot]?.name.rawValue, causes: [failure])
    }
  }

  /// Unique values that another unsaved object of the context has.
  private final func uniqueErrors(_ state: ContextState) -> [PersistenceError] {
    runtime.layout.uniqueConstraints.compactMap { constraint in
      let values = uniqueValues(constraint)
      if values.contains(.null) { return nil }
      let other = state.changed.objects.first { other in
        other !== self && other.runtime.root == runtime.root
          && other.flags.isDisjoint(with: [.deleted, .gone, .fault])
          && other.isObject(of: constraint.declaringEntity)
          && other.uniqueValues(constraint) == values
      }
      return other.map {
        PersistenceError(
          .uniqueConflict, entity: entityName,
          property: constraint.slots.map { runtime.layout.attributes[$0].name }
            .joined(separator: ", "),
          objectID: objectID, otherID: $0.objectID, found: summaries(constraint.slots))
      }
    }
  }

  /// The values of a unique constraint, in the forms in which they are compared.
  private final func uniqueValues(_ constraint: EntityLayout.UniqueConstraint) -> [PropertyValue] {
    constraint.slots.map { slot in
      let value = valueNow(slot)
      guard let options = constraint.ignoring[slot], case .string(let text) = value else {
        return value
      }
      let folded = VersionedFolding.current.folded(text, options)
      return .string(String(decoding: folded, as: UTF8.self))
    }
  }

  private final func valueNow(_ slot: Int) -> PropertyValue {
    if let cells, cells.hasCell(slot), let value = cells.value(slot) { return value }
    return base.map { runtime.layout.value($0, slot) } ?? .null
  }
}
