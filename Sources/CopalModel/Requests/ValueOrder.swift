import CopalEssentials

/// How two values compare, in stores and in memory.
///
/// Nil equals `nil` and is neither less nor greater than anything. Strings, uris and binaries
/// compare by their bytes, numbers of all types by their exact value. Objects have no order.
public enum ValueOrder {
  /// Whether the comparison of two values is true.
  public static func compare(
    _ a: PropertyValue, _ comparison: FetchPredicate.Operator, _ b: PropertyValue
  ) -> Bool {
    switch comparison {
    case .equal: return areEqual(a, b)
    case .notEqual: return !areEqual(a, b)
    case .less: return precedes(a, b) ?? false
    case .greater: return precedes(b, a) ?? false
    case .lessOrEqual: return (precedes(b, a).map { !$0 }) ?? false
    case .greaterOrEqual: return (precedes(a, b).map { !$0 }) ?? false
    }
  }

  /// Whether a value comes before another one in ascending order. Null comes first.
  public static func sortsBefore(_ a: PropertyValue, _ b: PropertyValue) -> Bool {
    if a.isNull || b.isNull { return a.isNull && !b.isNull }
    return precedes(a, b) ?? false
  }

  private static func areEqual(_ a: PropertyValue, _ b: PropertyValue) -> Bool {
    switch (a, b) {
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.uri(let x), .uri(let y)): x.absoluteString.utf8.elementsEqual(y.absoluteString.utf8)
    case (.integer(let x), .integer(let y)): x == y
    case (.double(let x), .double(let y)): x == y
    case (.integer, .decimal), (.integer, .double), (.double, .integer), (.double, .decimal),
      (.decimal, .integer), (.decimal, .double), (.decimal, .decimal):
      NumberOrder.compare(a, b) == 0
    default: a == b
    }
  }

  /// Whether `a` is less than `b`; `nil` where there is no order between them.
  private static func precedes(_ a: PropertyValue, _ b: PropertyValue) -> Bool? {
    switch (a, b) {
    case (.integer(let x), .integer(let y)): x < y
    case (.double(let x), .double(let y)): x.isNaN || y.isNaN ? nil : x < y
    case (.integer, .decimal), (.integer, .double), (.double, .integer), (.double, .decimal),
      (.decimal, .integer), (.decimal, .double), (.decimal, .decimal):
      NumberOrder.compare(a, b).map { $0 < 0 }
    case (.boolean(let x), .boolean(let y)): !x && y
    case (.date(let x), .date(let y)):
      precedes(
        .double(x.timeIntervalSinceReferenceDate), .double(y.timeIntervalSinceReferenceDate))
    case (.string(let x), .string(let y)): x.utf8.lexicographicallyPrecedes(y.utf8)
    case (.uri(let x), .uri(let y)):
      x.absoluteString.utf8.lexicographicallyPrecedes(y.absoluteString.utf8)
    case (.binary(let x), .binary(let y)): x.lexicographicallyPrecedes(y)
    case (.uuid(let x), .uuid(let y)):
      withUnsafeBytes(of: x.uuid) { x in
        withUnsafeBytes(of: y.uuid) { y in x.lexicographicallyPrecedes(y) }
      }
    default: nil
    }
  }
}
