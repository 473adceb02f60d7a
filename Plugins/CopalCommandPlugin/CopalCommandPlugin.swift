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
    // A target without a product gets one of its name.
    let products = context.package.products.compactMap { $0 as? ExecutableProduct }
    let product = products.first { $0.mainTarget.name == name }?.name ?? name
    let result = try packageManager.build(.product(product), parameters: .init())
    let built = result.builtArtifacts.first { $0.url.lastPathComponent == product }
    guard result.succeeded, let built else {
      Diagnostics.error("copal: \(product) cannot be built\n\(result.logText)")
      exit(70)
    }
    return built.url
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
