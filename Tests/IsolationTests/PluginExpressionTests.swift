import CopalTestSupport
import Foundation
import Testing

/// A program compiles the plugins before anything else, and waits for them. `Scripts/test-clients`
/// has the same limit for the libraries.
@Suite("How long the compiler thinks about a plugin")
struct PluginExpressionTests {
  @Test(
    "the compiler types each expression in few attempts",
    arguments: ["CopalPlugin", "CopalCommandPlugin"])
  func areSimple(_ plugin: String) throws {
    let folder = repository.appending(path: "Plugins/\(plugin)")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).map { $0.path(percentEncoded: false) }
    try #require(files.contains { $0.hasSuffix("\(plugin).swift") })
    let (succeeds, output) = try check(files, attempts: 50_000)
    #expect(succeeds, "\(output)")
    // The compiler has the limit: hardly a file stays below three.
    let few = try check(files, attempts: 3)
    #expect(!few.succeeds && few.output.contains("in reasonable time"), "\(few.output)")
  }

  private var repository: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  private func check(_ files: [String], attempts: Int) throws -> (succeeds: Bool, output: String) {
    let info = try Program.run(["swiftc", "-print-target-info"]).output
    let paths = try JSONDecoder().decode(TargetInfo.self, from: Data(info.utf8)).paths
    let (status, output) = try Program.run(
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-I",
        "\(paths.runtimeResourcePath)/pm/PluginAPI", "-package-description-version", "6.2.0",
        "-Xfrontend", "-solver-scope-threshold=\(attempts)",
      ] + files)
    return (status == 0, output)
  }

  private struct TargetInfo: Decodable {
    struct Paths: Decodable {
      var runtimeResourcePath: String
    }
    var paths: Paths
  }
}
