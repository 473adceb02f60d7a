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
    /// The code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

/// The kinds of errors of a format.
extension PredicateFormatError.Code {
  /// Something else was expected at this place.
  public static let unexpected: Self = "format.unexpected"
  /// The text ends too early.
  public static let unexpectedEnd: Self = "format.unexpectedEnd"
  /// A text in quotes does not end.
  public static let unterminatedString: Self = "format.unterminatedString"
  /// An escape sequence that does not exist.
  public static let invalidEscape: Self = "format.invalidEscape"
  /// A number that is not written correctly.
  public static let invalidNumber: Self = "format.invalidNumber"
  /// A number that its type cannot have.
  public static let outOfRange: Self = "format.outOfRange"
  /// A name that no property can have.
  public static let invalidName: Self = "format.invalidName"
  /// A text that is no value of the type of its `CAST`.
  public static let invalidValue: Self = "format.invalidValue"
  /// An option of an operator that does not exist, or that the operator does not have.
  public static let invalidOption: Self = "format.invalidOption"
  /// A placeholder that does not exist, such as `%s`.
  public static let invalidPlaceholder: Self = "format.invalidPlaceholder"
  /// There are fewer arguments than placeholders.
  public static let missingArgument: Self = "format.missingArgument"
  /// There are more arguments than placeholders.
  public static let extraArgument: Self = "format.extraArgument"
  /// An argument is of another kind than its placeholder.
  public static let argumentKind: Self = "format.argumentKind"
  /// A function that does not exist.
  public static let unknownFunction: Self = "format.unknownFunction"
  /// A function has another number of arguments.
  public static let argumentCount: Self = "format.argumentCount"
  /// A type that `CAST` does not know.
  public static let unknownType: Self = "format.unknownType"
  /// An aggregate after `@` that does not exist.
  public static let unknownAggregate: Self = "format.unknownAggregate"
  /// A part of the language of formats that Copal does not have.
  public static let unsupported: Self = "format.unsupported"
  /// A list at a place where only one value can be.
  public static let misplacedList: Self = "format.misplacedList"
  /// A condition at the place of a value.
  public static let misplacedCondition: Self = "format.misplacedCondition"
  /// Parts are nested too deeply.
  public static let tooDeep: Self = "format.tooDeep"
  /// The text is too long.
  public static let tooLong: Self = "format.tooLong"

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
