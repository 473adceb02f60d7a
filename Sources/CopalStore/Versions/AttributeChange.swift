package import CopalModel

/// What changes for the stored values of one attribute between two models.
package final class AttributeChange: Sendable {
  package let old: AttributeDescription
  package let new: AttributeDescription
  /// What becomes of values that are not nil.
  package let step: ValueStep

  package init(from old: AttributeDescription, to new: AttributeDescription) {
    self.old = old
    self.new = new
    step = ValueStep(from: old, to: new)
  }

  /// The value for objects that have none, where they need one: the attribute is required now, and
  /// has a `fill` or a default.
  package var fill: AttributeDescription.Default? {
    isRequiredNow ? new.valueOfOldObjects : nil
  }

  /// Whether a nil refuses the migration.
  package var refusesNil: Bool { isRequiredNow && new.valueOfOldObjects == nil }

  private var isRequiredNow: Bool { !new.isOptional && old.isOptional }

  /// Whether large values are in their rows from now on.
  package var leavesFiles: Bool { old.externalThreshold != nil && new.externalThreshold == nil }

  /// Whether values have no version of their transformer any more.
  package var losesVersions: Bool { old.isVersioned && !new.isVersioned }

  /// The raw values that become others. Those that the store's model has already had were changed
  /// then.
  package var renamedCases: [AttributeDescription.RenamedCase] {
    new.renamedCases.filter { !old.renamedCases.contains($0) }
  }

  /// Whether a value that the new type does not have becomes nil, or the value of old objects.
  package var replacesValues: Bool { new.conversion == .toNil || new.conversion == .fill }

  /// Whether doubles become the nearest floats.
  private var roundsToFloat: Bool { new.type == .float && new.conversion == .nearest }

  /// Whether each value is read and written.
  package var convertsValues: Bool {
    step.writesRows || leavesFiles || (step.checksRows && (replacesValues || roundsToFloat))
  }

  /// Whether rows are written.
  package var writesRows: Bool { convertsValues || fill != nil || !renamedCases.isEmpty }
}

extension AttributeDescription {
  /// The value that objects of an older store get where they have none.
  package var valueOfOldObjects: Default? { fill ?? defaultValue }
}
