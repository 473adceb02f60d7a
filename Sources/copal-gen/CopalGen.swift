import CopalCodegen
import CopalModel
import Foundation

/// The tool of the build plugin: writes the Swift source file of one model.
///
/// ```
/// copal-gen --model Models/Colors.model.json --output Colors+Copal.swift --module Atelier
/// ```
///
/// Problems and warnings of the model go to the standard error as a compiler's diagnostics. The
/// exit code is 0 when the file is written, with or without warnings, 1 when there is a problem,
/// and 64 when the arguments make no sense.
@main
struct CopalGen {
  static func main() {
    // Prints the diagnostics of the plugin, which a plugin cannot print in this format.
    if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--problem" {
      end(CommandLine.arguments[2], code: 1)
    }
    if CommandLine.arguments.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) {
      print(GenArguments.usage)
      return
    }
    do {
      let arguments = try GenArguments(CommandLine.arguments.dropFirst())
      try generate(arguments)
    } catch let problem as GenArguments.Problem {
      end(problem.sentence + "\n" + GenArguments.usage, code: 64)
    } catch let error as ModelError {
      end(error.description, code: 1)
    } catch let error as CodegenError {
      end(error.description, code: 1)
    } catch {
      end("error: \(error.localizedDescription)", code: 1)
    }
  }

  private static func generate(_ arguments: GenArguments) throws {
    let file = URL(filePath: arguments.model)
    let model = try ManagedObjectModel(contentsOf: file)
    let text = try String(contentsOf: file, encoding: .utf8)
    var generator = CodeGenerator(
      model, file: arguments.model, module: arguments.module, text: text)
    generator.otherModels = arguments.beside.compactMap { file in
      // What is wrong with another model is reported when its own code is generated.
      (try? ManagedObjectModel(contentsOf: URL(filePath: file))).map { (file, $0) }
    }
    generator.missingProduct = arguments.missing.map {
      CodeGenerator.MissingProduct($0.product, target: $0.target, dependency: $0.dependency)
    }
    for warning in generator.warnings {
      let line = warning.description
      report(
        arguments.warningsAreErrors
          ? line.replacing("warning: ", with: "error: ", maxReplacements: 1) : line)
    }
    if arguments.warningsAreErrors, !generator.warnings.isEmpty { exit(1) }
    try write(try generator.swiftText(), to: URL(filePath: arguments.output))
  }

  /// Writes the file atomically. Does not touch a file with the same text, so that reformatting a
  /// model file does not cause a rebuild.
  private static func write(_ code: String, to file: URL) throws {
    let data = Data(code.utf8)
    if let old = try? Data(contentsOf: file), old == data { return }
    do {
      try data.write(to: file, options: .atomic)
    } catch {
      throw GenFailure(errorDescription: "cannot write \(file.path): \(error.localizedDescription)")
    }
  }

  private static func end(_ message: String, code: Int32) -> Never {
    report(message)
    exit(code)
  }

  private static func report(_ message: String) {
    FileHandle.standardError.write(Data((message + "\n").utf8))
  }
}

/// A failure that is not a problem of the model.
struct GenFailure: LocalizedError {
  let errorDescription: String?
}
