import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The SQL functions that calculate values, for example `copal_calc_add('dd', "price", ?)`.
///
/// The first argument has a letter for the type of each other one. The result is null where an
/// argument is null or has another type.
///
/// Used only in queries, never in the schema, so that other tools can open and check a store.
enum CalculationFunction {
  /// What the names of all functions for calculations begin with.
  static let prefix = "copal_calc_"

  /// The functions with their names. The position of a function is what SQLite passes to it.
  private static let functions: [(function: FetchFunction, name: StaticString)] = [
    (.add, "copal_calc_add"), (.subtract, "copal_calc_subtract"),
    (.multiply, "copal_calc_multiply"),
    (.divide, "copal_calc_divide"), (.remainder, "copal_calc_remainder"),
    (.negate, "copal_calc_negate"),
    (.absolute, "copal_calc_absolute"), (.floor, "copal_calc_floor"),
    (.ceiling, "copal_calc_ceiling"),
    (.truncate, "copal_calc_truncate"), (.squareRoot, "copal_calc_square_root"),
    (.lowercased, "copal_calc_lowercased"), (.uppercased, "copal_calc_uppercased"),
    (.length, "copal_calc_length"), (.foldCase, "copal_calc_fold_case"),
    (.foldDiacritics, "copal_calc_fold_diacritics"), (.fold, "copal_calc_fold"),
    (.toInteger, "copal_calc_to_integer"), (.toDouble, "copal_calc_to_double"),
    (.toDecimal, "copal_calc_to_decimal"), (.toString, "copal_calc_to_string"),
    (.toDate, "copal_calc_to_date"),
  ]

  /// The name of a function in SQL.
  static func name(of function: FetchFunction) -> SQLFragment {
    SQLFragment(stringLiteral: functions.first { $0.function == function }?.name ?? "ifnull")
  }

  /// The letter of a type.
  static func letter(of type: QueryValueType) -> String {
    switch type {
    case .integer, .object: "i"
    case .double: "r"
    case .decimal: "d"
    case .boolean: "b"
    case .date: "t"
    case .string: "s"
    case .binary: "x"
    case .uuid: "u"
    case .uri: "l"
    }
  }

  static func register(on handle: OpaquePointer) {
    for (position, function) in functions.enumerated() {
      sqlite3_create_function_v2(
        handle, function.name.description, Int32(function.function.argumentCount + 1),
        SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
        UnsafeMutableRawPointer(bitPattern: position + 1),
        { context, count, arguments in
          guard let context, let arguments, let types = arguments[0] else { return }
          CalculationFunction.run(context, types.text, arguments + 1, count: Int(count) - 1)
        }, nil, nil, nil)
    }
    registerExactDecimal(on: handle)
    ProgramFunction.register(on: handle)
    sqlite3_create_function_v2(
      handle, "copal_calc_decimal_text", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      nil,
      { context, _, arguments in
        guard let context, let arguments, let number = arguments[0], let scale = arguments[1],
          sqlite3_value_type(number) == SQLITE_INTEGER
        else { return }
        SQLiteValue.set(
          .decimal(
            DecimalText.decimal(
              scaled: sqlite3_value_int64(number), by: Int(sqlite3_value_int(scale)))), context)
      }, nil, nil, nil)
  }

  private static func registerExactDecimal(on handle: OpaquePointer) {
    sqlite3_create_function_v2(
      handle, "copal_calc_exact_decimal", 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        guard let context, let arguments, let number = arguments[0],
          case .double(let double) = SQLiteValue.read(number, UInt8(ascii: "r"))
        else { return }
        SQLiteValue.set(.string(DecimalText.exact(double)), context)
      }, nil, nil, nil)
  }

  private static func run(
    _ context: OpaquePointer, _ types: UnsafeBufferPointer<UInt8>,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>, count: Int
  ) {
    let position = Int(bitPattern: sqlite3_user_data(context)) - 1
    guard functions.indices.contains(position), types.count == count else { return }
    var values: [PropertyValue] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      guard let argument = arguments[index] else { return }
      let value = SQLiteValue.read(argument, types[index])
      // The result is null unless it is set.
      if value.isNull { return }
      values.append(value)
    }
    SQLiteValue.set(ValueFunction.apply(functions[position].function, values), context)
  }
}

/// Values of the model as arguments and results of SQL functions.
enum SQLiteValue {
  /// The value of an argument, of the type with a letter; null for a value of another type.
  static func read(_ argument: OpaquePointer, _ letter: UInt8) -> PropertyValue {
    switch (Unicode.Scalar(letter), sqlite3_value_type(argument)) {
    case ("i", SQLITE_INTEGER): return .integer(sqlite3_value_int64(argument))
    case ("r", SQLITE_FLOAT), ("r", SQLITE_INTEGER):
      return .double(sqlite3_value_double(argument) + 0)
    case ("t", SQLITE_FLOAT), ("t", SQLITE_INTEGER):
      return .date(Date(storedSeconds: sqlite3_value_double(argument)))
    case ("b", SQLITE_INTEGER): return .boolean(sqlite3_value_int64(argument) != 0)
    case ("d", SQLITE_TEXT):
      return DecimalText.parse(UnsafeRawBufferPointer(argument.text)).map { .decimal($0) } ?? .null
    case ("s", SQLITE_TEXT):
      return argument.readableText.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
    case ("l", SQLITE_TEXT):
      return URL(string: String(decoding: argument.text, as: UTF8.self)).map { .uri($0) } ?? .null
    case ("x", SQLITE_BLOB):
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(argument), count: Int(sqlite3_value_bytes(argument)))
      return .binary(Data(bytes))
    case ("u", SQLITE_BLOB):
      guard sqlite3_value_bytes(argument) == 16, let bytes = sqlite3_value_blob(argument) else {
        return .null
      }
      return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    default: return .null
    }
  }

  /// Makes a value the result of a function.
  static func set(_ value: PropertyValue, _ context: OpaquePointer) {
    switch value {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .double(let number): sqlite3_result_double(context, number)
    case .boolean(let flag): sqlite3_result_int64(context, flag ? 1 : 0)
    case .date(let date): sqlite3_result_double(context, date.storedSeconds)
    case .decimal(let number): set(DecimalText.string(number), context)
    case .string(let text): set(text, context)
    case .uri(let url): set(url.absoluteString, context)
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { set($0, context) }
    case .binary(let data): data.withUnsafeBytes { set($0, context) }
    case .null, .object: sqlite3_result_null(context)
    }
  }

  private static func set(_ bytes: UnsafeRawBufferPointer, _ context: OpaquePointer) {
    // Without an address, SQLite would make a null of no bytes.
    guard let start = bytes.baseAddress else { return sqlite3_result_zeroblob(context, 0) }
    sqlite3_result_blob64(context, start, UInt64(bytes.count), SQLiteBytes.copied)
  }

  private static func set(_ text: String, _ context: OpaquePointer) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        // SQLITE_TRANSIENT: SQLite copies the text.
        sqlite3_result_text64(
          context, bytes.baseAddress, UInt64(bytes.count),
          SQLiteBytes.copied, UInt8(SQLITE_UTF8))
      }
    }
  }
}
