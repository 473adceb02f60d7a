/// The arguments of the tool.
struct GenArguments {
  static let usage = """
    usage: copal-gen --model NAME.model.json --output NAME+Copal.swift [--module MODULE]
                     [--beside OTHER.model.json]...
                     [--missing PRODUCT --target TARGET --dependency LINE]
                     [--warnings error]
    """

  /// The path of the model's file.
  let model: String
  /// The path of the source file to write.
  let output: String
  /// The module of the source file.
  let module: String?
  /// The paths of other models of the module.
  private(set) var beside: [String] = []
  /// Whether a warning is an error.
  let warningsAreErrors: Bool
  /// A product that the module's target does not depend on: its name, that of the target, and the
  /// dependency as `Package.swift` has it.
  let missing: (product: String, target: String, dependency: String)?

  /// - Throws: ``Problem`` when an option is unknown, given twice, or has no value.
  init(_ arguments: some Sequence<String>) throws(Problem) {
    var values: [String: String] = [:]
    var option: String?
    for argument in arguments {
      if let name = option {
        guard !argument.isEmpty else {
          throw Problem(sentence: "error: \(name) has an empty value")
        }
        if name == "--beside" { beside.append(argument) } else { values[name] = argument }
        option = nil
      } else {
        guard Self.options.contains(argument) else {
          throw Problem(sentence: "error: unknown argument '\(argument)'")
        }
        guard values[argument] == nil else {
          throw Problem(sentence: "error: \(argument) is given twice")
        }
        option = argument
      }
    }
    if let option { throw Problem(sentence: "error: \(option) needs a value") }
    model = try Self.required("--model", of: values)
    output = try Self.required("--output", of: values)
    module = values["--module"]
    guard ["error", "warning", nil].contains(values["--warnings"]) else {
      throw Problem(sentence: "error: --warnings is 'error' or 'warning'")
    }
    warningsAreErrors = values["--warnings"] == "error"
    missing =
      try values["--missing"].map { product throws(Problem) in
        (
          product, try Self.required("--target", of: values),
          try Self.required("--dependency", of: values)
        )
      }
  }

  private static let options = [
    "--model", "--output", "--module", "--beside", "--missing", "--target", "--dependency",
    "--warnings",
  ]

  private static func required(
    _ name: String, of values: [String: String]
  ) throws(Problem) -> String {
    guard let value = values[name] else { throw Problem(sentence: "error: \(name) is missing") }
    return value
  }

  /// Why the arguments are invalid.
  struct Problem: Error {
    let sentence: String
  }
}
