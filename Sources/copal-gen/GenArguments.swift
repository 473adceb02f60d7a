/// The arguments of the tool.
struct GenArguments {
  static let usage =
    "usage: copal-gen --model NAME.model.json --output NAME+Copal.swift [--module MODULE]"

  /// The path of the model's file.
  let model: String
  /// The path of the source file to write.
  let output: String
  /// The module of the source file.
  let module: String?

  /// - Throws: ``Problem`` when an option is unknown, given twice, or has no value.
  init(_ arguments: some Sequence<String>) throws(Problem) {
    var values: [String: String] = [:]
    var option: String?
    for argument in arguments {
      if let name = option {
        guard !argument.isEmpty else {
          throw Problem(sentence: "error: \(name) has an empty value")
        }
        values[name] = argument
        option = nil
      } else {
        guard ["--model", "--output", "--module"].contains(argument) else {
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
  }

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
