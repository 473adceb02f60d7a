/// Finds cycles in a graph with numbered nodes.
package enum Cycles {
  private enum State {
    case new, done
    /// At this position of the path.
    case onPath(Int)
  }

  /// The greatest number of nodes that all reported cycles have together; further cycles are not
  /// reported. Every edge of a hostile model may close a cycle as long as the model.
  private static let maximumLength = 100_000

  /// Every cycle that a walk along the edges closes, once, beginning at its least node.
  ///
  /// It does not recurse, because the chains of a hostile model are as long as the model.
  /// Complexity: linear in the number of nodes and edges.
  @inline(never)
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

  /// The names of a cycle's nodes with arrows between them, cut to a readable length.
  static func text(_ names: some Sequence<String>) -> String {
    var text = ""
    for name in names {
      if text.utf8.count > 1000 { return text + " → …" }
      text += (text.isEmpty ? "" : " → ") + name.asSubject
    }
    return text
  }
}
