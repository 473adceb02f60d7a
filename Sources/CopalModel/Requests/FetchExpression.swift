/// What a condition compares: a property of the object, a constant, the object itself, or a value
/// that is calculated from these.
public enum FetchExpression: Sendable, Hashable {
  /// A property of the object, by name. Names with points between them are a path through to-one
  /// relationships, such as `"maker.name"`. Its value is nil where an object of the path does not
  /// exist.
  case property(String)
  /// A property of a subentity of the entity that is fetched, by the names of both. Its value is
  /// nil for an object that is not one of the subentity. The fetch throws `request.unrelatedEntity`
  /// for an entity that is no subentity.
  case subentityProperty(entity: String, property: String)
  /// A value: `.null`, or one of the type of the property that it is compared with. A whole number
  /// may be used with a float, double or decimal attribute. Another type makes the fetch throw
  /// `request.predicateType`.
  case constant(PropertyValue)
  /// The object itself; Core Data calls it `SELF`. It can be compared with ids, for equality only.
  ///
  /// An id of another entity or of another store equals no object. A temporary id equals the object
  /// that has it, and in the context that has saved the object also after the save.
  case object
  /// A value that is given later: ``FetchPredicate/replacing(variables:)`` puts a constant in its
  /// place. A fetch throws `request.unboundVariable` for one that is left.
  case variable(String)
  /// In the condition of a ``FetchCollection``, an expression about the object that has the
  /// collection; with 2, about the object around that one, and so on. The other expressions are
  /// about the objects of the collection.
  indirect case outer(Int, FetchExpression)
  /// A value that is calculated from others. It is nil where one of these is nil, except for
  /// ``FetchFunction/ifNil``, and where there is no result: for a division by zero, and for a
  /// number that its type cannot have.
  case call(FetchFunction, [FetchExpression])
  /// The number of objects of a collection, or the sum, the least, the greatest or the average of a
  /// value of theirs.
  ///
  /// The value is nil for ``FetchAggregate/count``. A nil among the values is left out.
  ///
  /// In a ``ValueRequest``, the collection of ``FetchExpression/object`` has the objects of the
  /// request, or those of a group.
  indirect case aggregate(FetchAggregate, FetchCollection, of: FetchExpression?)
  /// The first value where the condition is true, the second one where it is false.
  indirect case conditional(FetchPredicate, FetchExpression, FetchExpression)
}

/// The objects of a to-many relationship, or those of them that meet a condition.
public struct FetchCollection: Sendable, Hashable {
  /// The relationship: ``FetchExpression/property(_:)`` with its name, or with a path of to-one
  /// relationships before it. Also ``FetchExpression/subentityProperty(entity:property:)``, and
  /// ``FetchExpression/outer(_:_:)`` around one of these.
  public var relationship: FetchExpression
  /// The condition on the objects of the relationship; nil for all of them. The names in it are
  /// those of their properties.
  public var condition: FetchPredicate?

  /// The objects of a relationship that meet a condition.
  public init(_ relationship: FetchExpression, where condition: FetchPredicate? = nil) {
    self.relationship = relationship
    self.condition = condition
  }
}

/// What is calculated from the objects of a ``FetchCollection``.
public enum FetchAggregate: String, Sendable, Hashable, CaseIterable {
  /// Their number, an integer.
  case count
  /// The number of different values, an integer.
  case distinctCount
  /// The sum of a value: zero for no objects, exact for integers and decimals. Nil for a sum that
  /// its type cannot have.
  case sum
  /// The least value; nil where there is none.
  case min
  /// The greatest value; nil where there is none.
  case max
  /// The average: a double, and a decimal for decimals. Nil where there is no value.
  case average
}

/// How a value is calculated from others. The comment of each case names its arguments.
public enum FetchFunction: String, Sendable, Hashable, CaseIterable {
  /// Two numbers, or a date and a number of seconds. Of an integer and another number, the result
  /// has the type of the other one; of a stored double and a stored decimal, it is a double.
  case add
  /// Two numbers, or a date and a number of seconds. Of two dates, the seconds from the second to
  /// the first.
  case subtract
  /// Two numbers. A decimal is exact, or rounded to 38 digits, half to even.
  case multiply
  /// Two numbers. The result of integers is rounded toward zero, that of decimals to 38 digits,
  /// half to even. Nil for a division by zero.
  case divide
  /// Two integers or decimals: what a division leaves, with the sign of the first one. Exact. Nil
  /// for a division by zero.
  case remainder
  /// A number with the other sign.
  case negate
  /// A number without its sign.
  case absolute
  /// The greatest whole number that is not greater than a number.
  case floor
  /// The least whole number that is not less than a number.
  case ceiling
  /// A number without its digits after the point.
  case truncate
  /// The square root of a number, a double. Nil for a negative number.
  case squareRoot
  /// A text in lower case, by Unicode's rules that do not depend on a language.
  case lowercased
  /// A text in upper case, by Unicode's rules that do not depend on a language.
  case uppercased
  /// The number of characters of a text.
  case length
  /// A text without case: the form that ``FetchPredicate/TextOptions/caseInsensitive`` compares.
  case foldCase
  /// A text without diacritics.
  case foldDiacritics
  /// A text without case and diacritics.
  case fold
  /// The first of two values of one type, or the second one where the first one is nil. Swift
  /// writes it `??`.
  case ifNil
  /// A number, or a text with a number, as an integer. Digits after the point are left out.
  case toInteger
  /// A number, a text with a number, or a date in seconds since 2001-01-01T00:00:00Z, as a double.
  case toDouble
  /// A number, or a text with a number, as a decimal.
  case toDecimal
  /// A number, a boolean, a uuid or a uri as a text.
  case toString
  /// A number of seconds since 2001-01-01T00:00:00Z as a date.
  case toDate
  /// The date and time at which the fetch begins. It has no arguments.
  case now

  /// The number of arguments.
  public var argumentCount: Int {
    switch self {
    case .add, .subtract, .multiply, .divide, .remainder, .ifNil: 2
    case .negate, .absolute, .floor, .ceiling, .truncate, .squareRoot, .lowercased, .uppercased,
      .length,
      .foldCase, .foldDiacritics, .fold, .toInteger, .toDouble, .toDecimal, .toString, .toDate:
      1
    case .now: 0
    }
  }
}
