public import CopalModel
public import CopalStore

/// An object without relationships, whose values a function returns.
public struct ClosureSubject: ConditionSubject {
  public let key: Int64
  public let entity: Int
  private let valueAt: (Int) -> PropertyValue

  public init(key: Int64, entity: Int, _ value: @escaping (Int) -> PropertyValue) {
    (self.key, self.entity, valueAt) = (key, entity, value)
  }

  public func value(_ slot: Int) -> PropertyValue { valueAt(slot) }
  public func related(_ slot: Int) -> Self? { nil }
  public func members(_ relationship: Int) -> [Self] { [] }
}
