import CopalEssentials

/// What is wrong with the text of a format, or with its arguments, as data.
///
/// ```swift
/// do {
///   let predicate = try FetchPredicate(format: "name BEGINWITH %@", "Ultra")
/// } catch let error as PredicateFormatError where error.code == .unexpected {
///   print(error.column, error.suggestion ?? "")  // 6 BEGINSWITH
/// }
/// ```
///
/// ``description`` is the sentence with its remedy, and the line of the text with a mark below the
/// place. No argument is in it: only the kind of an argument.
public struct PredicateFormatError: Error, Sendable, Hashable {
  /// The kind of error.
  public var code: Code
  /// The text of the format.
  public var text: String
  /// The line of the place in the text, counted from 1.
  public var line: Int
  /// The column of the place in its line, in characters, counted from 1.
  public var column: Int
  /// What was found there.
  public var found: String
  /// What was expected.
  public var expected: String
  /// The valid name that is most similar to the one found.
  public var suggestion: String?
  /// The number of the argument concerned, counted from 1; nil when the error concerns no argument.
  public var argument: Int?

  /// An error as data. Copal makes errors; a program reads them.
  public init(
    _ code: Code, text: String, line: Int = 1, column: Int = 1, found: String = "",
    expected: String = "", suggestion: String? = nil, argument: Int? = nil
  ) {
    self.code = code
    self.text = text
    self.line = line
    self.column = column
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
    self.argument = argument
  }

  /// What is wrong with a format, such as `format.unexpected`.
  public struct Code: ErrorCode {
    /// The name of the code.
    public let rawValue: String
    /// The sentence of an error with this code.
    let sentence: SentenceTemplate

    /// The code of that name.
    public init(rawValue: String) {
      self.init(rawValue, Self.all.first { $0.rawValue == rawValue }?.sentence ?? "")
    }

    init(_ name: String, _ sentence: SentenceTemplate) {
      (rawValue, self.sentence) = (name, sentence)
    }
  }
}

/// The kinds of errors of a format.
extension PredicateFormatError.Code {
  /// Something else was expected at this place.
  public static let unexpected = Self(
    "format.unexpected",
    SentenceTemplate("unexpected '{found}'; expected {expected}", otherwise: ""))
  /// The text ends too early.
  public static let unexpectedEnd = Self(
    "format.unexpectedEnd", "the text ends too early; expected {expected}")
  /// A text in quotes does not end.
  public static let unterminatedString = Self(
    "format.unterminatedString", "the text in quotes does not end; close it with {expected}")
  /// An escape sequence that does not exist.
  public static let invalidEscape = Self(
    "format.invalidEscape", "unknown escape sequence '{found}'; expected {expected}")
  /// A number that is not written correctly.
  public static let invalidNumber = Self(
    "format.invalidNumber", "invalid number '{found}'; expected {expected}")
  /// A number that its type cannot have.
  public static let outOfRange = Self(
    "format.outOfRange", "the number '{found}' is out of range; expected {expected}")
  /// A name that no property can have.
  public static let invalidName = Self(
    "format.invalidName", "'{found}' is not a name; expected {expected}")
  /// A text that is no value of the type of its `CAST`.
  public static let invalidValue = Self(
    "format.invalidValue", "this is not a valid value; expected {expected}")
  /// An option of an operator that does not exist, or that the operator does not have.
  public static let invalidOption = Self(
    "format.invalidOption", "invalid option '{found}'; expected {expected}")
  /// A placeholder that does not exist, such as `%s`.
  public static let invalidPlaceholder = Self(
    "format.invalidPlaceholder", "unknown placeholder '{found}'; write {expected}")
  /// There are fewer arguments than placeholders.
  public static let missingArgument = Self(
    "format.missingArgument", "{argument} is missing; expected {expected}, found {found}")
  /// There are more arguments than placeholders.
  public static let extraArgument = Self(
    "format.extraArgument", "{argument} has no placeholder; expected {expected}, found {found}")
  /// An argument is of another kind than its placeholder.
  public static let argumentKind = Self(
    "format.argumentKind", "{argument} is {found}; expected {expected}")
  /// A function that does not exist.
  public static let unknownFunction = Self(
    "format.unknownFunction",
    SentenceTemplate("unknown function '{found}'", otherwise: "; expected {expected}"))
  /// A function has another number of arguments.
  public static let argumentCount = Self(
    "format.argumentCount",
    "the function '{found}' has another number of arguments; expected {expected}")
  /// A type that `CAST` does not know.
  public static let unknownType = Self(
    "format.unknownType",
    SentenceTemplate("CAST does not know the type '{found}'", otherwise: "; expected {expected}"))
  /// An aggregate after `@` that does not exist.
  public static let unknownAggregate = Self(
    "format.unknownAggregate",
    SentenceTemplate("unknown aggregate '{found}'", otherwise: "; expected {expected}"))
  /// A part of the language of formats that Copal does not have.
  public static let unsupported = Self("format.unsupported", "{found} is not supported; {expected}")
  /// A list at a place where only one value can be.
  public static let misplacedList = Self(
    "format.misplacedList", "a list cannot be here; {expected}")
  /// A condition at the place of a value.
  public static let misplacedCondition = Self(
    "format.misplacedCondition", "a condition cannot be here; expected {expected}")
  /// Parts are nested too deeply.
  public static let tooDeep = Self(
    "format.tooDeep",
    "the text is nested too deeply; the maximum is {expected} levels; use fewer levels")
  /// The text is too long.
  public static let tooLong = Self(
    "format.tooLong",
    "the text has {found} bytes; the maximum is {expected}; give lists as arguments")

  /// Every code of a format.
  public static let all: [Self] = [
    .unexpected, .unexpectedEnd, .unterminatedString, .invalidEscape, .invalidNumber, .outOfRange,
    .invalidName, .invalidValue, .invalidOption, .invalidPlaceholder, .missingArgument,
    .extraArgument, .argumentKind, .unknownFunction, .argumentCount, .unknownType,
    .unknownAggregate, .unsupported, .misplacedList, .misplacedCondition, .tooDeep, .tooLong,
  ]
}

extension PredicateFormatError: CustomStringConvertible {
  /// The sentence, the remedy and the code, then the line of the text with a mark below the place.
  public var description: String { PredicateFormatWording.message(for: self) }
}

/// An error at a byte of a text. The text is added outside of the parser.
///
/// A class: every function of the parser has room for an error on the stack, and a pointer needs
/// the least.
final class FormatMistake: Error {
  let code: PredicateFormatError.Code
  /// The byte of the place.
  let offset: Int
  let found: String
  let expected: String
  let suggestion: String?
  let argument: Int?

  init(
    _ code: PredicateFormatError.Code, at offset: Int, found: String = "", expected: String = "",
    suggestion: String? = nil, argument: Int? = nil
  ) {
    self.code = code
    self.offset = offset
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
    self.argument = argument
  }

  /// The error with its text, line and column.
  func error(in text: String) -> PredicateFormatError {
    let before = text.utf8.prefix(offset)
    let newline = UInt8(ascii: "\n")
    let lines = before.lazy.filter { $0 == newline }.count
    let lineStart = before.lastIndex(of: newline).map { text.utf8.index(after: $0) }
    let column = text[(lineStart ?? text.startIndex)..<before.endIndex].count
    return PredicateFormatError(
      code, text: text, line: lines + 1, column: column + 1, found: found, expected: expected,
      suggestion: suggestion, argument: argument)
  }
}
