import CopalEssentials
public import CopalModel

/// One key of the order of a ``StoreQuery``.
public struct BoundSortKey: Sendable, Hashable {
  /// The slot of the attribute; -1 for a value of related objects.
  public var slot: Int
  /// The value of related objects by which is ordered; nil for an attribute of the objects
  /// themselves.
  public var related: QueryCalculation?
  /// Whether the least value comes first.
  public var isAscending: Bool
  /// How texts are ordered: other than by their bytes for a string attribute only.
  public var textOrder: FetchSortKey.TextOrder
  /// Whether a null comes before every value; otherwise it comes after all of them.
  public var isNullFirst: Bool

  /// A sort key for a slot.
  ///
  /// - Parameter nilOrder: where a null comes; nil for before every value if the key is ascending,
  ///   and after them if not.
  public init(
    slot: Int, isAscending: Bool, textOrder: FetchSortKey.TextOrder = .bytes,
    nilOrder: FetchSortKey.NilOrder? = nil
  ) {
    self.slot = slot
    self.isAscending = isAscending
    self.textOrder = textOrder
    isNullFirst = nilOrder.map { $0 == .nilsFirst } ?? isAscending
  }

  /// A sort key for a value of related objects.
  public init(
    related: QueryCalculation, isAscending: Bool,
    textOrder: FetchSortKey.TextOrder = .bytes, nilOrder: FetchSortKey.NilOrder? = nil
  ) {
    self.init(slot: -1, isAscending: isAscending, textOrder: textOrder, nilOrder: nilOrder)
    self.related = related
  }

  /// Whether an index on the attribute has its values in this order.
  package var isOrderOfValues: Bool {
    related == nil && textOrder == .bytes && isNullFirst == isAscending
  }

  /// What takes the place of a value in the order: the value itself, or the form of a text that is
  /// ordered by its bytes.
  ///
  /// Compute it once for each object when the objects are sorted.
  public func sortedForm(of value: PropertyValue) -> PropertyValue {
    guard textOrder != .bytes, case .string(let text) = value else { return value }
    return .binary(Data(TextOrderForm(textOrder).form(of: text)))
  }

  /// Whether an object with the first value comes before one with the second value; nil when
  /// neither does.
  ///
  /// - Parameters:
  ///   - a: the sorted form of a value.
  ///   - b: that of the other object.
  public func isBefore(_ a: PropertyValue, _ b: PropertyValue) -> Bool? {
    if a.isNull || b.isNull { return a.isNull == b.isNull ? nil : a.isNull == isNullFirst }
    if ValueOrder.sortsBefore(a, b) { return isAscending }
    if ValueOrder.sortsBefore(b, a) { return !isAscending }
    return nil
  }
}

extension [BoundSortKey] {
  /// Whether an object with the first values comes before one with the second values; nil when they
  /// are equal in all keys.
  ///
  /// - Parameters:
  ///   - a: for each key the sorted form of a value: ``BoundSortKey/sortedForm(of:)``.
  ///   - b: those of the other object.
  public func order(_ a: [PropertyValue], _ b: [PropertyValue]) -> Bool? {
    for (index, key) in enumerated() {
      if let isBefore = key.isBefore(a[index], b[index]) { return isBefore }
    }
    return nil
  }

  /// For each key, the sorted form of an object's value. None of the keys is for a value of related
  /// objects: ``QueryEvaluator/sortedForms(of:)`` has them too.
  ///
  /// - Parameter value: returns the value at a slot.
  public func sortedForms(_ value: (Int) -> PropertyValue) -> [PropertyValue] {
    map { $0.sortedForm(of: value($0.slot)) }
  }
}
