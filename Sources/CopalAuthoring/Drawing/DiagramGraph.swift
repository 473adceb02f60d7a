import CopalModel

/// A model as a drawing shows it: boxes for entities, and lines for relationships.
struct DiagramGraph {
  private(set) var boxes: [Box] = []
  private(set) var lines: [Line] = []

  struct Box {
    let name: String
    let documentation: String?
    let isAbstract: Bool
    /// The position of the parent; nil for an entity without one.
    var parent: Int?
    /// The name of the parent.
    let parentName: String?
    var rows: [Row]

    /// The name, with that of the parent as in Swift.
    var title: String { parentName.map { "\(name) : \($0)" } ?? name }
  }

  /// A property in a box.
  struct Row {
    let name: String
    let type: String
    let isRelationship: Bool
  }

  /// A relationship, with its inverse if it has one.
  struct Line {
    var ends: [End]
    /// Whether the first box has at most one object of the second one.
    let isToOne: Bool
    /// Whether only the first box knows of the line.
    let isOneWay: Bool
  }

  /// An end of a line.
  struct End {
    let box: Int
    /// The row of the relationship in the box; nil for a box that does not know of it.
    let row: Int?
    /// Whether several objects of the box can be at this end.
    let isMany: Bool
    /// Whether no object can be at this end.
    var isOptional = false

    /// The number of objects as drawings write it.
    var count: String { isMany ? "*" : isOptional ? "0..1" : "1" }
  }

  init(_ model: ManagedObjectModel) {
    let indexes = Dictionary(
      model.entities.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { a, _ in a })
    for entity in model.entities {
      let attributes = entity.attributes.map {
        Row(name: $0.name, type: $0.shownType, isRelationship: false)
      }
      let relationships = entity.relationships.map {
        Row(name: $0.name, type: $0.shownType, isRelationship: true)
      }
      boxes.append(
        Box(
          name: entity.name, documentation: entity.documentation, isAbstract: entity.isAbstract,
          parent: entity.parent.flatMap { indexes[$0] }, parentName: entity.parent,
          rows: attributes + relationships))
    }
    for (index, entity) in model.entities.enumerated() {
      for (offset, relationship) in entity.relationships.enumerated() {
        guard let other = indexes[relationship.destination] else { continue }
        let row = entity.attributes.count + offset
        addLine(
          relationship, at: (index, row), to: other, in: model.entities[other], named: entity.name)
      }
    }
  }

  private mutating func addLine(
    _ relationship: RelationshipDescription, at start: (box: Int, row: Int), to other: Int,
    in destination: EntityDescription, named owner: String
  ) {
    let inverse = relationship.inverse.flatMap { name in
      destination.relationships.firstIndex { $0.name == name }
    }
    let end = inverse.map { destination.attributes.count + $0 }
    // The other end has drawn it.
    if let end, (other, end) < (start.box, start.row) { return }
    let isBackMany = inverse.map { destination.relationships[$0].isToMany } ?? true
    lines.append(
      Line(
        ends: [
          End(
            box: start.box, row: start.row, isMany: isBackMany && inverse != nil,
            isOptional: inverse.map { destination.relationships[$0].isOptional } ?? false),
          End(
            box: other, row: end == start.row && other == start.box ? nil : end,
            isMany: relationship.isToMany, isOptional: relationship.isOptional),
        ],
        isToOne: !relationship.isToMany, isOneWay: inverse == nil))
  }

  /// The boxes of each family: an entity without a parent, and its subentities below it.
  var families: [[Int]] {
    var children: [Int: [Int]] = [:]
    for (index, box) in boxes.enumerated() {
      if let parent = box.parent { children[parent, default: []].append(index) }
    }
    func line(_ root: Int) -> [Int] { [root] + (children[root] ?? []).flatMap(line) }
    return boxes.indices.filter { boxes[$0].parent == nil }.map(line)
  }
}

extension AttributeDescription {
  /// The type as a model writes it.
  fileprivate var shownType: String {
    (customClass ?? enumName ?? type.rawValue) + (isOptional ? "?" : "")
  }
}

extension RelationshipDescription {
  fileprivate var shownType: String {
    isToMany ? "[\(destination)]" : destination + (isOptional ? "?" : "")
  }
}
