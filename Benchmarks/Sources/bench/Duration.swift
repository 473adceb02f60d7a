import BenchKit

/// The duration of one measurement in seconds, from start to end of its process, on the machine of
/// ``QuietCheck/usualMilliseconds``. Only for estimates.
enum Duration {
  /// Making the data, the work, and the runner's own work before and after.
  static func seconds(_ program: Program, _ workload: any ProgramWorkload, _ rows: Int) -> Double {
    guard let workload = workload as? Workload else {
      return start(program) + Double(rows) / 100_000 * (program == .grdb ? 1 : 0.5)
    }
    let work = Double(rows) / 100_000 * atHundredThousand(program, workload)
    return start(program) + work + constant(program, workload)
  }

  private static func start(_ program: Program) -> Double { program == .sqlalchemy ? 0.7 : 0.05 }

  /// The part that grows with the rows.
  private static func atHundredThousand(_ program: Program, _ workload: Workload) -> Double {
    let isPython = program == .sqlalchemy
    return switch workload {
    case .insert: isPython ? 14 : (program == .grdb ? 1.6 : 0.7)
    case .fetchAll, .fetchOne: isPython ? 2.2 : 0.25
    case .ids: isPython ? 0.3 : 0.05
    case .filter: isPython ? 1.3 : 0.4
    case .update, .delete: isPython ? 0.9 : 0.3
    case .get, .getReading, .reopen: 0.05
    }
  }

  /// The constant part.
  private static func constant(_ program: Program, _ workload: Workload) -> Double {
    let isPeer = program == .sqlalchemy || program == .grdb
    return switch workload {
    case .get, .getReading: isPeer ? 1.3 : 0.1
    case .reopen: isPeer ? 0.5 : 0.15
    default: 0
    }
  }

  static let accessors = 5.0
  static let external = 15.0

  /// A workload whose cost grows as it should; one that grows with the square is stopped by the
  /// budget.
  static func seconds(_ workload: any SizedWorkload, _ size: Int, budget: Double) -> Double {
    let thousands = Double(size) / 1000
    let seconds =
      switch workload as? GrowthWorkload {
      case nil: 0.2 + thousands * 0.03
      case .countPending, .idsPending, .limitPending: 0.7 + thousands * 0.003
      case .findOrCreate: 0.2 + thousands * 0.02
      case .limitBesideChanges, .countBesideChanges, .batchBesideObjects, .undoBesideObjects:
        0.6 + thousands * 0.005
      case .besidePending: 0.8 + thousands * 0.003
      case .becoming: 0.2 + thousands * 0.03
      case .idAfterTurns: 0.8 + thousands * 0.02
      case .range: 0.5 + thousands * 0.002
      case .openModel: 0.4 + thousands * 4
      case .conditionTexts: 0.4 + thousands * 0.02
      case .memoryUnsaved: 0.2 + thousands * 0.002
      case .memorySaved, .memoryTurns: 0.2 + thousands * 0.015
      }
    return min(seconds, budget + 2)
  }
}
