import Copal
import CopalColor
import Foundation

/// Keeps a palette in a SQLite file, edits it, and writes it as CSS.
@main
struct ColorPickerExample {
  static func main() {
    do {
      try run(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("ColorPickerExample: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ arguments: Arguments) throws {
    let container = try PersistentContainer(
      model: .colorPicker, store: .sqlite(at: try arguments.store ?? defaultStore()),
      transformers: [SerializableColorTransformer()])
    let context = container.makeContext()
    let palette = try Palette.named("Atelier", in: context)

    switch arguments.command {
    case .show: break
    case .pick(let name, let color): try palette.pick(name, SerializableColor(css: color))
    case .rename(let name, let newName): try palette.swatch(name).name = newName
    case .remove(let name): context.delete(try palette.swatch(name))
    case .css:
      print(StyleSheet(palette).text, terminator: "")
      return
    }
    try context.save()
    print(palette.text)
  }

  /// The store in the user's data directory.
  static func defaultStore() throws -> URL {
    let store = SQLiteStore.defaultURL(named: "ColorPicker")
    try FileManager.default.createDirectory(
      at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
    return store
  }
}
