/// A condition on objects, as a value. Typed queries build it; a program can also build it itself.
/// It has the same meaning in SQL and in memory.
///
/// ```swift
/// let predicate: FetchPredicate = .and([
///   .comparison(.property("name"), .equal, .constant("Ultramarine")),
///   .comparison(.property("price"), .less, .constant(.decimal(20))),
/// ])
/// ```
///
/// The meaning is Swift's, and a condition is either true or false: nil equals nil, differs from
/// every value, and is neither less nor greater than anything. Strings compare by their UTF-8
/// bytes. The object itself is compared by its id: `.comparison(.object, .equal,
/// .constant(.object(id)))`.
///
/// A fetch throws `request.unknownProperty` for a name that the model does not have,
/// `request.notQueryable` for a transient attribute and for a comparison of a transformable with a
/// value, `request.predicateType` for a comparison of different types or for an order of objects,
/// `request.invalidPattern` for a pattern that is not a regular expression, and
/// `request.tooComplex` when `and` and `or` are nested more than 25 deep, and for a pattern of
/// `like` that has more than 1,000 bytes. A list of conditions may have any length.
///
/// Codable, in a form that people can read and write; see ``init(from:)``. Comparing, hashing and
/// printing a condition visits its parts by recursion: a program that makes a condition of more
/// than some thousand levels can run out of stack.
public indirect enum FetchPredicate: Sendable, Hashable {
  /// True for every object, or for none.
  case constant(Bool)
  /// Whether the comparison of the two expressions holds.
  case comparison(FetchExpression, Operator, FetchExpression)
  /// Whether the expression is one of the values.
  case isIn(FetchExpression, [PropertyValue])
  /// Whether the object is one of the entity of that name, or of a subentity of it. The entity must
  /// be a subentity or an ancestor of the one that is fetched: otherwise the fetch throws
  /// `request.unrelatedEntity`.
  case isKind(String)
  /// Whether a test of two texts is true: whether the first one contains the second one, for
  /// example. False where one of them is nil. Both are attributes of the type `string` or
  /// constants; the pattern of ``TextTest/matches`` is a constant.
  case text(FetchExpression, TextTest, FetchExpression)
  /// Whether the expression is one of the values of a list that is given later:
  /// ``replacing(variables:)``.
  case isInVariable(FetchExpression, String)
  /// Whether a collection has an object.
  case exists(FetchCollection)
  /// Whether a comparison is true for any or for all objects of the to-many relationships in the
  /// path of its left side: `ANY pigments.price > 20`. The comparison is ``comparison(_:_:_:)``,
  /// ``isIn(_:_:)`` or ``text(_:_:_:)``; its right side is about the object that is fetched.
  case quantified(Quantifier, FetchPredicate)
  /// Whether all conditions are true. True for an empty list.
  case and([FetchPredicate])
  /// Whether at least one condition is true. False for an empty list.
  case or([FetchPredicate])
  /// Whether the condition is false.
  case not(FetchPredicate)

  /// Of how many objects a comparison is true. See ``quantified(_:_:)``.
  public enum Quantifier: String, Sendable, Hashable, CaseIterable {
    /// At least one object. False where there is none.
    case any
    /// Every object. True where there is none.
    case all
  }

  /// How a comparison compares its two sides.
  public enum Operator: Sendable, Hashable, CaseIterable {
    /// `==`, `!=`, `<`, `<=`, `>` and `>=`.
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }
}

extension FetchPredicate.Operator {
  /// The opposite operator: between two values that are not nil, it is true where this one is
  /// false.
  public var negated: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
  }

  /// The operator that has the same result after the two sides have been exchanged.
  public var mirrored: Self {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// The operator as Swift writes it.
  package var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension FetchPredicate {
  /// True for every object.
  ///
  /// ```swift
  /// try context.fetch(Pigment.self, where: wish ?? .true)
  /// ```
  public static var `true`: FetchPredicate { .constant(true) }

  /// True for no object.
  public static var `false`: FetchPredicate { .constant(false) }
}
