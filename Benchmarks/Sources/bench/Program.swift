import BenchKit

/// One of the programs that are compared.
enum Program: String, CaseIterable {
  case floor, raw, copal, grdb, sqlalchemy

  var title: String {
    switch self {
    case .floor: "floor"
    case .raw: "raw C"
    case .copal: "Copal"
    case .grdb: "GRDB"
    case .sqlalchemy: "SQLAlchemy"
    }
  }
}
