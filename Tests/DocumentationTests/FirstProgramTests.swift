import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("The first program of the README")
struct FirstProgramTests {
  @Test("the first program of the README is the one in Examples/FirstProgram")
  func isTheExample() throws {
    let blocks = try Page("README.md").blocks
    for (kind, file) in [("json", "Studio.model.json"), ("swift", "main.swift")] {
      let text = try Repository.text("Examples/FirstProgram/\(file)")
      #expect(blocks.contains { $0.kind == kind && $0.text + "\n" == text }, "\(file)")
    }
  }

  @Test("the model of no example has a warning")
  func warnings() throws {
    let models = Repository.files(under: "Examples").filter { $0.hasSuffix(".model.json") }
    #expect(models.count > 5)
    for path in models {
      let model = try ManagedObjectModel(json: Repository.text(path), file: path)
      #expect(model.warnings.map(\.description) == [], "\(path)")
    }
  }

  @Test("the first program of the README has at most twenty lines")
  func length() throws {
    let program = try Repository.text("Examples/FirstProgram/main.swift")
    #expect(program.count { $0 == "\n" } <= 20)
  }

  @Test("the first program prints the output in the README, and one more line in its second run")
  func runs() throws {
    let folder = try TemporaryFolder()
    let home = folder.url.path(percentEncoded: false)
    let environment = ["XDG_DATA_HOME": home, "CFFIXED_USER_HOME": home]
    let program = Command.products.appending(path: "FirstProgram").path(percentEncoded: false)
    let line = "The Bedroom Geranium lake rgb(200 35 75)\n"
    for run in 1...2 {
      let (status, output) = try Command.run(program, environment: environment)
      #expect(status == 0)
      #expect(output == String(repeating: line, count: run))
    }
    #expect(try Page("README.md").text.contains(line))
  }
}
