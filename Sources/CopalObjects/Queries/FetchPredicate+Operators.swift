public import CopalModel

// Not in CopalModel, beside the type: `import Copal` exports the type by its name, and the compiler
// does not find operators of a type that is exported so.
extension FetchPredicate {
  /// Whether both conditions are true.
  public static func && (a: FetchPredicate, b: FetchPredicate) -> FetchPredicate {
    if case .and(let parts) = a { return .and(parts + [b]) }
    return .and([a, b])
  }

  /// Whether at least one of the conditions is true.
  public static func || (a: FetchPredicate, b: FetchPredicate) -> FetchPredicate {
    if case .or(let parts) = a { return .or(parts + [b]) }
    return .or([a, b])
  }

  /// Whether the condition is false.
  public static prefix func ! (a: FetchPredicate) -> FetchPredicate { .not(a) }
}
