import Copal
import CopalColor

extension Palette {
  /// The palette of that name. A new one has five pigments.
  static func named(_ name: String, in context: ManagedObjectContext) throws -> Palette {
    let request = Palette.fetchRequest().filter { $0.name == name }.prefetching(\.swatches)
    if let palette = try context.fetch(request).first { return palette }
    let palette = Palette(context: context, name: name)
    for (name, color) in pigments { palette.add(name, color) }
    return palette
  }

  private static let pigments: [(String, SerializableColor)] = [
    ("lead white", SerializableColor(red8: 240, green8: 236, blue8: 226)),
    ("yellow ochre", SerializableColor(red8: 204, green8: 136, blue8: 34)),
    ("cinnabar", SerializableColor(red8: 227, green8: 66, blue8: 52)),
    ("ultramarine", SerializableColor(red8: 18, green8: 10, blue8: 143)),
    ("bone black", SerializableColor(red8: 35, green8: 31, blue8: 32)),
  ]

  /// Changes the color of that name, or adds it at the end.
  func pick(_ name: String, _ color: SerializableColor) {
    if let swatch = swatches.first(where: { $0.name == name }) {
      swatch.color = color
    } else {
      add(name, color)
    }
  }

  private func add(_ name: String, _ color: SerializableColor) {
    guard let context = managedObjectContext else { return }
    let swatch = Swatch(context: context, name: name, color: color)
    swatches.append(swatch)
  }

  /// The color of that name.
  func swatch(_ name: String) throws -> Swatch {
    guard let swatch = swatches.first(where: { $0.name == name }) else {
      throw UnknownColor(name: name, palette: self.name)
    }
    return swatch
  }
}

struct UnknownColor: Error, CustomStringConvertible {
  let name: String
  let palette: String
  var description: String { "the palette \(palette) has no color '\(name)'" }
}
