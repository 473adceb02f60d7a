import CopalModel

extension StoreQuery {
  /// The query of an update, with absolute positions in place of those that are relative to the end
  /// of a list. All objects of the update get the same position, so they are in the order of their
  /// keys.
  ///
  /// - Parameter greatestPosition: the greatest position that the store has in a list; nil for an
  ///   empty list.
  package func withPositions(
    of assignments: [BatchChange.Assignment], _ layout: EntityLayout,
    greatestPosition: (OrderedList) throws -> Int64?
  ) rethrows -> StoreQuery {
    var result = self
    func number(_ slot: Int) -> Int? {
      assignments.lazy.compactMap { assignment in
        if assignment.slot == slot, case .parameter(let number) = assignment.value {
          number
        } else {
          nil
        }
      }.first
    }
    for reference in layout.references {
      guard let slot = reference.positionSlot, let place = number(slot),
        case .integer(let position) = parameters[place], ListPosition.isRelative(position),
        let owner = number(reference.slot), case .integer(let key) = parameters[owner]
      else { continue }
      let list = OrderedList(
        storage: .inverseSlot(reference.slot, position: slot), entity: reference.declaringEntity,
        owner: key)
      result.parameters[place] = .integer(
        (try greatestPosition(list) ?? 0) + position - ListPosition.end)
    }
    return result
  }
}
