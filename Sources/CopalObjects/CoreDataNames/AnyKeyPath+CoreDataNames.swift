public import CopalModel

/// A key path of a class as an argument of a text, in place of Core Data's `#keyPath`.
// A key path of Swift does not tell its names.
@available(
  *, unavailable,
  message:
    "write %K, and the property without a backslash: Pigment.properties.maker.name for \\Pigment.maker?.name"
)
extension AnyKeyPath: PredicateArgument {
  /// A key path of a class has no names.
  public var formatArgument: FormatArgument { misuse("unavailable") }
}
