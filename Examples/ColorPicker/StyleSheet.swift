import Copal
import CopalColor

/// A palette as CSS: a custom property for each color.
///
/// A color that sRGB cannot show has its nearest color first. Browsers that know Display P3 use the
/// second rule.
struct StyleSheet {
  private var colors: [(name: String, color: SerializableColor)] = []

  init(_ palette: Palette) {
    var names: Set<String> = []
    for swatch in palette.swatches {
      guard let color = swatch.color else { continue }
      var name = Self.identifier(swatch.name)
      while !names.insert(name).inserted { name += "-2" }
      colors.append((name, color))
    }
  }

  var text: String {
    let wide = colors.filter { (try? $0.color.isInGamut(of: .sRGB)) == false }
    let main = rule(colors.map { ($0.name, (try? $0.color.hex.lowercased()) ?? $0.color.css) }, "")
    if wide.isEmpty { return main }
    return main + "@supports (color: color(display-p3 1 1 1)) {\n"
      + rule(wide.map { ($0.name, $0.color.css) }, "  ") + "}\n"
  }

  private func rule(_ values: [(name: String, value: String)], _ indent: String) -> String {
    let lines = values.map { "\(indent)  --\($0.name): \($0.value);\n" }
    return "\(indent):root {\n" + lines.joined() + "\(indent)}\n"
  }

  /// A name as CSS allows it: letters, digits and hyphens.
  private static func identifier(_ name: String) -> String {
    String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
  }
}
