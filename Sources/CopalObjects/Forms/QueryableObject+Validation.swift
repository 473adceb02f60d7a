public import CopalModel
import CopalStore

/// Validating one value without a save, by the name of the property in Swift.
extension QueryableObject where Self: ManagedObject {
  /// Throws what a save would say about one value of this object: for a field of a form. The object
  /// does not change.
  ///
  /// ```swift
  /// do { try painter.validate(text, for: \.email) } catch { show(error) }
  /// ```
  ///
  /// - Throws: as ``ManagedObject/validateValue(_:forKey:)``.
  public func validate<V: ValueConvertible>(
    _ value: V?, for attribute: KeyPath<QueryProperties<Self>, QueryAttribute<V>>
  ) throws {
    try validate(value?.value, name: QueryProperties<Self>()[keyPath: attribute]._name)
  }

  /// The same for an attribute that is required. Nil breaks its rule.
  public func validate<V: ValueConvertible>(
    _ value: V?, for attribute: KeyPath<QueryProperties<Self>, RequiredQueryAttribute<V>>
  ) throws {
    try validate(value?.value, name: QueryProperties<Self>()[keyPath: attribute]._name)
  }
}
