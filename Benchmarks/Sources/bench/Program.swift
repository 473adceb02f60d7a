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

  /// Whether the program does some work.
  func measures(_ workload: any ProgramWorkload) -> Bool {
    switch workload {
    case is RelationshipWorkload: [.raw, .copal, .grdb].contains(self)
    case is FamilyWorkload: [.raw, .copal].contains(self)
    default: true
    }
  }
}
