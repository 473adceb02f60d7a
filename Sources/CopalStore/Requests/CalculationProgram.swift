import CopalEssentials
public import CopalModel

/// A calculation as steps that use a stack, for a database whose parser has a limit for functions
/// inside functions.
///
/// `(a + b) * 2` has the inputs `a`, `b` and `2`, and the steps: input, input, add, input,
/// multiply. A calculation with many levels is one function of its inputs then. ``ValueFunction``
/// has the meaning of the steps, so the result is the same.
public struct CalculationProgram: Sendable, Hashable {
  /// One step. It takes its arguments from the stack, the last one first, and puts its result
  /// there.
  public enum Step: Sendable, Hashable {
    /// Puts the next input on the stack. Its type.
    case input(QueryValueType)
    /// Puts the value of a function there.
    case call(FetchFunction)
    /// The first one of two values if a boolean is true, else the second one. The boolean was put
    /// on the stack before them.
    case choice
  }

  /// What a program reads.
  package enum Input: Sendable, Hashable {
    case value(QueryCalculation)
    /// A boolean: whether a condition is true.
    case condition(QueryCondition)
  }

  /// The steps. The only value that is on the stack after the last one is the result.
  public private(set) var steps: [Step] = []
  package private(set) var inputs: [Input] = []

  /// Databases limit the number of arguments of a function: SQLite to 127, and fewer in older
  /// versions.
  package static let maximumInputs = 100

  /// The program of a calculation; nil where it would have fewer than two operations.
  package init?(_ calculation: QueryCalculation) {
    let operation = Operation(calculation)
    guard operation.height > 1 else { return nil }
    var room = Self.maximumInputs - 1
    self.init(operation, &room)
  }

  /// - Parameter room: how many more inputs the program can have. The deepest operand gets its part
  ///   first, because an operand without room becomes an input with its own functions.
  private init(_ operation: Operation, _ room: inout Int) {
    guard let step = operation.step, operation.operands.count <= room + 1 else {
      steps = [.input(operation.type)]
      inputs = [operation.source]
      return
    }
    room -= operation.operands.count - 1
    let order = operation.operands.indices.inOrder {
      operation.operands[$0].height > operation.operands[$1].height
    }
    var parts: [Int: CalculationProgram] = [:]
    for index in order { parts[index] = CalculationProgram(operation.operands[index], &room) }
    for index in operation.operands.indices {
      steps += parts[index]?.steps ?? []
      inputs += parts[index]?.inputs ?? []
    }
    steps.append(step)
  }

  /// A part of a calculation with its height.
  private struct Operation {
    let source: Input
    let type: QueryValueType
    /// Nil for an input.
    var step: Step?
    var operands: [Operation] = []
    /// The number of steps inside each other; 0 for an input.
    var height = 0

    init(_ calculation: QueryCalculation) {
      (source, type) = (.value(calculation), calculation.type)
      switch calculation.operation {
      case .call(let function, let arguments):
        self.set(.call(function), arguments.map(Operation.init))
      case .conditional(let condition, let first, let second):
        set(.choice, [Operation(condition), Operation(first), Operation(second)])
      default: break
      }
    }

    private init(_ condition: QueryCondition) { (source, type) = (.condition(condition), .boolean) }

    private mutating func set(_ step: Step, _ operands: [Operation]) {
      (self.step, self.operands) = (step, operands)
      height = 1 + (operands.lazy.map(\.height).max() ?? 0)
    }
  }
}

extension CalculationProgram {
  /// The result of some steps; null for steps that take more than the stack has.
  ///
  /// - Parameter input: the input at a position, of the type of its step.
  public static func run(_ steps: [Step], _ input: (Int) -> PropertyValue)
    -> PropertyValue
  {
    var stack: [PropertyValue] = []
    var next = 0
    for step in steps {
      switch step {
      case .input:
        stack.append(input(next))
        next += 1
      case .call(let function):
        guard stack.count >= function.argumentCount else { return .null }
        let arguments = Array(stack.suffix(function.argumentCount))
        stack.removeLast(function.argumentCount)
        stack.append(ValueFunction.apply(function, arguments))
      case .choice:
        guard let second = stack.popLast(), let first = stack.popLast(),
          let condition = stack.popLast()
        else { return .null }
        stack.append(condition == true ? first : second)
      }
    }
    return stack.count == 1 ? stack[0] : .null
  }
}
