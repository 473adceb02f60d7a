import Foundation
import PackagePlugin

/// Generates Swift from the models of a target in every build.
///
/// The models are the target's files with the suffix `.model.json`, and the files that the target's
/// `copal.json` lists. Each one becomes `NAME+Copal.swift` in the plugin's work directory.
@main
struct CopalPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let sources = target.sourceModule else {
      throw Problem("the target '\(target.name)' has no Swift sources to add generated code to")
    }
    let products = Products(of: target, in: context.package)
    guard !products.isMissing("Copal") else {
      throw Problem(
        """
        the target '\(target.name)' uses CopalPlugin, but does not depend on the product 'Copal', which \
        generated code imports; add \(products.dependency("Copal")) to the dependencies of the target in \
        Package.swift
        """)
    }
    let files = sources.sourceFiles.map(\.url)
    let lists = files.filter { $0.lastPathComponent == ModelList.fileName }
    let tool = try context.tool(named: "copal-gen").url
    let listed: [URL]
    let warnings: [String]
    do {
      let root = context.package.directoryURL
      let read = try lists.map { try ModelList(file: $0) }
      listed = try read.flatMap { try $0.models(in: root) }
      warnings = read.contains(where: \.warningsAreErrors) ? ["--warnings", "error"] : []
    } catch let diagnostic as ModelList.Diagnostic {
      // SwiftPM adds a prefix to errors that a plugin throws, and editors then do not find the
      // location. The output of a tool is passed through unchanged.
      return [
        .buildCommand(
          displayName: "Copal: \(ModelList.fileName)", executable: tool,
          arguments: ["--problem", diagnostic.description], inputFiles: lists,
          outputFiles: [context.pluginWorkDirectoryURL.appending(path: "copal.json.swift")])
      ]
    }
    let models = try unique(files.filter { $0.lastPathComponent.hasSuffix(suffix) } + listed)
      .sorted { $0.path < $1.path }
    guard !models.isEmpty else {
      throw Problem(
        """
        the target '\(target.name)' has no model: no file in \(target.directoryURL.path) ends in \
        '\(suffix)', and there is no '\(ModelList.fileName)' there that lists one. Add \
        'NAME\(suffix)' to the folder, or a 'copal.json' such as \
        { "models": ["Models/NAME\(suffix)"] }, or remove CopalPlugin from the target.
        """)
    }
    let missing =
      products.isMissing("CopalColor")
      ? [
        "--missing", "CopalColor", "--target", target.name, "--dependency",
        products.dependency("CopalColor"),
      ] : []
    return models.enumerated().map { index, model in
      // Those before it, so that two models with one name are reported once.
      let others = models[..<index]
      let output = context.pluginWorkDirectoryURL.appending(path: "\(name(of: model))+Copal.swift")
      // Step by step: the compiler took eight seconds for a sum of these lists.
      var arguments = [
        "--model", model.path, "--output", output.path, "--module", sources.moduleName,
      ]
      for other in others { arguments += ["--beside", other.path] }
      arguments += missing
      arguments += warnings
      return .buildCommand(
        displayName: "Copal: \(model.lastPathComponent)", executable: tool, arguments: arguments,
        // The lists are inputs too, so that SwiftPM treats them as handled and notices changes.
        inputFiles: [model] + others + lists, outputFiles: [output])
    }
  }

  private let suffix = ".model.json"

  private func name(of model: URL) -> String {
    String(model.lastPathComponent.dropLast(suffix.count))
  }

  /// The models without repetitions. Throws when two of them would become the same source file.
  private func unique(_ models: [URL]) throws -> [URL] {
    var paths: Set<String> = []
    var owners: [String: URL] = [:]
    return try models.filter { model in
      guard paths.insert(model.standardizedFileURL.path).inserted else { return false }
      // Compared without regard to case, because some file systems ignore it.
      if let other = owners.updateValue(model, forKey: name(of: model).lowercased()) {
        throw Problem(
          """
          two models of one target have the name '\(name(of: model))': \(other.path) and \
          \(model.path); rename one of them
          """)
      }
      return true
    }
  }
}

/// The products that generated code may import, as a target depends on them.
private struct Products {
  private let visible: Set<String>
  /// The name of Copal's package in `Package.swift`; nil within Copal itself.
  private let package: String?

  init(of target: any Target, in root: Package) {
    // The dependencies of dependencies too: the compiler finds their modules.
    visible = Set(target.recursiveTargetDependencies.map(\.name))
    package =
      root.dependencies.map(\.package).first { package in
        package.products.contains { $0.name == "Copal" }
      }?.displayName
  }

  func isMissing(_ name: String) -> Bool { !visible.contains(name) }

  /// The dependency as `Package.swift` has it.
  func dependency(_ name: String) -> String {
    package.map { ".product(name: \"\(name)\", package: \"\($0)\")" } ?? "\"\(name)\""
  }
}

/// Why the plugin cannot plan the build. SwiftPM prints it as an error.
struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
