import Foundation
import PackagePlugin

/// Gives the command `copal` the page of errors, in every build: `copal check --explain`.
@main
struct ErrorPagePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let page = context.package.directoryURL.appending(path: "Docs/Errors.md")
    let output = context.pluginWorkDirectoryURL.appending(path: "ErrorPage+Text.swift")
    let tool = try context.tool(named: "copal-error-page").url
    return [
      .buildCommand(
        displayName: "Copal: Errors.md", executable: tool, arguments: [page.path, output.path],
        inputFiles: [page], outputFiles: [output])
    ]
  }
}
