/// Writes a drawing as SVG 1.1: <https://www.w3.org/TR/SVG11/>.
struct DiagramSVG {
  private let graph: DiagramGraph
  private let layout: DiagramLayout
  private let title: String

  init(_ graph: DiagramGraph, _ layout: DiagramLayout, title: String) {
    self.graph = graph
    self.layout = layout
    self.title = title
  }

  var text: String {
    let (width, height) = (layout.size.width.short, layout.size.height.short)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
      <title>\(title.escaped)</title>
      <style>
      svg { background: #ffffff; font: 12px "DejaVu Sans", Helvetica, sans-serif }
      .frame { fill: #f4f6f8; stroke: #b8c0c8; stroke-dasharray: 4 3 }
      .box { fill: #ffffff; stroke: #5a6672 }
      .head { fill: #e3ebf3 }
      .line { fill: none; stroke: #40699c; stroke-width: 1.4 }
      text { fill: #1b2127 }
      .name { font-weight: bold }
      .abstract { font-style: italic }
      .type { fill: #5a6672 }
      .link { fill: #24538c }
      @media (prefers-color-scheme: dark) {
      svg { background: #14181c }
      .frame { fill: #1b2127; stroke: #4a545e }
      .box { fill: #20272e; stroke: #8b97a3 }
      .head { fill: #2d3a47 }
      .line { stroke: #86b4ea }
      text { fill: #e6ebf0 }
      .type { fill: #a9b4bf }
      .link { fill: #9cc4f2 }
      }
      </style>

      """
    for frame in layout.frames { text += rect(frame, "frame", radius: 8) }
    for line in layout.lines { text += path(line) }
    for box in layout.boxes { text += draw(box) }
    return text + "</svg>\n"
  }

  private func rect(_ rect: DiagramLayout.Rect, _ name: String, radius: Double) -> String {
    "<rect class=\"\(name)\" x=\"\(rect.x.short)\" y=\"\(rect.y.short)\" width=\"\(rect.width.short)\" height=\"\(rect.height.short)\" rx=\"\(radius.short)\"/>\n"
  }

  private func path(_ line: DiagramLayout.PlacedLine) -> String {
    var path = ""
    for (index, point) in line.points.enumerated() {
      path += "\(index == 0 ? "M" : "L")\(point.x.short) \(point.y.short)"
    }
    let ends = [line.points.first, line.points.last].compactMap { $0 }
    for (index, end) in ends.enumerated() where line.isMany[index] {
      // The line divides into three.
      let x = end.x + 9 * line.directions[index]
      for y in [end.y - 5, end.y + 5] {
        path += "M\(x.short) \(end.y.short)L\(end.x.short) \(y.short)"
      }
    }
    return "<path class=\"line\" d=\"\(path)\"/>\n"
  }

  private func draw(_ placed: DiagramLayout.PlacedBox) -> String {
    let box = graph.boxes[placed.index]
    let (rect, padding) = (placed.rect, DiagramLayout.padding)
    let head = DiagramLayout.Rect(
      x: rect.x, y: rect.y, width: rect.width, height: DiagramLayout.titleHeight)
    var text = "<g id=\"\(box.name.escaped)\">\n"
    text += "<title>\((box.documentation ?? box.name).escaped)</title>\n"
    text += self.rect(rect, "box", radius: 4) + self.rect(head, "box head", radius: 4)
    text += label(
      box.title, box.isAbstract ? "name abstract" : "name", x: rect.x + padding,
      middle: rect.y + DiagramLayout.middle(ofRow: nil))
    for (index, row) in box.rows.enumerated() {
      let middle = rect.y + DiagramLayout.middle(ofRow: index)
      text += label(
        row.name, row.isRelationship ? "link" : "", x: rect.x + padding, middle: middle)
      text += label(
        row.type, row.isRelationship ? "link" : "type", x: rect.x + rect.width - padding,
        middle: middle, isAtEnd: true)
    }
    return text + "</g>\n"
  }

  private func label(
    _ text: String, _ name: String, x: Double, middle: Double, isAtEnd: Bool = false
  ) -> String {
    let style = name.isEmpty ? "" : " class=\"\(name)\""
    let anchor = isAtEnd ? " text-anchor=\"end\"" : ""
    return
      "<text\(style)\(anchor) x=\"\(x.short)\" y=\"\((middle + 4).short)\">\(text.escaped)</text>\n"
  }
}

extension Double {
  /// The number without a point where it is an integer.
  fileprivate var short: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}

extension String {
  /// The text in XML, without the control characters that XML cannot have.
  fileprivate var escaped: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: scalar.value < 0x20 && scalar != "\n" && scalar != "\t" ? " " : String(scalar)
      }
    }.joined()
  }
}
