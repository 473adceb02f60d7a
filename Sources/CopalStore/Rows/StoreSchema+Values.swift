public import CopalModel

extension StoreSchema {
  /// The value at a slot of a row: also that of a projection.
  public func value(_ base: UnsafeRawPointer, _ slot: Int, of layout: EntityLayout)
    -> PropertyValue
  {
    guard let projection = layout.projection(ofSlot: slot) else { return layout.value(base, slot) }
    return value(of: projection, base, layout)
  }

  /// The value of a projection of a row; null where the program has no transformers.
  public func value(
    of projection: EntityLayout.Projection, _ base: UnsafeRawPointer, _ layout: EntityLayout
  ) -> PropertyValue {
    let stored = layout.value(base, projection.source)
    guard let projector, !stored.isNull else { return .null }
    let version = projection.versionSlot.flatMap { slot -> Int64? in
      PackedRowValues.isNull(base, slot) ? nil : PackedRowValues.integer(base, slot)
    }
    return projector.value(projection, of: stored, version: version).orNullIfNaN
  }
}
