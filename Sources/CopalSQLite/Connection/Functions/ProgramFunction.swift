import CCopalSQLite
import CopalModel
import CopalStore

/// The SQL function that runs a ``CalculationProgram``, for example `copal_calc_run('i i add r
/// multiply', …)`: the steps as a text, and then the inputs.
///
/// The functions of a calculation with many levels would be too deep for the parser of SQLite.
enum ProgramFunction {
  private static let choice = "choose"

  /// A letter for each input, and the name of each function.
  static func text(of steps: [CalculationProgram.Step]) -> String {
    steps.map { step in
      switch step {
      case .input(let type): CalculationFunction.letter(of: type)
      case .call(let function): function.rawValue
      case .choice: choice
      }
    }.joined(separator: " ")
  }

  /// The steps of a text as they are run.
  private final class Kept {
    let steps: [CalculationProgram.Step]
    /// The letters of the inputs, at their positions.
    let letters: [UInt8]

    init(_ text: UnsafeBufferPointer<UInt8>) {
      var letters: [UInt8] = []
      steps = text.split(separator: UInt8(ascii: " ")).compactMap { word in
        if word.count == 1, let letter = word.first {
          letters.append(letter)
          // The letter says how the input is read.
          return .input(.integer)
        }
        let word = String(decoding: word, as: UTF8.self)
        return word == choice ? .choice : FetchFunction(rawValue: word).map { .call($0) }
      }
      self.letters = letters
    }
  }

  static func register(on handle: OpaquePointer) {
    sqlite3_create_function_v2(
      handle, "copal_calc_run", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, count, arguments in
        guard let context, let arguments, count > 0, let text = arguments[0] else { return }
        let program = ProgramFunction.kept(context, text)
        guard program.letters.count == count - 1 else { return }
        let result = CalculationProgram.run(program.steps) { position in
          arguments[position + 1].map { SQLiteValue.read($0, program.letters[position]) } ?? .null
        }
        SQLiteValue.set(result, context)
      }, nil, nil, nil)
  }

  /// The steps, read once for all rows: SQLite keeps data for an argument that is constant.
  /// https://www.sqlite.org/c3ref/get_auxdata.html
  private static func kept(_ context: OpaquePointer, _ text: OpaquePointer) -> Kept {
    if let kept = sqlite3_get_auxdata(context, 0) {
      return Unmanaged<Kept>.fromOpaque(kept).takeUnretainedValue()
    }
    let kept = Kept(text.text)
    sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(kept).toOpaque()) { pointer in
      if let pointer { Unmanaged<Kept>.fromOpaque(pointer).release() }
    }
    return kept
  }
}
