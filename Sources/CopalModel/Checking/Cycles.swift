/// Circles in a graph whose nodes are numbered.
package enum Cycles {
  private enum State {
    case new, done
    /// At this position of the path.
    case onPath(Int)
  }

  /// How many nodes the circles that are told may have together; of those beyond, none is told. Every edge of
  /// a model may close one that is as long as the model.
  private static let maximumLength = 100_000

  /// Every circle that a walk along the edges closes, each once, beginning at its least node.
  ///
  /// Without recursion: a hostile model's chains are as long as the model. Complexity: linear in the number of
  /// nodes and edges.
  package static func find(count: Int, edges: (Int) -> [Int]) -> [[Int]] {
    var cycles: [[Int]] = []
    var length = 0
    var states = [State](repeating: .new, count: count)
    for start in 0..<count {
      guard case .new = states[start] else { continue }
      var path: [(node: Int, next: [Int])] = [(start, edges(start).reversed())]
      states[start] = .onPath(0)
      while let last = path.indices.last {
        guard let next = path[last].next.popLast() else {
          states[path.removeLast().node] = .done
          continue
        }
        switch states[next] {
        case .done: continue
        case .new:
          states[next] = .onPath(path.count)
          path.append((next, edges(next).reversed()))
        case .onPath(let position):
          length += path.count - position
          if length > maximumLength, !cycles.isEmpty { return cycles }
          let cycle = path[position...].map(\.node)
          let least = cycle.indices.min { cycle[$0] < cycle[$1] } ?? cycle.startIndex
          cycles.append(Array(cycle[least...] + cycle[..<least]))
        }
      }
    }
    return cycles
  }

  /// The names of a circle's nodes with arrows between them, as far as anybody reads.
  static func text(_ names: some Sequence<String>) -> String {
    var text = ""
    for name in names {
      if text.utf8.count > 1000 { return text + " → …" }
      text += (text.isEmpty ? "" : " → ") + name.asSubject
    }
    return text
  }
}
