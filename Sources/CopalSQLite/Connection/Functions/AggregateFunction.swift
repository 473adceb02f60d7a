import CCopalSQLite
import CopalModel
import CopalSQL
import CopalStore

/// The SQL functions for exact sums and averages: `copal_calc_sum_decimal("price", 2)`.
///
/// The second argument is the scale of decimals that are integers. The sum of no values is zero.
/// SQLite's own `sum` has an error for an overflow of integers, adds decimals as doubles, and
/// depends on the order of doubles.
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

  /// What SQLite keeps between two rows; zero at first.
  private struct Kept {
    /// The sum of integers, and of decimals that are integers: 128 bits.
    var low: UInt64
    var high: Int64
    var count: Int64
    /// The scale of these decimals.
    var scale: Int64
    /// A retained ``State`` for other values; nil for none.
    var state: UnsafeRawPointer?

    @inline(__always)
    mutating func add(_ number: Int64) {
      let (sum, carry) = low.addingReportingOverflow(UInt64(bitPattern: number))
      low = sum
      high &+= (number >> 63) &+ (carry ? 1 : 0)
      count &+= 1
    }

    var sum: Int128 { Int128(high) << 64 | Int128(low) }
  }

  /// An aggregate of values that are no integers.
  private final class State {
    var aggregate: ValueAggregate
    let letter: UInt8

    init(_ aggregate: ValueAggregate, _ letter: UInt8) {
      self.aggregate = aggregate
      self.letter = letter
    }
  }

  private static func step(
    _ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32
  ) {
    guard let value = arguments[0],
      let place = sqlite3_aggregate_context(context, Int32(MemoryLayout<Kept>.size))
    else { return sqlite3_result_error_nomem(context) }
    let kept = place.assumingMemoryBound(to: Kept.self)
    if count == 2 || isOfIntegers(context) {
      // A null is left out.
      guard sqlite3_value_type(value) == SQLITE_INTEGER else { return }
      if count == 2, kept.pointee.count == 0 {
        kept.pointee.scale = arguments[1].map { sqlite3_value_int64($0) } ?? 0
      }
      return kept.pointee.add(sqlite3_value_int64(value))
    }
    if kept.pointee.state == nil {
      let letter = CalculationFunction.letter(of: function(context).type).utf8.first ?? 0
      let made = Unmanaged.passRetained(State(empty(context), letter))
      kept.pointee.state = UnsafeRawPointer(made.toOpaque())
    }
    guard let state = kept.pointee.state else { return }
    Unmanaged<State>.fromOpaque(state)._withUnsafeGuaranteedRef {
      // Most decimals are short texts, which need not become a Decimal.
      if $0.letter == UInt8(ascii: "d"), sqlite3_value_type(value) == SQLITE_TEXT,
        let parts = DecimalText.parts(UnsafeRawBufferPointer(value.text))
      {
        return $0.aggregate.add(parts.mantissa, exponent: parts.exponent)
      }
      $0.aggregate.add(SQLiteValue.read(value, $0.letter))
    }
  }

  private static func isOfIntegers(_ context: OpaquePointer) -> Bool {
    functions[Int(bitPattern: sqlite3_user_data(context)) - 1].type == .integer
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
    guard let place = sqlite3_aggregate_context(context, 0) else {
      return SQLiteValue.set(empty(context).result(), context)
    }
    let kept = place.assumingMemoryBound(to: Kept.self).pointee
    if let state = kept.state {
      let taken = Unmanaged<State>.fromOpaque(state).takeRetainedValue()
      return SQLiteValue.set(taken.aggregate.result(), context)
    }
    var aggregate = empty(context)
    aggregate.add(sum: kept.sum, count: kept.count)
    let scale = function(context).type == .decimal ? Int(kept.scale) : nil
    SQLiteValue.set(aggregate.result(scale: scale), context)
  }
}
