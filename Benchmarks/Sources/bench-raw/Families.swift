import BenchKit
import CBenchSQLite
import Foundation

/// What three kinds of rows have in common.
struct Asset {
  var key: Int64
  var version: Int64
  var name: String
  var count: Int64
  var ratio: Double

  static let columns = ["copal_id", "copal_version", "name", "count", "ratio"]

  /// Reads the current row of a statement, and checks storage classes and nullability as Copal
  /// does.
  @inline(__always)
  init(_ statement: OpaquePointer) throws {
    key = sqlite3_column_int64(statement, 0)
    version = sqlite3_column_int64(statement, 1)
    guard sqlite3_column_type(statement, 2) == SQLITE_TEXT,
      sqlite3_column_type(statement, 3) == SQLITE_INTEGER,
      sqlite3_column_type(statement, 4) == SQLITE_FLOAT
    else { throw Failure(message: "a column holds what it should not") }
    name = Item.text(statement, 2)
    count = sqlite3_column_int64(statement, 3)
    ratio = sqlite3_column_double(statement, 4)
  }
}

struct Picture {
  var asset: Asset
  var flag: Bool
  var color: Data
  var price: Double

  static let columns = ["flag", "color", "price"]

  @inline(__always)
  init(_ statement: OpaquePointer, _ first: Int32 = 5) throws {
    asset = try Asset(statement)
    guard sqlite3_column_type(statement, first) == SQLITE_INTEGER,
      sqlite3_column_type(statement, first + 1) == SQLITE_BLOB,
      sqlite3_column_type(statement, first + 2) == SQLITE_FLOAT
    else { throw Failure(message: "a column holds what it should not") }
    flag = sqlite3_column_int64(statement, first) != 0
    let count = Int(sqlite3_column_bytes(statement, first + 1))
    color =
      sqlite3_column_blob(statement, first + 1).map { Data(bytes: $0, count: count) } ?? Data()
    price = sqlite3_column_double(statement, first + 2)
  }
}

struct Sound {
  var asset: Asset
  var created: Double

  @inline(__always)
  init(_ statement: OpaquePointer) throws {
    asset = try Asset(statement)
    guard sqlite3_column_type(statement, 8) == SQLITE_FLOAT else {
      throw Failure(message: "a column holds what it should not")
    }
    created = sqlite3_column_double(statement, 8)
  }
}

struct Memo {
  var asset: Asset
  var note: String?

  @inline(__always)
  init(_ statement: OpaquePointer) throws {
    asset = try Asset(statement)
    switch sqlite3_column_type(statement, 9) {
    case SQLITE_NULL: note = nil
    case SQLITE_TEXT: note = Item.text(statement, 9)
    default: throw Failure(message: "a column holds what it should not")
    }
  }
}

/// One of the three structs, as a careful program keeps rows of several kinds.
enum Kind {
  case picture(Picture)
  case sound(Sound)
  case memo(Memo)

  static let columns = Asset.columns + Picture.columns + ["created", "note", "copal_entity"]

  /// Compares the bytes of the name of the row's entity, without making a text of them.
  @inline(__always)
  init(_ statement: OpaquePointer) throws {
    guard sqlite3_column_type(statement, 10) == SQLITE_TEXT,
      let name = sqlite3_column_text(statement, 10)
    else { throw Failure(message: "a column holds what it should not") }
    let bytes = UnsafeBufferPointer(start: name, count: Int(sqlite3_column_bytes(statement, 10)))
    if bytes.elementsEqual("Picture".utf8) {
      self = .picture(try Picture(statement))
    } else if bytes.elementsEqual("Sound".utf8) {
      self = .sound(try Sound(statement))
    } else if bytes.elementsEqual("Memo".utf8) {
      self = .memo(try Memo(statement))
    } else {
      throw Failure(message: "a column holds what it should not")
    }
  }
}

extension Checksum {
  @inline(__always)
  mutating func add(_ asset: Asset) {
    add(asset.name)
    add(asset.count)
    add(asset.ratio)
  }

  @inline(__always)
  mutating func add(_ picture: Picture) {
    add(picture.asset)
    add(picture.flag)
    add(bytes: picture.color.count, first: picture.color.first ?? 0)
    add(picture.price)
  }
}

private func read<R>(
  _ database: Database, _ sql: String, _ row: (OpaquePointer) throws -> R
) throws -> [R] {
  let statement = try database.prepare(sql)
  defer { sqlite3_finalize(statement) }
  var rows: [R] = []
  while true {
    let code = sqlite3_step(statement)
    if code == SQLITE_DONE { return rows }
    try database.check(code)
    rows.append(try row(statement))
  }
}

func familyWork(_ workload: FamilyWorkload, _ rows: Int, _ file: String) throws
  -> () throws -> UInt64
{
  let database = try Database(file)
  let pictures = (Asset.columns + Picture.columns).joined(separator: ", ")
  func sum(_ sql: String) throws -> UInt64 {
    var sum = Checksum()
    for picture in try read(database, sql, { try Picture($0) }) { sum.add(picture) }
    return sum.value
  }
  switch workload {
  // The rows are made by Copal: nothing is compared.
  case .insertKinds: return { UInt64(rows) }
  case .kinds:
    return {
      let columns = Kind.columns.joined(separator: ", ")
      var sum = Checksum()
      for kind in try read(
        database, "SELECT \(columns) FROM Asset ORDER BY copal_id", { try Kind($0) })
      {
        switch kind {
        case .picture(let picture): sum.add(picture)
        case .sound(let sound):
          sum.add(sound.asset)
          sum.add(sound.created)
        case .memo(let memo):
          sum.add(memo.asset)
          sum.add(memo.note)
        }
      }
      return sum.value
    }
  case .oneKind:
    return {
      try sum(
        "SELECT \(pictures) FROM Asset WHERE copal_entity = 'Picture' ORDER BY copal_id")
    }
  case .aloneKind: return { try sum("SELECT \(pictures) FROM Single ORDER BY copal_id") }
  }
}
