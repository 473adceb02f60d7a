import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Type mismatches in a file")
struct TypeMismatchTests {
  private let test: TestStore
  private let tester: StoreTester

  init() throws {
    test = try TestStore()
    tester = try test.storeTester(StoreModels.sampler())
  }

  private func row(_ column: String, _ sql: String) throws -> StoredRow {
    let key = try tester.insert([:])
    #expect(
      try test.sqlite3("UPDATE Sample SET \(column) = \(sql) WHERE copal_id = \(key)") == "")
    return try tester.row(key)
  }

  @Test(
    "a value that Copal cannot have written is marked in its row",
    arguments: [
      ("flag", "2"), ("flag", "-1"), ("flag", "9223372036854775807"), ("single", "1e300"),
      ("single", "-1e39"), ("single", "3.5e38"), ("amount", "''"), ("amount", "'007'"),
      ("amount", "'1.50'"), ("amount", "'-0'"), ("amount", "'0.0'"), ("amount", "'00'"),
      ("mark", "x''"), ("mark", "x'0102'"), ("mark", "zeroblob(17)"),
      ("text", "CAST(x'ff' AS TEXT)"), ("text", "CAST(x'61c3' AS TEXT)"),
      ("text", "CAST(x'eda080' AS TEXT)"),
    ])
  func marked(column: String, sql: String) throws {
    let row = try row(column, sql)
    #expect(row.row.hasTypeMismatch && row[column] == .null)
    #expect(row.typeMismatch(column) == .malformed)
    // A save of another value does not change it, and setting a value replaces it.
    try tester.update(row, ["whole": 5])
    let same = "SELECT \(column) IS \(sql) FROM Sample WHERE copal_id = \(row.key)"
    #expect(try test.sqlite3(same) == "1")
    let zero = try #require(SampleValues.zeros[column])
    try tester.update(tester.row(row.key), [column: zero])
    #expect(try tester.row(row.key)[column] == zero && !tester.row(row.key).row.hasTypeMismatch)
  }

  @Test(
    "a mismatch that only decoding finds reads as no value",
    arguments: [
      ("link", "'https://example.com/a b'"), ("link", "''"), ("link", "'a%zz'"),
      ("link", "CAST(x'61ff' AS TEXT)"), ("amount", "'1e5'"), ("amount", "'+1'"),
      ("amount", "'.5'"), ("amount", "'1'||x'00'"),
    ])
  func undecodable(column: String, sql: String) throws {
    let row = try row(column, sql)
    #expect(row[column] == .null && row.typeMismatch(column) == nil)
    let slot = try #require(row.layout.slotByName[column])
    #expect(!PackedRowValues.isNull(row.row.base, slot))
  }

  @Test(
    "a query finds a value of another program by the value that is read",
    arguments: [
      ("flag", "1"), ("flag", "0"), ("single", "0.1"), ("single", "-0.1"), ("single", "3.4e38"),
      ("single", "1e-60"), ("single", "16777217.0"), ("single", "0.30000001"), ("real", "0.1"),
      ("amount", "'1.5'"), ("amount", "'-7'"), ("amount", "'0'"), ("price", "150"),
      ("mark", "x'00112233445566778899aabbccddeeff'"), ("text", "'é' || char(0) || 'x'"),
      ("text", "''"), ("link", "'https://example.com/a%20b'"), ("instant", "86400.5"),
      ("bytes", "x''"), ("whole", "-9223372036854775808"),
    ])
  func found(column: String, sql: String) throws {
    let row = try row(column, sql)
    let value = row[column]
    #expect(!row.row.hasTypeMismatch && !value.isNull)
    let isValue = FetchPredicate.comparison(.property(column), .equal, .constant(value))
    let isListed = FetchPredicate.isIn(.property(column), [value])
    let isInLongList = FetchPredicate.isIn(
      .property(column), [PropertyValue](repeating: value, count: 200))
    for predicate in [isValue, isListed, isInLongList] {
      #expect(try tester.keys(predicate) == [row.key])
      #expect(try tester.keys(.not(predicate)) == [])
    }
    for comparison in [FetchPredicate.Operator.less, .greater] {
      #expect(
        try tester.keys(.comparison(.property(column), comparison, .constant(value))) == [])
    }
  }

  @Test("a double in a float column is compared as the float that is read: 3,000 conditions")
  func floats() throws {
    var random = SplitMix(seed: 32)
    let floats: [Float] = [
      0, 0.1, -0.1, 1, 1.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      .leastNormalMagnitude / 3,
    ]
    /// Doubles at the boundaries between floats, and some of their neighbors.
    let doubles =
      floats.flatMap { float in
        let range = FloatRounding.doubles(nearest: float)
        return [
          Double(float), range.lowerBound, range.upperBound, range.lowerBound.nextDown,
          range.lowerBound.nextUp, range.upperBound.nextUp, -range.upperBound,
        ]
      }.filter { FloatRounding.rounded($0) != nil } + [.infinity, -.infinity]
    let sql = doubles.map { number in
      let text = number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : "\(number)"
      return """
        INSERT INTO Sample (copal_version, copal_entity, single, real) \
        VALUES (1, 'Sample', \(text), \(text))
        """
    }
    #expect(try test.sqlite3(sql.joined(separator: ";")) == "")
    let rows = try tester.rows()
    #expect(rows.count == doubles.count)
    for _ in 0..<3000 {
      let name = FetchExpression.property("single")
      let constant = PropertyValue.double(
        doubles[Int.random(in: 0..<doubles.count, using: &random)])
      let comparison = FetchPredicate.Operator.allCases[Int.random(in: 0..<6, using: &random)]
      let predicate: FetchPredicate =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .comparison(name, comparison, .property("real"))
        case 1: .isIn(name, [constant, 0.0])
        case 2: .not(.comparison(name, comparison, .constant(constant)))
        default: .comparison(name, comparison, .constant(constant))
        }
      let query = try tester.query(predicate)
      let expected = rows.filter { row in
        withExtendedLifetime(row.row) {
          QueryEvaluator(query).matches(
            ClosureSubject(key: row.key, entity: query.entity) {
              row.layout.value(row.row.base, $0)
            })
        }
      }
      #expect(try tester.keys(predicate) == expected.map(\.key), "\(predicate)")
    }
  }
}
