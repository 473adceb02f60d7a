import CopalEssentials

/// The functions of formats.
enum FormatFunctionName {
  case call(FetchFunction)
  case cast, ternary, subquery
  /// A sum, a minimum, a maximum or an average of calculated values: `sum:(pigments, $x, $x.price *
  /// 2)`.
  case aggregate(FetchAggregate)
  /// Whether a collection has an object: `exists:(pigments, $x, $x.price > 3)`.
  case exists
  /// Whether an object is one of a subentity: `iskind:(SELF, "Book")`.
  case isKind
  /// An object as one of a subentity: `as:(SELF, "Book").pages`.
  case subentity
  /// A property whose name is not one of the language: `property:(SELF, "weird name")`.
  case property
  /// A variable whose name is not one of the language: `variable:("weird name")`.
  case variable
  /// A function of `NSPredicate` that Copal does not have.
  case unsupported

  /// The functions by their names in lower case, without a colon at the end.
  static let all: [String: FormatFunctionName] = {
    var names: [String: FormatFunctionName] = [
      "cast": .cast, "ternary": .ternary, "subquery": .subquery,
      "sum": .aggregate(.sum), "min": .aggregate(.min), "max": .aggregate(.max),
      "average": .aggregate(.average), "distinctcount": .aggregate(.distinctCount),
      "valuecount": .aggregate(.count), "exists": .exists, "iskind": .isKind, "as": .subentity,
      "property": .property, "variable": .variable,
    ]
    for function in FetchFunction.allCases { names[name(function).lowercased()] = .call(function) }
    for name in others { names[name] = .unsupported }
    return names
  }()

  private static let others = [
    "function", "fetch", "random", "randomn", "exp", "ln", "log", "raise:tothe", "median", "mode",
    "stddev", "count", "distinct", "canonical", "bitwiseand:with", "bitwiseor:with",
    "bitwisexor:with", "leftshift:by", "rightshift:by", "onescomplement", "castobject:totype",
    "objectfrom:withindex", "distancetolocation:fromlocation", "noindex", "tokenize:using",
  ]

  /// The names for suggestions.
  static let suggestions = all.keys.filter { !others.contains($0) }.inOrder()

  /// The name of a function, without a colon at the end.
  static func name(_ function: FetchFunction) -> String {
    switch function {
    case .add: "add:to"
    case .subtract: "from:subtract"
    case .multiply: "multiply:by"
    case .divide: "divide:by"
    case .remainder: "modulus:by"
    case .negate: "negate"
    case .absolute: "abs"
    case .floor: "floor"
    case .ceiling: "ceiling"
    case .truncate: "trunc"
    case .squareRoot: "sqrt"
    case .lowercased: "lowercase"
    case .uppercased: "uppercase"
    case .length: "length"
    case .foldCase: "foldcase"
    case .foldDiacritics: "folddiacritics"
    case .fold: "fold"
    case .ifNil: "ifnil"
    case .toInteger: "tointeger"
    case .toDouble: "todouble"
    case .toDecimal: "todecimal"
    case .toString: "tostring"
    case .toDate: "todate"
    case .now: "now"
    }
  }
}

extension FetchFunction {
  /// The function as a person writes it: `+`, or its name in a text.
  package var spelling: String {
    switch self {
    case .add: "+"
    case .subtract, .negate: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    case .ifNil: "??"
    default: FormatFunctionName.name(self)
    }
  }
}
