import CopalModel

/// Where the boxes and lines of a drawing are, in points from the top left.
///
/// Families stand in columns: what others refer to is on the left. Lines go through channels
/// between the columns, each on a track of its own, and between the boxes of a column. So no line
/// crosses a box. Parts that no line connects are laid out by themselves, beside and below each
/// other.
struct DiagramLayout {
  private(set) var size = Size()
  private(set) var boxes: [PlacedBox] = []
  /// A frame around each family of several entities.
  private(set) var frames: [Rect] = []
  private(set) var lines: [PlacedLine] = []

  struct Size: Hashable {
    var width = 0.0
    var height = 0.0
  }
  struct Point: Hashable {
    var x: Double
    var y: Double
  }
  struct Rect: Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }
  struct PlacedBox {
    /// The position of the box in the graph.
    let index: Int
    var rect: Rect
  }
  struct PlacedLine {
    var points: [Point]
    /// Whether several objects can be at the first and at the last point.
    let isMany: [Bool]
    /// The outward direction at the first and at the last point: 1 to the right, -1 to the left.
    let directions: [Double]
  }

  // Multiples of half a row: the rows of a column are never as high as those of the next one.
  static let rowHeight = 18.0
  static let titleHeight = 27.0
  static let fontSize = 12.0
  static let padding = 12.0
  private static let margin = 24.0

  init(_ graph: DiagramGraph) {
    var parts = DiagramParts(graph).parts.map { PartLayout(graph, families: $0) }
    // The large parts first, so that small ones fill the rows below them.
    parts.sort { $0.size.height > $1.size.height }
    let area = parts.reduce(0) { $0 + ($1.size.width + 36) * ($1.size.height + 36) }
    let width = max(parts.map(\.size.width).max() ?? 0, (area * 1.5).squareRoot())
    var (x, y, rowHeight) = (0.0, 0.0, 0.0)
    for part in parts {
      if x > 0, x + part.size.width > width { (x, y, rowHeight) = (0, y + rowHeight + 36, 0) }
      add(part, Self.margin + x, Self.margin + y)
      x += part.size.width + 36
      rowHeight = max(rowHeight, part.size.height)
      size.width = max(size.width, x - 36 + 2 * Self.margin)
    }
    size.height = y + rowHeight + 2 * Self.margin
    boxes.sort { $0.index < $1.index }
  }

  private mutating func add(_ part: PartLayout, _ x: Double, _ y: Double) {
    func moved(_ rect: Rect) -> Rect {
      Rect(x: rect.x + x, y: rect.y + y, width: rect.width, height: rect.height)
    }
    boxes += part.boxes.map { PlacedBox(index: $0.index, rect: moved($0.rect)) }
    frames += part.frames.map(moved)
    lines += part.lines.map { line in
      var line = line
      line.points = line.points.map { Point(x: $0.x + x, y: $0.y + y) }
      return line
    }
  }

  static func width(of box: DiagramGraph.Box) -> Double {
    let title = FontMetrics.width(box.title, isBold: true)
    let rows = box.rows.map { FontMetrics.width($0.name) + FontMetrics.width($0.type) + 1.5 }
    return (max(title, rows.max() ?? 0) * fontSize + 2 * padding).rounded(.up)
  }

  /// A multiple of the height of rows.
  static func height(of box: DiagramGraph.Box) -> Double {
    titleHeight + 9 + Double(box.rows.count) * rowHeight
  }

  /// The middle of a row, or of the title, from the top of a box.
  static func middle(ofRow row: Int?) -> Double {
    row.map { titleHeight + 9 + Double($0) * rowHeight } ?? titleHeight / 2
  }
}

/// The parts of a graph that no line connects.
private struct DiagramParts {
  /// The families of each part, in the order of the model.
  let parts: [[[Int]]]

  init(_ graph: DiagramGraph) {
    let families = graph.families
    var family: [Int: Int] = [:]
    for (number, boxes) in families.enumerated() { for box in boxes { family[box] = number } }
    var part = Array(families.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while part[index] != index { index = part[index] }
      return index
    }
    for line in graph.lines {
      guard let a = family[line.ends[0].box], let b = family[line.ends[1].box] else { continue }
      let (first, second) = (root(a), root(b))
      part[max(first, second)] = min(first, second)
    }
    parts = families.indices.filter { root($0) == $0 }.map { number in
      families.indices.filter { root($0) == number }.map { families[$0] }
    }
  }
}

/// A part of a drawing.
private struct PartLayout {
  typealias Rect = DiagramLayout.Rect
  typealias Point = DiagramLayout.Point

  private(set) var size = DiagramLayout.Size()
  private(set) var boxes: [DiagramLayout.PlacedBox] = []
  private(set) var frames: [Rect] = []
  private(set) var lines: [DiagramLayout.PlacedLine] = []

  /// What stands in a column: a family, or the room for a line that goes by.
  private struct Item {
    /// The boxes of the family; empty for a line.
    var family: [Int] = []
    var layer: Int
    var width = 0.0
    var height: Double
    var y = 0.0
    /// The items of neighboring columns that lines connect with this one.
    var before: [Int] = []
    var after: [Int] = []

    var middle: Double { y + height / 2 }
  }

  private let graph: DiagramGraph
  private var items: [Item] = []
  /// The items of each column, from the top.
  private var columns: [[Int]] = []
  /// The line, and the items through which it goes, from the left; the numbers of the ends.
  private var routes: [(line: Int, items: [Int], ends: [Int])] = []
  private var tops: [Int: Rect] = [:]

  init(_ graph: DiagramGraph, families: [[Int]]) {
    self.graph = graph
    var family: [Int: Int] = [:]
    for (number, boxes) in families.enumerated() { for box in boxes { family[box] = number } }
    let numbers = graph.lines.indices.filter { family[graph.lines[$0].ends[0].box] != nil }
    items = families.map { boxes in
      let isFramed = boxes.count > 1
      let widths = boxes.map { DiagramLayout.width(of: graph.boxes[$0]) }
      let height =
        boxes.reduce(0) { $0 + DiagramLayout.height(of: graph.boxes[$1]) + 18 } - 18
      return Item(
        family: boxes, layer: 0, width: (widths.max() ?? 0) + (isFramed ? 24 : 0),
        height: height + (isFramed ? 36 : 0))
    }
    assignLayers(numbers, family)
    route(numbers, family)
    order()
    place()
  }

  // MARK: Columns

  /// What a to-one relationship leads to is left of what has it. A line that would close a circle
  /// decides nothing.
  private mutating func assignLayers(_ numbers: [Int], _ family: [Int: Int]) {
    var after: [Set<Int>] = Array(repeating: [], count: items.count)
    func leads(_ start: Int, to end: Int) -> Bool {
      var (seen, open) = (Set([start]), [start])
      while let next = open.popLast() {
        if next == end { return true }
        for other in after[next] where seen.insert(other).inserted { open.append(other) }
      }
      return false
    }
    for toOneFirst in [true, false] {
      for number in numbers {
        let line = graph.lines[number]
        let isToOne = line.isToOne || !line.ends[0].isMany && line.ends[0].row != nil
        guard isToOne == toOneFirst, let a = family[line.ends[0].box],
          let b = family[line.ends[1].box], a != b
        else { continue }
        let (left, right) = line.isToOne ? (b, a) : (a, b)
        if !leads(right, to: left) { after[left].insert(right) }
      }
    }
    // The longest path.
    var isChanged = true
    while isChanged {
      isChanged = false
      for (index, others) in after.enumerated() {
        for other in others where items[other].layer <= items[index].layer {
          items[other].layer = items[index].layer + 1
          isChanged = true
        }
      }
    }
    pullToTheRight(after)
    columns = Array(repeating: [], count: (items.map(\.layer).max() ?? 0) + 1)
    for index in items.indices { columns[items[index].layer].append(index) }
  }

  /// Moves what has more lines to the right than to the left, so that its lines are short.
  private mutating func pullToTheRight(_ after: [Set<Int>]) {
    var before = Array(repeating: 0, count: items.count)
    for other in after.joined() { before[other] += 1 }
    for index in items.indices.sorted(by: { items[$0].layer > items[$1].layer })
    where after[index].count > before[index] {
      let next = after[index].map { items[$0].layer }.min() ?? 0
      items[index].layer = max(items[index].layer, next - 1)
    }
    let least = items.map(\.layer).min() ?? 0
    for index in items.indices { items[index].layer -= least }
  }

  /// The items through which each line goes: in every column between its ends it needs room.
  private mutating func route(_ numbers: [Int], _ family: [Int: Int]) {
    for number in numbers {
      let line = graph.lines[number]
      guard let first = family[line.ends[0].box], let second = family[line.ends[1].box] else {
        continue
      }
      let isForward = items[first].layer <= items[second].layer
      let (start, end) = isForward ? (first, second) : (second, first)
      var path = [start]
      for layer in (items[start].layer + 1)..<max(items[end].layer, items[start].layer + 1) {
        items.append(Item(layer: layer, height: 18))
        columns[layer].append(items.count - 1)
        path.append(items.count - 1)
      }
      path.append(end)
      if items[start].layer != items[end].layer {
        for (a, b) in zip(path, path.dropFirst()) {
          items[a].after.append(b)
          items[b].before.append(a)
        }
      }
      routes.append((number, path, isForward ? [0, 1] : [1, 0]))
    }
  }

  /// Eight sweeps over the columns: each item goes to the middle of those that it is connected with
  /// (Sugiyama's method, with barycenters: <https://doi.org/10.1109/TSMC.1981.4308636>).
  private mutating func order() {
    for sweep in 0..<8 {
      let isForward = sweep.isMultiple(of: 2)
      var positions: [Int: Double] = [:]
      for column in columns {
        for (place, item) in column.enumerated() { positions[item] = Double(place) }
      }
      for layer in isForward ? Array(columns.indices) : columns.indices.reversed() {
        let weights = columns[layer].map { item -> Double in
          let others = isForward ? items[item].before : items[item].after
          if others.isEmpty { return positions[item] ?? 0 }
          return others.reduce(0) { $0 + (positions[$1] ?? 0) } / Double(others.count)
        }
        columns[layer] = zip(columns[layer], weights).enumerated()
          .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
        for (place, item) in columns[layer].enumerated() { positions[item] = Double(place) }
      }
    }
  }

  // MARK: Places

  private mutating func place() {
    placeVertically()
    var x = 0.0
    var left: [Double] = []
    var right: [Double] = []
    for layer in columns.indices {
      let width = columns[layer].map { items[$0].width }.max() ?? 0
      left.append(x)
      right.append(x + width)
      for item in columns[layer] { placeBoxes(of: items[item], x) }
      x += width + channelWidth(layer)
    }
    draw(left, right)
    let corners =
      boxes.map { ($0.rect.x + $0.rect.width, $0.rect.y + $0.rect.height) }
      + frames.map { ($0.x + $0.width, $0.y + $0.height) }
      + lines.flatMap(\.points).map { ($0.x, $0.y) }
    size.width = corners.map(\.0).max() ?? 0
    size.height = corners.map(\.1).max() ?? 0
  }

  /// Each item near those of the column before that it is connected with.
  private mutating func placeVertically() {
    for layer in columns.indices {
      let shift = layer.isMultiple(of: 2) ? 0.0 : 9.0
      let wanted = wantedPlaces(layer)
      var free = -Double.infinity
      for (place, item) in columns[layer].enumerated() {
        let isLine = items[item].family.isEmpty
        // The middle of a line has the height of a row, so that lines of one column stay apart.
        let base = isLine ? shift + 9 : shift
        items[item].y = ((max(wanted[place], free) - base) / 18).rounded(.up) * 18 + base
        free = items[item].y + space(of: item)
      }
    }
    let least = items.map(\.y).min() ?? 0
    let up = (least / 18).rounded(.down) * 18
    for index in items.indices { items[index].y -= up }
  }

  /// The height of an item, and the gap below it.
  private func space(of item: Int) -> Double {
    items[item].height + (items[item].family.isEmpty ? 0 : 18)
  }

  /// Where the items of a column would be without a grid: in their order, apart from each other,
  /// and with the least sum of squares of the distances from where their lines come from. Items
  /// that push each other move as one block (the pool-adjacent-violators algorithm for isotonic
  /// regression: <https://doi.org/10.1007/BF01580873>).
  private func wantedPlaces(_ layer: Int) -> [Double] {
    var offsets: [Double] = []
    var blocks: [(sum: Double, count: Double, members: Int)] = []
    var free = 0.0
    for item in columns[layer] {
      let others = items[item].before
      // What is not connected takes the place behind the one before it, and pulls at nobody.
      let isFree = others.isEmpty
      let middle = others.reduce(0) { $0 + items[$1].middle } / Double(max(others.count, 1))
      let last = blocks.last.map { $0.sum / $0.count } ?? 0
      let wanted = isFree ? last : middle - items[item].height / 2 - free
      let weight = isFree ? 0.001 : 1.0
      blocks.append((wanted * weight, weight, 1))
      offsets.append(free)
      free += space(of: item)
      while blocks.count > 1, let second = blocks.last,
        blocks[blocks.count - 2].sum / blocks[blocks.count - 2].count > second.sum / second.count
      {
        blocks.removeLast()
        let first = blocks.removeLast()
        blocks.append(
          (first.sum + second.sum, first.count + second.count, first.members + second.members))
      }
    }
    let places = blocks.flatMap { Array(repeating: $0.sum / $0.count, count: $0.members) }
    return zip(places, offsets).map { $0 + $1 }
  }

  private mutating func placeBoxes(of item: Item, _ x: Double) {
    let isFramed = item.family.count > 1
    var y = item.y + (isFramed ? 18 : 0)
    for index in item.family {
      let box = graph.boxes[index]
      let width = item.width - (isFramed ? 24 : 0)
      let rect = Rect(
        x: x + (isFramed ? 12 : 0), y: y, width: width, height: DiagramLayout.height(of: box))
      boxes.append(DiagramLayout.PlacedBox(index: index, rect: rect))
      tops[index] = rect
      y += rect.height + 18
    }
    if isFramed { frames.append(Rect(x: x, y: item.y, width: item.width, height: item.height)) }
  }

  /// The number of lines in the channel behind a column, each of which has a track.
  private func trackCount(_ layer: Int) -> Int {
    routes.reduce(0) { count, route in
      let last = items[route.items[route.items.count - 1]].layer
      let first = items[route.items[0]].layer
      return count
        + (first == last ? (first == layer ? 1 : 0) : (first..<last).contains(layer) ? 1 : 0)
    }
  }

  private func channelWidth(_ layer: Int) -> Double {
    let count = trackCount(layer)
    return count == 0 ? 36 : 2 * 21 + Double(count - 1) * 8
  }

  // MARK: Lines

  private mutating func draw(_ left: [Double], _ right: [Double]) {
    var used = Array(repeating: 0, count: columns.count)
    func track(_ layer: Int) -> Double {
      defer { used[layer] += 1 }
      return right[layer] + 21 + Double(used[layer]) * 8
    }
    for route in routes {
      let ends = route.ends.map { graph.lines[route.line].ends[$0] }
      guard let first = tops[ends[0].box], let last = tops[ends[1].box] else { continue }
      let layer = items[route.items[0]].layer
      let start = Point(
        x: first.x + first.width, y: first.y + DiagramLayout.middle(ofRow: ends[0].row))
      let endY = last.y + DiagramLayout.middle(ofRow: ends[1].row)
      var points = [start]
      if layer == items[route.items[route.items.count - 1]].layer {
        // Within a column: out to the right, and back.
        let x = track(layer)
        points += [
          Point(x: x, y: start.y), Point(x: x, y: endY), Point(x: last.x + last.width, y: endY),
        ]
        lines.append(
          DiagramLayout.PlacedLine(
            points: points, isMany: ends.map(\.isMany), directions: [1, 1]))
        continue
      }
      var (y, layerNow) = (start.y, layer)
      for item in route.items.dropFirst() {
        let isLine = items[item].family.isEmpty
        let next = isLine ? items[item].middle : endY
        let x = track(layerNow)
        points += [Point(x: x, y: y), Point(x: x, y: next)]
        if isLine { points.append(Point(x: right[layerNow + 1], y: next)) }
        (y, layerNow) = (next, layerNow + 1)
      }
      points.append(Point(x: last.x, y: endY))
      lines.append(
        DiagramLayout.PlacedLine(points: points, isMany: ends.map(\.isMany), directions: [1, -1]))
    }
  }
}
