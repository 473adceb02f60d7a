import CopalModel

/// The code of one initializer: it inserts an object, and sets the properties that it is given.
struct InitializerCode {
  let documentation: String
  /// The parameters after the context, in their order.
  let parameters: [Parameter]

  /// One property that the initializer sets.
  struct Parameter {
    /// The name of the property as a Swift identifier, quoted if necessary.
    let name: String
    /// The type of the parameter, with its default.
    let type: String
    /// The statement that sets the property.
    let statement: String
    /// Where the model names the class of the value; nil when it names none.
    let position: ModelProblem.Position?
  }

  /// Writes the initializer.
  func write(access: String, to code: inout SourceLines) {
    // Of two parameters with one label, the inner names must differ.
    let context = parameters.contains { $0.name == "context" } ? "_copalContext" : "context"
    let first = (context == "context" ? "" : "context ") + "\(context): ManagedObjectContext"
    let list = [first] + parameters.map { "\($0.name): \($0.type)" }
    let statements = ["self.init(context: \(context))"] + parameters.map(\.statement)
    code.comment(documentation)
    let line = "\(access)convenience init(\(list.joined(separator: ", ")))"
    // With several classes there is no single line; the properties have the lines of their classes.
    let positions = parameters.compactMap(\.position)
    if positions.count == 1 {
      code.located(at: positions.first) { $0.line("\(line) {") }
    } else if line.count + code.indentation + 2 <= SourceLines.width {
      code.line("\(line) {")
    } else {
      code.line("\(access)convenience init(")
      for (index, parameter) in list.enumerated() {
        code.line("  \(parameter)\(index == list.count - 1 ? "" : ",")")
      }
      code.line(") {")
    }
    code.indented { code in
      for statement in statements { code.line(statement) }
    }
    code.line("}")
  }
}

extension InitializerCode.Parameter {
  /// A value that must be given.
  init(
    required name: String, _ type: String, _ assignment: String,
    at position: ModelProblem.Position? = nil
  ) {
    self.init(name: name, type: type, statement: assignment, position: position)
  }

  /// A value that can be left out, or given as nil: both leave what the model and
  /// `awakeFromInsert()` give.
  init(
    optional name: String, _ type: String, _ assignment: String,
    at position: ModelProblem.Position? = nil
  ) {
    self.init(
      name: name, type: "\(type)? = nil", statement: "if let \(name) { \(assignment) }",
      position: position)
  }

  /// A value with the default of the model. If it is left out, or equal to the default, the
  /// property keeps what `awakeFromInsert()` has set.
  init(
    _ name: String, _ type: String, equalTo expression: String, _ assignment: String,
    at position: ModelProblem.Position? = nil
  ) {
    self.init(
      name: name, type: "\(type) = \(expression)",
      statement: "if \(name) != \(expression) { \(assignment) }", position: position)
  }
}
