import Foundation
import PackagePlugin

/// `swift package copal …`: runs the command in the folder where it was called.
///
/// A package can have a command of its own, with its transformers: an executable target that depends
/// on the product `CopalCommand`. It is built and run in place of Copal's.
@main
struct CopalCommandPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var arguments = arguments
    let wanted = Self.target(in: &arguments)
    let process = Process()
    process.executableURL = try command(context, wanted)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }

  /// Takes `--target NAME` from the start of the arguments.
  private static func target(in arguments: inout [String]) -> String? {
    guard arguments.count >= 2, arguments[0] == "--target" else { return nil }
    defer { arguments.removeFirst(2) }
    return arguments[1]
  }

  /// The command of the package; Copal's where it has none.
  private func command(_ context: PluginContext, _ wanted: String?) throws -> URL {
    let own = context.package.targets.filter { target in
      guard let module = target as? any SourceModuleTarget, module.kind == .executable else {
        return false
      }
      return target.dependencies.contains { dependency in
        if case .product(let product) = dependency { return product.name == "CopalCommand" }
        return false
      }
    }.map(\.name)
    guard let name = try chosen(own, wanted) else {
      return try context.tool(named: "copal-command").url
    }
    let result = try packageManager.build(.target(name), parameters: .init())
    guard result.succeeded else {
      Diagnostics.error(result.logText)
      exit(70)
    }
    let products = context.package.products.compactMap { $0 as? ExecutableProduct }
    let names = [name] + products.filter { $0.mainTarget.name == name }.map(\.name)
    let built = result.builtArtifacts.first { names.contains($0.url.lastPathComponent) }
    if let built { return built.url }
    // A target without a product of its name: the product is built for it.
    let again = try packageManager.build(.product(names.last ?? name), parameters: .init())
    if let built = again.builtArtifacts.first(where: { names.contains($0.url.lastPathComponent) }) {
      return built.url
    }
    Diagnostics.error("copal: the target '\(name)' has no program: \(again.logText)")
    exit(70)
  }

  /// The name of one of several commands.
  private func chosen(_ own: [String], _ wanted: String?) throws -> String? {
    if let wanted {
      if own.contains(wanted) { return wanted }
      Diagnostics.error(
        "copal: no executable target '\(wanted)' depends on the product CopalCommand; there are \(own.isEmpty ? "none" : own.joined(separator: ", "))"
      )
      exit(64)
    }
    if own.count <= 1 { return own.first }
    let named = own.filter { $0.hasSuffix("-copal") }
    if named.count == 1 { return named[0] }
    Diagnostics.error(
      "copal: several targets are commands: \(own.joined(separator: ", ")); write swift package copal --target NAME"
    )
    exit(64)
  }
}
