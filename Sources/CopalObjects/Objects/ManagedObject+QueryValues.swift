import CopalModel
import CopalStore

extension ManagedObject {
  /// The value of a slot for a query. For a transformable, only whether there is a value. NaN is
  /// null, as in the store.
  final func queryValue(_ slot: Int) -> PropertyValue {
    let attribute = runtime.layout.attributes[slot]
    if attribute.type == .transformable { return hasTransformable(slot) ? .boolean(true) : .null }
    if let projection = runtime.layout.projection(ofSlot: slot) { return value(of: projection) }
    if attribute.externalThreshold != nil { return hasBinary(slot) ? .boolean(true) : .null }
    return carefulValue(slot).orNullIfNaN
  }

  /// The value of a projection of the object's value, also of one that is not saved: it is then
  /// that of what a save would store.
  private final func value(of projection: EntityLayout.Projection) -> PropertyValue {
    guard var value = decodedValue(projection.source) else { return .null }
    if cells?.isSet.contains(projection.source) == true,
      let transformer = runtime.transformers[projection.source],
      let stored = try? transformer.stored(value, isVersioned: projection.versionSlot != nil)
    {
      value = stored
    }
    return runtime.projections[projection.slot]?.value(value).orNullIfNaN ?? .null
  }

  /// Whether a binary attribute has a value, which is not read.
  private final func hasBinary(_ slot: Int) -> Bool {
    if let value = cells?.value(slot) { return !value.isNull }
    do { try fulfillIfFault() } catch { record(error, slot) }
    return rowHasValue(slot)
  }

  /// Whether a transformable has a stored value, even one that cannot be decoded.
  private final func hasTransformable(_ slot: Int) -> Bool {
    if let cells, cells.isSet.contains(slot) {
      return cells.decoded(runtime.ordinalBySlot[slot])?.any != nil
    }
    return runtime.layout.storedSlots.contains(slot) && rowHasValue(slot)
  }
}
