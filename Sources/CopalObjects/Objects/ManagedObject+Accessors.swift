public import CopalEssentials
public import CopalModel
public import CopalStore

// Called by generated properties. The underscore avoids clashes with names of attributes. The slot
// must belong to the class; the container has checked the layout hash. Functions that read, without
// "Transient" or "Transformable" in their names, need a stored slot, because a row has no
// transients.
//
// There is one function for each way a row has a value: required, optional, in a scaled integer, in
// no row, or decoded by a transformer. One function with parameters for these would ask at each
// read what the generator knows.

extension ManagedObject {
  /// The value of a required attribute; zero, false, empty or the reference date when there is
  /// none.
  @inlinable
  public final func _copalRead<V: AttributeValue>(_ slot: Int) -> V {
    if _fastPath(flags.areFast), let value = V.load(base.unsafelyUnwrapped, slot) { return value }
    return readSlowly(slot)
  }

  /// The value of an optional attribute; nil when there is none or it cannot be read.
  // Inlined into the generated property, as the compiler does with `_copalRead` on its own.
  @inlinable @inline(__always)
  public final func _copalReadOptional<V: AttributeValue>(_ slot: Int) -> V? {
    if _fastPath(flags.areFast) {
      if PackedRowValues.isNull(base.unsafelyUnwrapped, slot) { return nil }
      if let value = V.load(base.unsafelyUnwrapped, slot) { return value }
    }
    return V(value: carefulValue(slot))
  }

  /// The value of a required transient attribute; zero, false, empty or the reference date when
  /// there is none. A row has null for it, so ``_copalRead(_:)`` cannot be used.
  @inlinable
  public final func _copalReadTransient<V: AttributeValue>(_ slot: Int) -> V {
    readSlowly(slot)
  }

  /// The value of an optional transient attribute; nil when there is none.
  @inlinable @inline(never)
  public final func _copalReadOptionalTransient<V: AttributeValue>(_ slot: Int) -> V? {
    V(value: carefulValue(slot))
  }

  // Apart, so that a read of a value that is there stays short.
  @inlinable @inline(never)
  final func readSlowly<V: AttributeValue>(_ slot: Int) -> V {
    V(value: carefulValue(slot)) ?? V.zero
  }

  /// The value of a required decimal that is stored as a scaled integer.
  @inlinable
  public final func _copalReadScaled(_ slot: Int, _ scale: Int) -> Decimal {
    if _fastPath(flags.areFast) {
      return DecimalText.decimal(
        scaled: PackedRowValues.integer(base.unsafelyUnwrapped, slot), by: scale)
    }
    return readSlowly(slot)
  }

  /// The value of an optional decimal that is stored as a scaled integer.
  @inlinable
  public final func _copalReadOptionalScaled(_ slot: Int, _ scale: Int) -> Decimal? {
    if _fastPath(flags.areFast) {
      if PackedRowValues.isNull(base.unsafelyUnwrapped, slot) { return nil }
      return DecimalText.decimal(
        scaled: PackedRowValues.integer(base.unsafelyUnwrapped, slot), by: scale)
    }
    return Decimal(value: carefulValue(slot))
  }

  /// Sets an attribute; nil removes its value.
  @inlinable
  public final func _copalWrite<V: AttributeValue>(_ slot: Int, _ value: V?) {
    write(slot, value.map { $0.value } ?? .null)
  }

  /// Sets an attribute without marking the object as changed.
  @inlinable
  public final func _copalWritePrimitive<V: AttributeValue>(_ slot: Int, _ value: V?) {
    writePrimitive(slot, value.map { $0.value } ?? .null)
  }

  /// The value of a transformable attribute; nil when there is none or it cannot be decoded.
  @inlinable
  public final func _copalReadTransformable<T>(_ slot: Int, as type: T.Type = T.self) -> T? {
    guard let decoded = decodedValue(slot) else { return nil }
    if let typed = decoded as? _CopalTypedValue<T> { return typed.value }
    // A value that was set by name in an attribute without a transformer.
    return decoded.any as? T
  }

  /// Sets a transformable attribute; nil removes its value.
  ///
  /// - Parameter isPrimitive: whether the object is not marked as changed.
  @inlinable
  public final func _copalWriteTransformable<T>(
    _ slot: Int, _ value: T?, isPrimitive: Bool = false
  ) {
    writeDecoded(slot, value.map { _CopalTypedValue($0) }, isPrimitive: isPrimitive)
  }
}
