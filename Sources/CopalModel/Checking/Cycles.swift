/// Circles in a graph whose nodes are numbered.
enum Cycles {
  private enum State { case new, onPath, done }

  /// Every circle that a walk along the edges closes, each once, beginning at its least node.
  ///
  /// Without recursion: a hostile model's chains are as long as the model.
  static func find(count: Int, edges: (Int) -> [Int]) -> [[Int]] {
    var cycles: [[Int]] = []
    var states = [State](repeating: .new, count: count)
    for start in 0..<count where states[start] == .new {
      var path: [(node: Int, next: [Int])] = [(start, edges(start).reversed())]
      states[start] = .onPath
      while let last = path.indices.last {
        guard let next = path[last].next.popLast() else {
          states[path.removeLast().node] = .done
          continue
        }
        switch states[next] {
        case .done: continue
        case .new:
          states[next] = .onPath
          path.append((next, edges(next).reversed()))
        case .onPath:
          let cycle = path.map(\.node).drop { $0 != next }
          let least = cycle.indices.min { cycle[$0] < cycle[$1] } ?? cycle.startIndex
          cycles.append(Array(cycle[least...] + cycle[..<least]))
        }
      }
    }
    return cycles
  }
}
