import CCopalSQLite
import CopalModel
import CopalSQL
import CopalStore

/// The SQL functions for exact sums and averages: `copal_calc_sum_decimal("price", 2)`.
///
/// The second argument is the scale of decimals that are integers. The sum of no values is zero. SQLite's own
/// `sum` has an error for an overflow of integers, adds decimals as doubles, and depends on the order of doubles.
///
/// Used only in queries, never in the schema, so that other tools can open and check a store.
enum AggregateFunction {
  /// The functions. The position of a function is what SQLite passes to it.
  private static let functions:
    [(name: StaticString, aggregate: FetchAggregate, type: QueryValueType)] = [
      ("copal_calc_sum_integer", .sum, .integer), ("copal_calc_sum_double", .sum, .double),
      ("copal_calc_sum_decimal", .sum, .decimal),
      ("copal_calc_average_integer", .average, .integer),
      ("copal_calc_average_double", .average, .double),
      ("copal_calc_average_decimal", .average, .decimal),
    ]

  /// The name of a function in SQL.
  static func name(of aggregate: FetchAggregate, _ type: QueryValueType) -> SQLFragment {
    SQLFragment(
      stringLiteral: functions.first { $0.aggregate == aggregate && $0.type == type }?.name
        ?? "count")
  }

  static func register(on handle: OpaquePointer) {
    for (position, function) in functions.enumerated() {
      sqlite3_create_function_v2(
        handle, function.name.description, -1,
        SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
        UnsafeMutableRawPointer(bitPattern: position + 1), nil,
        { context, count, arguments in
          guard let context, let arguments, count >= 1 else { return }
          AggregateFunction.step(context, arguments, count)
        },
        { context in
          guard let context else { return }
          AggregateFunction.finish(context)
        }, nil)
    }
  }

  /// An aggregate that SQLite keeps between two rows.
  private final class State {
    var aggregate: ValueAggregate
    let letter: UInt8
    let scale: Int?

    init(_ aggregate: ValueAggregate, _ letter: UInt8, _ scale: Int?) {
      self.aggregate = aggregate
      self.letter = letter
      self.scale = scale
    }

    @inline(__always)
    func add(_ value: OpaquePointer) {
      // First the integers, which are the fastest.
      if sqlite3_value_type(value) == SQLITE_INTEGER, scale != nil || letter == UInt8(ascii: "i") {
        aggregate.add(sqlite3_value_int64(value))
      } else if scale == nil {
        aggregate.add(SQLiteValue.read(value, letter))
      }
    }
  }

  private static func step(
    _ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32
  ) {
    guard let value = arguments[0],
      let place = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size))
    else { return sqlite3_result_error_nomem(context) }
    let kept = place.assumingMemoryBound(to: UnsafeRawPointer?.self)
    if let state = kept.pointee {
      Unmanaged<State>.fromOpaque(state)._withUnsafeGuaranteedRef { $0.add(value) }
      return
    }
    let state = makeState(context, arguments, count)
    kept.pointee = UnsafeRawPointer(Unmanaged.passRetained(state).toOpaque())
    state.add(value)
  }

  private static func makeState(
    _ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32
  ) -> State {
    let scale = count > 1 ? arguments[1].map { Int(sqlite3_value_int($0)) } : nil
    let type = function(context).type
    let letter = CalculationFunction.letter(of: type).utf8.first ?? 0
    return State(empty(context), letter, scale)
  }

  private static func function(_ context: OpaquePointer) -> (
    name: StaticString, aggregate: FetchAggregate, type: QueryValueType
  ) {
    functions[Int(bitPattern: sqlite3_user_data(context)) - 1]
  }

  private static func empty(_ context: OpaquePointer) -> ValueAggregate {
    let function = function(context)
    return ValueAggregate(function.aggregate, of: function.type)
  }

  private static func finish(_ context: OpaquePointer) {
    // Nothing has been added: SQLite gives no memory then.
    guard let place = sqlite3_aggregate_context(context, 0),
      let state = place.assumingMemoryBound(to: UnsafeRawPointer?.self).pointee
    else { return SQLiteValue.set(empty(context).result(), context) }
    let taken = Unmanaged<State>.fromOpaque(state).takeRetainedValue()
    SQLiteValue.set(taken.aggregate.result(scale: taken.scale), context)
  }
}
