import CopalModel
public import CopalStore

/// The value for a placeholder of a statement: a constant, a list of them, or what to take from the
/// query or the object when the statement runs.
public enum PlaceholderValue: Sendable, Equatable {
  /// NULL.
  case null
  /// An INTEGER.
  case integer(Int64)
  /// A REAL.
  case real(Double)
  /// A TEXT.
  case text(String)
  /// A BLOB.
  case blob([UInt8])
  /// Several values, for a database that takes a list as one value.
  case values([PlaceholderValue])
  /// Given when the statement runs: a parameter of the query, in a form.
  case parameter(Int, ParameterForm)
  /// Given when the statement runs: a list of parameters of the query, each in a form.
  case list(Range<Int>, ParameterForm)
  /// Given when the statement runs: the limit of the query.
  case limit
  /// Given when the statement runs: the offset of the query.
  case offset
  /// Given when the statement runs: the value of a slot of the row that is written.
  case slot(Int)
  /// Given when the statement runs: the value of a derived column of the row that is written, made
  /// from the value of a slot.
  case derived(Int, DerivedColumn.Function)
  /// Given when the statement runs: the key of the object that is written.
  case key
  /// Given when the statement runs: the version the object was read with.
  case version
  /// Given when the statement runs: the version the row gets.
  case newVersion
}

extension PlaceholderValue {
  /// The value for a placeholder when its statement runs for a query: what the query has for a
  /// parameter, a limit or an offset. Every other one is itself.
  ///
  /// - Parameter layout: the layout of the query's entity.
  public func value(in query: StoreQuery, _ layout: EntityLayout) -> PlaceholderValue {
    switch self {
    case .parameter(let number, let form): form.value(of: query.parameters[number], layout)
    case .list(let numbers, let form):
      .values(numbers.map { form.value(of: query.parameters[$0], layout) })
    case .limit: query.limit.map { .integer(Int64($0)) } ?? .null
    case .offset: .integer(Int64(query.offset))
    default: self
    }
  }
}

extension EntityLayout {
  /// The stored form of a value of a slot.
  func stored(_ value: PropertyValue, _ slot: Int) -> PlaceholderValue {
    passStoredForm(of: value, slot, to: PlaceholderValueMaker())
  }
}

extension PlaceholderValue {
  /// The stored form of a constant that is compared with an attribute of a scale.
  static func storedForm(of value: PropertyValue, scale: Int?) -> PlaceholderValue {
    EntityLayout.passStoredForm(
      of: value, scale: scale, isFloat: false, to: PlaceholderValueMaker())
  }
}

/// Makes the values for placeholders from stored forms.
private struct PlaceholderValueMaker: StoredFormReceiver {
  func null() -> PlaceholderValue { .null }
  func integer(_ number: Int64) -> PlaceholderValue { .integer(number) }
  func real(_ number: Double) -> PlaceholderValue { .real(number) }
  func text(_ text: String) -> PlaceholderValue { .text(text) }
  func text(utf8 bytes: UnsafeRawBufferPointer) -> PlaceholderValue {
    .text(String(decoding: bytes, as: UTF8.self))
  }
  func blob(_ bytes: UnsafeRawBufferPointer) -> PlaceholderValue { .blob([UInt8](bytes)) }
}
