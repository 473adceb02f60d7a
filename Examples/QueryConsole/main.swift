import Copal
import Foundation

/// The folder of the store, which is made at the start and removed at the end.
let folder = FileManager.default.temporaryDirectory
  .appending(path: "copal-query-console-\(UUID().uuidString)")

do {
  defer { try? FileManager.default.removeItem(at: folder) }
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let terminal = Terminal()
  terminal.whenInterrupted { try? FileManager.default.removeItem(at: folder) }

  let store = StoreConfiguration.sqlite(at: folder.appending(path: "Atelier.sqlite"))
  let container = try PersistentContainer(model: .atelier, store: store)
  let context = container.makeContext()
  try SampleData(context: context).write()
  guard let pigments = container.model.entity("Pigment") else { exit(1) }
  var console = Console(
    context, container.model, entity: pigments, style: .ofStandardOutput(),
    width: { terminal.isInteractive ? terminal.width : nil })

  if terminal.isInteractive {
    print("Write a condition, such as price > 20. Help: .help. End: .quit or Ctrl-D.")
    let editor = LineEditor(terminal)
    terminal.readingKeys {
      while let line = editor.readLine(prompt: console.prompt), console.answer(line) {}
    }
  } else {
    // A record that can be read: each line as it would be on a terminal, then its answer.
    while let line = readLine() {
      print(console.prompt + line.inOneLine)
      guard console.answer(line) else { break }
    }
  }
} catch {
  FileHandle.standardError.write(Data("QueryConsoleExample: \(error)\n".utf8))
  exit(1)
}
