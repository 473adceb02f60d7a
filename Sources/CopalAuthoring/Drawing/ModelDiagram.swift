public import CopalModel

/// A model as a drawing: its entities with their attributes, and their relationships.
///
/// ```swift
/// try Data(ModelDiagram.svg(model).utf8).write(to: file)
/// ```
public enum ModelDiagram {
  /// A drawing as SVG, in light or dark colors as the reader's system has them.
  ///
  /// Entities that a `parent` connects are in one frame. A line that divides at an end leads to
  /// several objects there.
  public static func svg(_ model: ManagedObjectModel) -> String {
    let graph = DiagramGraph(model)
    return DiagramSVG(graph, DiagramLayout(graph), title: model.name).text
  }

  /// A class diagram for Mermaid: <https://mermaid.js.org/syntax/classDiagram.html>.
  public static func mermaid(_ model: ManagedObjectModel) -> String {
    let graph = DiagramGraph(model)
    var lines = ["classDiagram"]
    for box in graph.boxes {
      lines.append("  class \(box.name) {")
      if box.isAbstract { lines.append("    <<abstract>>") }
      for row in box.rows where !row.isRelationship { lines.append("    \(row.type) \(row.name)") }
      lines.append("  }")
    }
    for box in graph.boxes {
      if let parent = box.parent { lines.append("  \(graph.boxes[parent].name) <|-- \(box.name)") }
    }
    for line in graph.lines {
      let (start, end) = (line.ends[0], line.ends[1])
      let names = [graph.name(of: start), graph.name(of: end)].compactMap { $0 }
      let head = line.isOneWay ? "-->" : "\"\(start.count)\" --"
      lines.append(
        "  \(graph.boxes[start.box].name) \(head) \"\(end.count)\" "
          + "\(graph.boxes[end.box].name) : " + names.joined(separator: ", "))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A graph for Graphviz: <https://graphviz.org/doc/info/lang.html>.
  public static func dot(_ model: ManagedObjectModel) -> String {
    let graph = DiagramGraph(model)
    var lines = [
      "digraph \"\(model.name)\" {", "  rankdir=LR;",
      "  node [shape=record, fontname=\"Helvetica\"];",
    ]
    for box in graph.boxes {
      let rows = box.rows.filter { !$0.isRelationship }.map { "\($0.name): \($0.type)\\l" }.joined()
      lines.append(
        "  \"\(box.name)\" [label=\"\(box.name.escapedForRecord)|\(rows.escapedForRecord)\"];")
    }
    for box in graph.boxes {
      if let parent = box.parent {
        lines.append("  \"\(box.name)\" -> \"\(graph.boxes[parent].name)\" [arrowhead=empty];")
      }
    }
    for line in graph.lines {
      let (start, end) = (line.ends[0], line.ends[1])
      let names = [graph.name(of: start), graph.name(of: end)].compactMap { $0 }
      lines.append(
        "  \"\(graph.boxes[start.box].name)\" -> \"\(graph.boxes[end.box].name)\" "
          + "[dir=both, arrowtail=\(start.isMany ? "crow" : "none"), "
          + "arrowhead=\(end.isMany ? "crow" : line.isOneWay ? "normal" : "none"), "
          + "label=\"\(names.joined(separator: ", "))\"];")
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }
}

extension DiagramGraph {
  /// The name of the relationship at an end.
  fileprivate func name(of end: End) -> String? { end.row.map { boxes[end.box].rows[$0].name } }
}

extension String {
  /// The text in a record of Graphviz, where some characters divide.
  fileprivate var escapedForRecord: String {
    var text = ""
    for character in self {
      if "{}|<>".contains(character) { text += "\\" }
      text.append(character)
    }
    return text
  }
}
