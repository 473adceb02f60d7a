#if Command
  import CopalEssentials
  import CopalModel
  import CopalStore

  /// The files of a new package.
  struct PackageTemplate {
    let name: String
    /// A folder or a URL.
    let copal: String
    /// The text of a model that the package gets; nil for a first one.
    let model: String?

    /// Whether Copal is in a folder, and not at a URL.
    static func isFolder(_ copal: String) -> Bool {
      !copal.contains("://") && !copal.hasPrefix("git@")
    }

    /// The texts by their paths in the package.
    var files: [(path: String, text: String)] {
      [
        ("Package.swift", package), (".gitignore", ".build/\n"),
        ("Sources/\(name)Model/\(modelName).model.json", publicModel ?? firstModel),
        (
          "Sources/\(name)Model/\(name)Model.swift",
          "// The plugin makes the classes of the model here.\n"
        ),
        ("Sources/\(name)/main.swift", model == nil ? firstProgram : program),
        ("Tests/\(name)Tests/\(name)Tests.swift", model == nil ? firstTest : test),
      ]
    }

    /// The model with public classes: the program and the test are in other modules.
    private var publicModel: String? {
      guard let model, let read = try? ManagedObjectModel(json: model, file: ""),
        read.access == .internal
      else { return model }
      let line = "\n  \"model\": \"\(read.name)\",\n"
      return model.replacing("\n  \"access\": \"internal\",", with: "")
        .replacing(line, with: line + "  \"access\": \"public\",\n")
    }

    /// The name of the model.
    private var modelName: String {
      model.flatMap { try? ManagedObjectModel(json: $0, file: "") }?.name ?? name
    }

    private var binding: String {
      modelName.prefix(1).lowercased() + modelName.dropFirst()
    }

    private var dependency: String {
      let isURL = !Self.isFolder(copal)
      // A folder beside the new one is one more step away from inside of it.
      let from = isURL || copal.hasPrefix("/") ? copal : "../" + copal
      return isURL
        ? ".package(url: \(from.debugDescription), from: \"\(CopalRelease.version)\")"
        : ".package(name: \"Copal\", path: \(from.debugDescription))"
    }

    private var package: String {
      let product = (Self.isFolder(copal) ? "Copal" : identity).debugDescription
      return """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
          name: "\(name)",
          platforms: [.macOS(.v15), .iOS(.v18)],
          dependencies: [\(dependency)],
          targets: [
            .target(
              name: "\(name)Model",
              dependencies: [
                .product(name: "Copal", package: \(product)),
                .product(name: "CopalColor", package: \(product)),
              ],
              plugins: [.plugin(name: "CopalPlugin", package: \(product))]),
            .executableTarget(
              name: "\(name)",
              dependencies: ["\(name)Model", .product(name: "Copal", package: \(product))]),
            .testTarget(
              name: "\(name)Tests",
              dependencies: ["\(name)Model", .product(name: "Copal", package: \(product))]),
          ]
        )

        """
    }

    /// The identity of a package by its URL: the last part, without `.git`.
    private var identity: String {
      let last = copal.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? copal
      return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }

    private var firstModel: String {
      """
      {
        "copal": 1,
        "model": "\(name)",
        "access": "public",
        "entities": {
          "Note": {
            "attributes": {
              "text": "string",
              "written": "date",
              "isDone": { "type": "boolean", "default": false }
            },
            "relationships": {
              "notebook": { "type": "Notebook?", "inverse": "notes" }
            }
          },
          "Notebook": {
            "attributes": {
              "name": "string"
            },
            "relationships": {
              "notes": { "type": "[Note]", "inverse": "notebook", "delete": "cascade" }
            }
          }
        }
      }

      """
    }

    private var firstProgram: String {
      """
      import Copal
      import Foundation
      import \(name)Model

      let container = try PersistentContainer(name: "\(name)", model: .\(binding))
      let context = container.viewContext

      // Each run adds a note. The store is a file in the data folder of the person.
      let notebook = Notebook(context: context, name: "Today")
      Note(context: context, text: "Try Copal", written: Date()).notebook = notebook
      try context.save()

      for note in try context.fetch(Note.self, where: { $0.isDone == false }) {
        print(note.notebook?.name ?? "", note.text)
      }

      """
    }

    private var program: String {
      """
      import Copal
      import \(name)Model

      let container = try PersistentContainer(name: "\(name)", model: .\(binding))
      print(container.viewContext)

      """
    }

    private var firstTest: String {
      """
      import Copal
      import Foundation
      import Testing
      import \(name)Model

      @Test("a note is found in its notebook")
      func note() throws {
        let container = try PersistentContainer(model: .\(binding), store: .inMemory)
        let context = container.makeContext()
        let notebook = Notebook(context: context, name: "Today")
        Note(context: context, text: "Try Copal", written: Date()).notebook = notebook
        try context.save()
        #expect(try context.count(Note.self) { $0.text.hasPrefix("Try") } == 1)
        #expect(notebook.notes.count == 1)
      }

      """
    }

    private var test: String {
      """
      import Copal
      import Testing
      import \(name)Model

      @Test("a store with the model can be made")
      func model() throws {
        _ = try PersistentContainer(model: .\(binding), store: .inMemory)
      }

      """
    }
  }
#endif
