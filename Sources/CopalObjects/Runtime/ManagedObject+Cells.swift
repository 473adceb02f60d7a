import CopalStore

/// The values of an object that its row does not have.
extension ManagedObject {
  /// The object's pending values, if it has any.
  final var cells: ValueCells? {
    get { cellsReference?.takeUnretainedValue() }
    set {
      let former = cellsReference
      cellsReference = newValue.map(Unmanaged.passRetained)
      former?.release()
    }
  }

  /// The object's pending values with room for cells; made on first use.
  final func cellsWithRoom() -> ValueCells { writableCells().takeUnretainedValue() }

  final func writableCells() -> Unmanaged<ValueCells> {
    if let cellsReference, cellsReference._withUnsafeGuaranteedRef({ $0.hasRoom }) {
      return cellsReference
    }
    return growCells()
  }

  @inline(never)
  private final func growCells() -> Unmanaged<ValueCells> {
    let slots = runtime.layout.attributes.count
    let former = cellsReference
    let made = Unmanaged.passRetained(
      ValueCells.make(slots: slots, room: slots, former: former?.takeUnretainedValue()))
    cellsReference = made
    former?.release()
    return made
  }

  /// The object's pending values for use of the side table; made without room for cells.
  final func cellsWithSideTable() -> ValueCells {
    if let cells { return cells }
    let made = ValueCells.make(slots: runtime.layout.attributes.count, room: 0)
    cells = made
    return made
  }
}
