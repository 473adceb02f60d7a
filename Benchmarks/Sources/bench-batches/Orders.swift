import BenchSQLite
import CBenchSQLite
import Copal
import Foundation
import OrderModel

/// A line of an order, as a file of an import has it: with the number of its order.
struct ImportedLine {
  var text: String
  var quantity: Int64
  var price: Double
  var order: Int64

  static func make(_ count: Int, orders: Int) -> [ImportedLine] {
    (0..<count).map { number in
      ImportedLine(
        text: "Article \(number * 7919 % count)", quantity: Int64(number % 9 + 1),
        price: Double(number % 1000) / 8, order: Int64(1000 + number * 31 % orders))
    }
  }
}

/// A store with orders and no lines.
func makeOrders(_ count: Int, at file: URL) throws {
  let container = try PersistentContainer(model: .orders, store: .sqlite(at: file))
  try container.makeContext().insertAll(Order.self, from: 0..<count) { order, number in
    order.number.set(to: Int64(1000 + number))
  }
}

func importWithCopal(_ lines: [ImportedLine]) -> (URL) throws -> () throws -> Void {
  { file in
    let context = try PersistentContainer(model: .orders, store: .sqlite(at: file)).makeContext()
    return {
      let ids = try context.insertAll(OrderLine.self, from: lines) { line, imported in
        line.text.set(to: imported.text)
        line.quantity.set(to: imported.quantity)
        line.price.set(to: imported.price)
        line.order.set(toObjectWhere: \.number, imported.order)
      }
      guard ids.count == lines.count else { throw Failure() }
    }
  }
}

func importWithRaw(_ lines: [ImportedLine]) -> (URL) throws -> () throws -> Void {
  { file in
    let raw = try RawConnection(file)
    return {
      try raw.run("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
      var statement: OpaquePointer?
      let sql = """
        INSERT INTO OrderLine (copal_version, text, quantity, price, "order")
        VALUES (1, ?, ?, ?, (SELECT copal_id FROM "Order" WHERE number = ?))
        """
      guard sqlite3_prepare_v2(raw.database, sql, -1, &statement, nil) == SQLITE_OK else {
        throw raw.failure
      }
      defer { sqlite3_finalize(statement) }
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      for line in lines {
        sqlite3_bind_text(statement, 1, line.text, -1, copied)
        sqlite3_bind_int64(statement, 2, line.quantity)
        sqlite3_bind_double(statement, 3, line.price)
        sqlite3_bind_int64(statement, 4, line.order)
        guard sqlite3_step(statement) == SQLITE_DONE else { throw raw.failure }
        sqlite3_reset(statement)
      }
      try raw.run("COMMIT")
    }
  }
}
