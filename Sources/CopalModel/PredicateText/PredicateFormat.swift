/// A condition as a text in the language of `NSPredicate`, parsed once and used with different
/// arguments.
///
/// ```swift
/// let format = try PredicateFormat("price > %@ AND name ==[c] %@")
/// let predicate = try format.predicate(12.5, "ultramarine")
/// ```
///
/// ## The language
///
/// | Text | Meaning |
/// | --- | --- |
/// | `==` `=` `!=` `<>` `<` `<=` `=<` `>` `>=` `=>` | Comparisons. nil equals nil and differs from every value. |
/// | `BETWEEN {1, 9}`, `IN {1, 2}`, `IN %@`, `IN $list` | Values between two others, and values of a list. |
/// | `CONTAINS` `BEGINSWITH` `ENDSWITH` `LIKE` `MATCHES` | Tests of texts. |
/// | `[c]` `[d]` `[cd]` `[n]` `[l]` | Options of an operator: no case, no diacritics, neither; bytes; no effect. |
/// | `AND` `&&` `OR` `\|\|` `NOT` `!` `TRUEPREDICATE` `FALSEPREDICATE` | Conditions of conditions. AND binds more than OR. |
/// | `ANY` `SOME` `ALL` `NONE` | Before a comparison with a path through a to-many relationship. |
/// | `maker IN makers`, `makers CONTAINS %@` | Whether an object is one of a relationship. |
/// | `a.b`, `SELF`, `SELF.a`, `#in`, `%K` | Key paths. `#` makes a reserved word a name. |
/// | `$name` | A variable: see ``FetchPredicate/replacing(variables:)``. |
/// | `books.@count`, `books[SIZE]`, `books.@sum.price`, `@min` `@max` `@avg` (or `@average`) | Aggregates. |
/// | `SUBQUERY(books, $x, $x.price > 3).@count` | Some objects of a relationship. |
/// | `+` `-` `*` `/` `%%` `??` | Arithmetic; `%%` is the rest of a division, `??` a value in place of nil. |
/// | `now()` `abs:(x)` `floor:` `ceiling:` `trunc:` `sqrt:` | Functions of numbers; also `abs(x)`. |
/// | `length:` `lowercase:` `uppercase:` | Functions of texts. |
/// | `add:to:` `from:subtract:` `multiply:by:` `divide:by:` `modulus:by:` | Functions of two values. |
/// | `CAST(x, "NSNumber")`, `NSString` `NSDate` `NSDecimalNumber` `integer` | Another type. |
/// | `TERNARY(condition, a, b)` | One of two values. |
/// | `7` `0x1F` `1.5` `TRUE` `YES` `FALSE` `NO` `nil` `NULL` | Literals. |
/// | `"x"` `'x'` | Texts, with the escapes `\n \t \r \0 \xHH \uHHHH \UHHHHHHHH`. |
/// | `CAST("2024-05-17T09:30:00Z", "NSDate")` | A constant; also `NSUUID` `NSURL` `NSData` `NSManagedObjectID`. |
///
/// In the condition of a SUBQUERY, `$x` is an object of the relationship. A name without `$x` is a
/// property of the object that is fetched, as is `SELF`.
///
/// Some words are Copal's own, for what `NSPredicate` has no words for: `iskind:(SELF, "Book")`,
/// `as:(SELF, "Book").pages`, `exists:(books, $x, condition)`, `sum:(books, $x, $x.price * 2)` with
/// `min:`, `max:`, `average:` and a condition as fourth argument, `foldcase:(x)`,
/// `folddiacritics:(x)`, `fold:(x)`, `ifnil:(a, b)`, and `toInteger:`, `toDouble:`, `toDecimal:`,
/// `toString:` and `toDate:`, which are casts that are done by the fetch also for constants.
/// `property:(SELF, "a name")` and `variable:("a name")` have names that are no identifiers. In
/// ``ValueRequest/having``, `SELF.@count` is the number of objects of a group, and
/// `SELF.@sum.price` another aggregate of them; also `@distinctCount` and `@valueCount`.
///
/// ## Placeholders
///
/// `%@` takes a value, nil or a list, `%K` a property of a class, such as
/// `Pigment.properties.maker.name`, or a `String` with a key path, `%d` `%i` `%u` `%ld` `%lu`
/// `%lld` `%llu` `%q` an integer or a boolean, `%f` `%lf` `%g` `%e` a floating number. Arguments
/// are typed values and never become text. A placeholder in quotes is text.
///
/// ## Cost
///
/// Parsing takes about 0.6 microseconds for each comparison, arguments about 0.2 microseconds for
/// each one. A text may have 1 MB and may be nested 100 levels deep; a chain of `+` has a level for
/// each sign, a chain of `OR` has one level.
public struct PredicateFormat: Sendable {
  /// The text.
  public let text: String
  /// The number of arguments that the text needs.
  public var argumentCount: Int { places.count }

  private let condition: FormatCondition
  /// The places of the placeholders, in bytes.
  private let places: [Int]
  private let hasQuotedPlaceholder: Bool

  /// Parses a text.
  ///
  /// - Throws: ``PredicateFormatError`` with the place of what is wrong.
  public init(_ text: String) throws(PredicateFormatError) {
    self.text = text
    var contiguous = text
    typealias Parts = (FormatCondition, [Int], Bool)
    let result = contiguous.withUTF8 { bytes -> Result<Parts, FormatMistake> in
      do throws(FormatMistake) {
        var parser = try FormatParser(bytes)
        let condition = try parser.parse()
        return .success((condition, parser.placeholders, parser.lexer.hasQuotedPlaceholder))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let parts): (condition, places, hasQuotedPlaceholder) = parts
    case .failure(let mistake): throw mistake.error(in: text)
    }
  }

  /// The condition with arguments in place of the placeholders, in their order. Nil stands for no
  /// value.
  ///
  /// - Throws: ``PredicateFormatError`` when there are more or fewer arguments than placeholders,
  ///   or an argument is of another kind. Its `argument` is the number of the argument.
  public func predicate(_ arguments: (any PredicateArgument)?...) throws(PredicateFormatError)
    -> FetchPredicate
  {
    try predicate(arguments: FormatArgument.list(of: arguments))
  }

  /// The condition with the arguments of a list.
  public func predicate(arguments: [FormatArgument]) throws(PredicateFormatError) -> FetchPredicate
  {
    do throws(FormatMistake) {
      try check(arguments)
      if case .ready(let predicate) = condition { return predicate }
      return try FormatFiller(arguments: arguments).predicate(condition)
    } catch {
      throw error.error(in: text)
    }
  }

  private func check(_ arguments: [FormatArgument]) throws(FormatMistake) {
    if arguments.count == places.count { return }
    let count = "\(places.count)" + (places.count == 1 ? " argument" : " arguments")
    if arguments.count < places.count {
      throw FormatMistake(
        .missingArgument, at: places[arguments.count], found: "\(arguments.count)",
        expected: count, argument: arguments.count + 1)
    }
    throw FormatMistake(
      .extraArgument, at: text.utf8.count, found: "\(arguments.count)",
      expected: hasQuotedPlaceholder ? count + "; a placeholder in quotes is text" : count,
      argument: places.count + 1)
  }
}

extension FormatArgument {
  fileprivate static func list(of arguments: [(any PredicateArgument)?]) -> [FormatArgument] {
    arguments.map { $0?.formatArgument ?? .value(.null) }
  }
}

extension FetchPredicate {
  /// A condition from a text in the language of `NSPredicate` and its arguments.
  ///
  /// ```swift
  /// request.predicate = try FetchPredicate(format: "price > %@ AND maker.name ==[c] %@", 12.5, name)
  /// ```
  ///
  /// ``PredicateFormat`` has the language. The process remembers 500 texts: a known one costs 0.1
  /// microseconds and about 0.2 for each argument. Use placeholders, so that a program has few
  /// texts and a user's text is never a part of them.
  ///
  /// - Parameters:
  ///   - format: the text.
  ///   - arguments: one for each placeholder, in their order; nil stands for no value.
  /// - Throws: ``PredicateFormatError`` for a text that is not in the language, and for arguments
  ///   that do not fit.
  public init(format: String, _ arguments: (any PredicateArgument)?...) throws(PredicateFormatError)
  {
    self = try FormatCache.shared.format(format).predicate(
      arguments: FormatArgument.list(of: arguments))
  }

  /// The same with the arguments as an array.
  ///
  /// - Throws: as ``init(format:_:)``.
  public init(format: String, argumentArray arguments: [(any PredicateArgument)?])
    throws(PredicateFormatError)
  {
    self = try FormatCache.shared.format(format).predicate(
      arguments: FormatArgument.list(of: arguments))
  }

  /// A condition from a text in the language of `NSPredicate` and a list of arguments as data.
  ///
  /// - Throws: ``PredicateFormatError`` for a text that is not in the language, and for arguments
  ///   that do not fit.
  public init(format: String, arguments: [FormatArgument]) throws(PredicateFormatError) {
    self = try FormatCache.shared.format(format).predicate(arguments: arguments)
  }
}
