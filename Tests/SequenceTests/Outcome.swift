import Copal

/// What a call gave, or the code of what it threw.
enum Outcome<Result> {
  case success(Result)
  case failure(PersistenceError.Code)
}

extension Outcome: Equatable where Result: Equatable {}

/// What a call gives that has no result.
struct Nothing: Equatable {}

func outcome<Result>(_ body: () throws -> Result) -> Outcome<Result> {
  do {
    return .success(try body())
  } catch let error as PersistenceError {
    return .failure(error.code)
  } catch PlainFailure.code(let code) {
    return .failure(code)
  } catch {
    return .failure(PersistenceError.Code(rawValue: "another error: \(error)"))
  }
}

func outcome(_ body: () throws -> Void) -> Outcome<Nothing> {
  outcome {
    try body()
    return Nothing()
  }
}

extension SequenceRun {
  func compare<Result: Equatable>(_ found: Outcome<Result>, _ expected: Outcome<Result>) throws {
    if case .failure(let code) = found { noteOutcome("\(code)") }
    try require(found == expected, "\(found) instead of \(expected)")
  }
}
