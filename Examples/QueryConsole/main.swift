import Copal
import CopalConsole
import Foundation

/// The folder of the store, which is made at the start and removed at the end.
let folder = FileManager.default.temporaryDirectory
  .appending(path: "copal-query-console-\(UUID().uuidString)")

do {
  defer { try? FileManager.default.removeItem(at: folder) }
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let store = StoreConfiguration.sqlite(at: folder.appending(path: "Atelier.sqlite"))
  let container = try PersistentContainer(model: .atelier, store: store)
  try SampleData(context: container.makeContext()).write()
  guard let pigments = container.model.entity("Pigment") else { exit(1) }

  let terminal = KeyTerminal()
  Interruption.begin { try? FileManager.default.removeItem(at: folder) }
  var shell = Shell(
    container, entity: pigments, style: .ofStandardOutput(),
    width: { terminal.isInteractive ? terminal.width : nil }, print: { print($0) })
  if terminal.isInteractive {
    print("Write a condition, such as price > 20. Help: .help. End: .quit or Ctrl-D.")
  }
  shell.run(on: terminal, echoes: true)
} catch {
  FileHandle.standardError.write(Data("QueryConsoleExample: \(error)\n".utf8))
  exit(1)
}
