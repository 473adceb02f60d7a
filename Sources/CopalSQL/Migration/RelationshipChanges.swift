import CopalModel
import CopalStore

/// What a migration does with the pairs of objects of relationships, where they are kept in another
/// way than before, or where some of them are not allowed any more.
public struct RelationshipChanges: Sendable {
  /// The pairs that are left out, because the model says so: before anything else is done.
  public let omissions: [Omission]
  /// The columns and tables of links that get the pairs of others.
  public let fills: [Fill]
  /// The pairs of one-to-one relationships of which one end has lost the other.
  public let halves: [Half]
  /// Positions for a table of links that is ordered now.
  public let orders: [Order]
  /// What the pairs must fulfill.
  public let checks: [Check]

  /// Pairs of which an object is removed, or is not of an entity that the end can have.
  public struct Omission: Sendable {
    let pairs: RelatedPairs
    /// The rows that the far end can have.
    let allowed: RelatedRows
    /// Whether a far object need not exist.
    let mayDangle: Bool
  }

  /// A column or a table that gets pairs.
  public struct Fill: Sendable {
    /// The pairs as the migration finds them.
    let pairs: RelatedPairs
    let target: Target

    enum Target: Sendable {
      /// The column of a to-one relationship: the first far object.
      case column(TableMapping, slot: Int)
      /// A table of links, whose owners are the near objects.
      case links(LinkMapping)
    }
  }

  /// A column of a one-to-one relationship, and that of the other end.
  public struct Half: Sendable {
    let mapping: TableMapping
    let slot: Int
    let other: TableMapping
    let otherSlot: Int
  }

  /// A column with positions of a table of links.
  public struct Order: Sendable {
    let links: LinkMapping
    let column: String
    /// The column with the keys of the objects that have the positions.
    let key: String
  }

  /// A condition for the pairs of a relationship, in the tables of the old model.
  public struct Check: Sendable {
    /// The entity that declares the relationship.
    public let entity: String
    /// The name of the relationship.
    public let property: String
    /// The name of the old root of the near objects.
    public let root: String
    /// What the pairs must fulfill.
    public let rule: Rule
    let pairs: RelatedPairs
    /// The near objects that have the relationship now; nil for all.
    let near: RelatedRows?

    /// What pairs must fulfill.
    public enum Rule: Sendable {
      /// A near object has one far object.
      case one
      /// A far object that exists is one of these.
      case entity(RelatedRows)
      /// The far object is one of these.
      case exists(RelatedRows)
      /// The far object is none of these, which are removed.
      case stays(RelatedRows)
    }
  }

  /// - Parameter keptLinks: the tables of links of the new model that have rows of old ones
  ///   already, as positions.
  init(_ pair: SchemaPair, _ moves: RowMoves, _ names: NamesNow, keptLinks: Set<Int>) {
    var builder = Builder(pair: pair, moves: moves, names: names, keptLinks: keptLinks)
    for index in pair.new.entities.indices {
      for layout in pair.new.relationships[index]
      where !layout.isHidden && layout.declaringEntity == index {
        builder.add(layout, index)
      }
    }
    omissions = builder.omissions
    fills = builder.fills
    halves = builder.halves
    orders = builder.orders
    checks = builder.checks
  }

  private struct Builder {
    let pair: SchemaPair
    let moves: RowMoves
    let names: NamesNow
    let keptLinks: Set<Int>
    var omissions: [Omission] = []
    var fills: [Fill] = []
    var halves: [Half] = []
    var orders: [Order] = []
    var checks: [Check] = []

    /// An old relationship whose objects a new one has, seen from the end of the new one.
    private struct Part {
      let change: RelationshipChange
      /// The pairs in the tables of the old model.
      let oldPairs: RelatedPairs
      /// The old entities that have had the end, and those of them that have it now.
      let hadEnd: [Int]
      let haveEnd: [Int]
      let nearRoot: Int
      /// The old entities at the other end.
      let farKinds: [Int]
      let farRoot: Int
    }

    mutating func add(_ layout: RelationshipLayout, _ entity: Int) {
      let name = layout.relationship.name
      let origin = pair.mapping.origin(ofRelationship: name, in: entity)
      var isMutual = false
      for found in origin.parts {
        guard let part = part(found.source, found.entities, layout, entity) else { continue }
        add(part, of: layout, in: entity)
        isMutual = isMutual || part.change.keepsMutualPairs
      }
      if isMutual, case .slot(let slot) = layout.storage {
        addHalf(layout, pair.newMapping(entity), slot)
      }
    }

    private func part(
      _ end: ModelMapping.RelationshipEnd, _ formers: [Int], _ layout: RelationshipLayout,
      _ entity: Int
    ) -> Part? {
      guard let pairs = RelatedPairs(end, in: pair.old),
        let was = pair.mapping.relationship(at: end.place),
        let destination = pair.mapping.old.entityIndex(was.destination)
      else { return nil }
      let (near, far) =
        end.isReversed ? (destination, end.place.entity) : (end.place.entity, destination)
      func withRows(_ former: Int) -> [Int] {
        pair.old.kinds(of: former).filter { !pair.old.model.entities[$0].isAbstract }
      }
      return Part(
        change: RelationshipChange(
          from: end, to: layout.relationship, in: entity, pair.mapping),
        oldPairs: pairs, hadEnd: withRows(near), haveEnd: formers, nearRoot: pair.oldRoot(near),
        farKinds: withRows(far), farRoot: pair.oldRoot(far))
    }

    private mutating func add(_ part: Part, of layout: RelationshipLayout, in entity: Int) {
      var pairs = part.oldPairs.renamed(names)
      pairs.near.added = moves.added(from: part.nearRoot, to: pair.new.entities[entity].root)
      pairs.far.added = moves.added(
        from: part.farRoot, to: pair.new.entities[layout.destination].root)
      addConditions(part, of: layout, in: entity, pairs)
      switch layout.storage {
      case .slot(let slot):
        if part.change.wasToMany {
          addNearOmission(part, pairs)
          fills.append(
            Fill(pairs: pairs, target: .column(pair.newMapping(entity), slot: slot)))
        }
      case .inverseSlot: break
      case .links(let table, let side):
        let links = LinkMapping(pair.new.linkTables[table], in: pair.new)
        if side == .owner {
          addNearOmission(part, pairs)
          if !keptLinks.contains(table) { fills.append(Fill(pairs: pairs, target: .links(links))) }
        }
        addOrder(part.change, links, side, of: entity)
      }
    }

    /// One end of a one-to-one relationship can lose what the other one keeps, where both keep the
    /// first object.
    private mutating func addHalf(
      _ layout: RelationshipLayout, _ mapping: TableMapping, _ slot: Int
    ) {
      let model = pair.new.model
      guard let inverse = model.declaredInverse(of: layout.relationship),
        let otherSlot = pair.new.entities[inverse.entity].slotByName[inverse.relationship.name]
      else { return }
      halves.append(
        Half(
          mapping: mapping, slot: slot, other: pair.newMapping(inverse.entity),
          otherSlot: otherSlot))
    }

    /// A table of links that is kept has no column with positions yet.
    private mutating func addOrder(
      _ change: RelationshipChange, _ links: LinkMapping, _ side: LinkTable.End, of entity: Int
    ) {
      let column = side == .owner ? links.position : links.inversePosition
      guard change.order == .added, column != nil,
        case .links(let table, _) = pair.new.relationship(change.new.name, of: entity)?.storage,
        keptLinks.contains(table)
      else { return }
      orders.append(
        Order(
          links: links,
          column: side == .owner ? links.names.position : links.names.inversePosition,
          key: side == .owner ? links.names.member : links.names.owner))
    }

    // MARK: Conditions

    private mutating func addConditions(
      _ part: Part, of layout: RelationshipLayout, in entity: Int, _ pairs: RelatedPairs
    ) {
      let (change, relationship) = (part.change, layout.relationship)
      let isNarrower = Set(part.hadEnd) != Set(part.haveEnd)
      let near = isNarrower ? RelatedRows(part.haveEnd, of: part.nearRoot, pair) : nil
      func check(_ rule: Check.Rule) {
        checks.append(
          Check(
            entity: pair.new.entities[entity].name, property: relationship.name,
            root: pair.old.entities[part.nearRoot].name, rule: rule, pairs: part.oldPairs,
            near: near))
      }
      if change.mayHaveSeveral, relationship.conversion != .first { check(.one) }
      let fitting = RelatedRows(
        part.farKinds.filter { pair.mapping.isKind($0, of: layout.destination) }, of: part.farRoot,
        pair)
      let all = RelatedRows(
        pair.formersWithRows(ofRoot: part.farRoot), of: part.farRoot, pair)
      let removed = part.farKinds.filter { pair.mapping.newEntity(of: $0) == nil }
      var isMissed = false
      if case .narrower(let name?, _) = change.destination { isMissed = !name.isEmpty }
      let leavesOut = relationship.conversion == .toNil
      if isMissed, !leavesOut {
        // What is removed is another finding.
        let remaining = RelatedRows(
          pair.formersWithRows(ofRoot: part.farRoot).filter {
            pair.mapping.isKind($0, of: layout.destination)
              || pair.mapping.newEntity(of: $0) == nil
          }, of: part.farRoot, pair)
        check(.entity(remaining))
      }
      if change.existsNow, !leavesOut { check(.exists(all)) }
      if !removed.isEmpty, !relationship.isToMany, !relationship.isOptional {
        check(.stays(RelatedRows(removed, of: part.farRoot, pair)))
      }
      if !removed.isEmpty || (leavesOut && (isMissed || change.existsNow)) {
        omissions.append(
          Omission(
            pairs: pairs, allowed: fitting.renamed(names),
            mayDangle: change.wasDangling && !change.existsNow))
      }
    }

    /// Leaves out the pairs of objects that do not have the relationship any more, where the pairs
    /// are not in their rows. With an inverse, its destination decides.
    private mutating func addNearOmission(_ part: Part, _ pairs: RelatedPairs) {
      guard Set(part.hadEnd) != Set(part.haveEnd) else { return }
      let rows = RelatedRows(part.haveEnd, of: part.nearRoot, pair).renamed(names)
      omissions.append(Omission(pairs: pairs.reversed, allowed: rows, mayDangle: false))
    }
  }
}
