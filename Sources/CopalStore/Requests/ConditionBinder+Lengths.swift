import CopalModel

/// `name.length` in a condition: predicates of Foundation ask a text for its length by a path.
extension ConditionBinder {
  /// The length of an attribute, if a path asks for it; nil for another expression.
  func length(_ expression: FetchExpression) -> FetchExpression? {
    guard case .property(let path) = expression, path.hasSuffix(".length") else { return nil }
    let name = String(path.dropLast(".length".count))
    guard let slot = layout.slotByName[name], layout.types[slot] == .string else { return nil }
    return .call(.length, [.property(name)])
  }

  /// Two sides of a comparison of which one at least is such a path; nil for others.
  func lengths(_ left: FetchExpression, _ right: FetchExpression) -> (
    FetchExpression, FetchExpression
  )? {
    let (a, b) = (length(left), length(right))
    return a == nil && b == nil ? nil : (a ?? left, b ?? right)
  }
}
