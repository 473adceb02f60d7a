public import CopalEssentials
public import CopalModel

// How a value of the model is kept, in both directions. Rows, the placeholders of statements and
// comparisons all use these functions. The storage type of each attribute type is
// `AttributeDescription.storageType`; generated properties read their Swift type without these
// functions (`AttributeValue`).

/// Takes a value in the form in which stores keep it.
package protocol StoredFormReceiver {
  associatedtype Output
  func null() -> Output
  func integer(_ number: Int64) -> Output
  func real(_ number: Double) -> Output
  func text(_ text: String) -> Output
  /// A text as its bytes in UTF-8.
  func text(utf8 bytes: UnsafeRawBufferPointer) -> Output
  func blob(_ bytes: UnsafeRawBufferPointer) -> Output
}

extension EntityLayout {
  /// Passes the stored form of a value to a receiver. A transformable is given in its stored form.
  ///
  /// A decimal that the attribute's scale cannot hold is null; validation has refused it before a
  /// save. An object is null too: only conditions have objects, no attribute takes one.
  // Inlined with the methods of `PackedCell` and `SlotSet.insert`: with `ContextState.changed`,
  // this saves 4 % of the instructions of an insert.
  @inline(__always)
  package func passStoredForm<Receiver: StoredFormReceiver>(
    of value: PropertyValue, _ slot: Int, to receiver: Receiver
  ) -> Receiver.Output {
    Self.passStoredForm(
      of: value, scale: attributes[slot].scale, isFloat: isFloat[slot], to: receiver)
  }

  /// The same for a value of any attribute with a scale.
  @inline(__always)
  package static func passStoredForm<Receiver: StoredFormReceiver>(
    of value: PropertyValue, scale: @autoclosure () -> Int?, isFloat: @autoclosure () -> Bool,
    to receiver: Receiver
  ) -> Receiver.Output {
    switch value {
    case .null, .object: return receiver.null()
    case .integer(let number): return receiver.integer(number)
    case .boolean(let flag): return receiver.integer(flag ? 1 : 0)
    // A database can lose a negative zero, so no store has one: the value that is read back equals
    // the value that was set.
    case .double(let number):
      return receiver.real(isFloat() ? Double(Float(number)) + 0 : number + 0)
    case .date(let date): return receiver.real(date.storedSeconds)
    case .string(let text): return receiver.text(text)
    case .uri(let url): return receiver.text(url.absoluteString)
    case .binary(let data): return data.withUnsafeBytes { receiver.blob($0) }
    case .uuid(let uuid): return withUnsafeBytes(of: uuid.uuid) { receiver.blob($0) }
    case .decimal(let decimal):
      guard let scale = scale() else { return passText(of: decimal, to: receiver) }
      return DecimalText.scaled(decimal, by: scale).map { receiver.integer($0) } ?? receiver.null()
    }
  }

  private static func passText<Receiver: StoredFormReceiver>(
    of decimal: Decimal, to receiver: Receiver
  ) -> Receiver.Output {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DecimalText.maximumLength) { buffer in
      guard let start = buffer.baseAddress else { return receiver.null() }
      let count = DecimalText.write(decimal, to: start)
      return receiver.text(utf8: UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}

/// Reads stored values as values of the model: a REAL as a date, an INTEGER as a boolean, and so
/// on.
extension EntityLayout {
  /// The value at a stored slot of a row; `.null` also where the stored value has the wrong type or
  /// form.
  ///
  /// A transformable has its stored form.
  ///
  /// - Parameter base: the ``PackedRow/base`` of a row of this entity.
  public func value(_ base: UnsafeRawPointer, _ slot: Int) -> PropertyValue {
    if PackedRowValues.isNull(base, slot) { return .null }
    let attribute = attributes[slot]
    switch attribute.type {
    case .integer16, .integer32, .integer64, .integer:
      return .integer(PackedRowValues.integer(base, slot))
    case .boolean: return .boolean(PackedRowValues.integer(base, slot) != 0)
    case .float, .double: return .double(PackedRowValues.real(base, slot))
    case .date: return .date(Date(storedSeconds: PackedRowValues.real(base, slot)))
    case .decimal:
      if let scale = attribute.scale {
        return .decimal(DecimalText.decimal(scaled: PackedRowValues.integer(base, slot), by: scale))
      }
      return Decimal.load(base, slot).map(PropertyValue.decimal) ?? .null
    case .string: return .string(PackedRowValues.text(base, slot))
    case .binary: return .binary(Data(PackedRowValues.bytes(base, slot)))
    case .uuid: return UUID.load(base, slot).map(PropertyValue.uuid) ?? .null
    case .uri: return URL.load(base, slot).map(PropertyValue.uri) ?? .null
    case .transformable: return storedForm(base, slot)
    }
  }

  /// The value at a stored slot of a row by its storage type: an integer, a double, a string or
  /// bytes.
  public func storedForm(_ base: UnsafeRawPointer, _ slot: Int) -> PropertyValue {
    if PackedRowValues.isNull(base, slot) { return .null }
    switch storage(slot) {
    case .integer: return .integer(PackedRowValues.integer(base, slot))
    case .real: return .double(PackedRowValues.real(base, slot))
    case .text: return .string(PackedRowValues.text(base, slot))
    case .blob: return .binary(Data(PackedRowValues.bytes(base, slot)))
    }
  }

  /// The values of a row in a unique constraint; nil where one of them is null, which is never in
  /// conflict.
  ///
  /// - Parameter constraint: one of ``uniqueConstraints``.
  public func uniqueValues(of row: PackedRow, _ constraint: UniqueConstraint) -> UniqueValues? {
    withExtendedLifetime(row) {
      let base = row.base
      var values = UniqueValues()
      for slot in constraint.slots {
        if PackedRowValues.isNull(base, slot) { return nil }
        if let options = constraint.ignoring[slot] {
          VersionedFolding.current.folded(PackedRowValues.text(base, slot), options)
            .withUnsafeBytes { values.append($0) }
          continue
        }
        switch storage(slot) {
        case .integer: values.append(PackedRowValues.integer(base, slot))
        case .real: values.append(PackedRowValues.real(base, slot))
        case .text, .blob: values.append(PackedRowValues.bytes(base, slot))
        }
      }
      return values
    }
  }
}

extension Date {
  /// The date that is stored as a number of seconds after the reference date.
  @inlinable
  package init(storedSeconds seconds: Double) {
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  /// The number as which a date is stored: seconds after the reference date, without a negative
  /// zero.
  @inlinable package var storedSeconds: Double { timeIntervalSinceReferenceDate + 0 }
}
