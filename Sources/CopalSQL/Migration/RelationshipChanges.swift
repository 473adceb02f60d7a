import CopalEssentials
import CopalModel
import CopalStore

/// What a migration does with the pairs of objects of relationships, where they are kept in another
/// way than before, or where some of them are not allowed any more.
public struct RelationshipChanges: Sendable {
  /// The pairs that are left out of columns, because the model says so: before anything else is
  /// done.
  public let omissions: [Omission]
  /// The pairs that are left out of tables of links, after others have got what they need of them.
  public let lateOmissions: [Omission]
  /// The columns and tables of links that get the pairs of others.
  public let fills: [Fill]
  /// The pairs of one-to-one relationships of which one end has lost the other.
  public let halves: [Half]
  /// Positions for a table of links that is ordered now.
  public let orders: [Order]
  /// What the pairs must fulfill.
  public let checks: [Check]

  /// Pairs that an end does not have any more.
  public struct Omission: Sendable {
    let pairs: RelatedPairs
    /// The near objects that have the end now; nil for all.
    let near: RelatedRows?
    let reason: Reason

    enum Reason: Sendable {
      /// The near object does not have the end.
      case nearHasNoEnd
      /// The far object is one of these.
      case far(RelatedRows)
      /// The far object is not one of these.
      case farIsMissing(RelatedRows)
    }
  }

  /// A column or a table that gets pairs.
  public struct Fill: Sendable {
    /// The pairs as the migration finds them.
    let pairs: RelatedPairs
    /// The near objects whose pairs are taken, and the far ones; nil for all.
    let near: RelatedRows?
    let far: RelatedRows?
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
      /// The far object is not one of these, which are of other entities.
      case entity(RelatedRows)
      /// The far object is one of these.
      case exists(RelatedRows)
      /// The far object is not one of these, which are removed.
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
    lateOmissions = builder.lateOmissions
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
    var lateOmissions: [Omission] = []
    var fills: [Fill] = []
    var halves: [Half] = []
    var orders: [Order] = []
    var checks: [Check] = []

    /// An old relationship whose objects a new one has, seen from the end of the new one.
    private struct Part {
      let end: ModelMapping.RelationshipEnd
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
        end: end,
        change: RelationshipChange(
          from: end, to: layout.relationship, in: entity, pair.mapping),
        oldPairs: pairs, hadEnd: withRows(near).inOrder(), haveEnd: formers.inOrder(),
        nearRoot: pair.oldRoot(near),
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
          addFill(part, pairs, layout, .column(pair.newMapping(entity), slot: slot))
        }
      case .inverseSlot: break
      case .links(let table, let side):
        let links = LinkMapping(pair.new.linkTables[table], in: pair.new)
        if keptLinks.contains(table) {
          if part.hadEnd != part.haveEnd {
            lateOmissions.append(
              Omission(pairs: pairs, near: nearRows(part), reason: .nearHasNoEnd))
          }
        } else if side == .owner {
          addFill(part, pairs, layout, .links(links))
        } else if !pair.ownerHasOrigin(links.links) {
          addFill(part, pairs, layout, .links(links), isReversed: true)
        }
        addOrder(part.change, links, side, of: entity)
      }
    }

    private mutating func addFill(
      _ part: Part, _ pairs: RelatedPairs, _ layout: RelationshipLayout, _ target: Fill.Target,
      isReversed: Bool = false
    ) {
      let fitting = part.farKinds.filter { pair.mapping.isKind($0, of: layout.destination) }
      let near = part.hadEnd == part.haveEnd ? nil : nearRows(part)
      let far =
        fitting == part.farKinds
        ? nil : RelatedRows(fitting, of: part.farRoot, pair).renamed(names)
      fills.append(
        isReversed
          ? Fill(pairs: pairs.reversed, near: far, far: near, target: target)
          : Fill(pairs: pairs, near: near, far: far, target: target))
    }

    private func nearRows(_ part: Part) -> RelatedRows {
      RelatedRows(part.haveEnd, of: part.nearRoot, pair).renamed(names)
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
      let isPartial = part.hadEnd != part.haveEnd
      func rows(_ formers: [Int]) -> RelatedRows { RelatedRows(formers, of: part.farRoot, pair) }
      func check(_ rule: Check.Rule) {
        checks.append(
          Check(
            entity: pair.new.entities[entity].name, property: relationship.name,
            root: pair.old.entities[part.nearRoot].name, rule: rule, pairs: part.oldPairs,
            near: isPartial ? RelatedRows(part.haveEnd, of: part.nearRoot, pair) : nil))
      }
      /// Links are taken out at last: another relationship may go on with them.
      func omit(_ reason: Omission.Reason) {
        let near = isPartial ? nearRows(part) : nil
        guard pairs.reference == nil else {
          return omissions.append(Omission(pairs: pairs, near: near, reason: reason))
        }
        if case .links(let table, _) = layout.storage, keptLinks.contains(table) {
          lateOmissions.append(Omission(pairs: pairs, near: nil, reason: reason))
        }
      }
      if change.mayHaveSeveral, relationship.conversion != .first { check(.one) }
      let leavesOut = relationship.conversion == .toNil
      let removed = part.farKinds.filter { pair.mapping.newEntity(of: $0) == nil }
      let outside = part.farKinds.filter {
        pair.mapping.newEntity(of: $0) != nil && !pair.mapping.isKind($0, of: layout.destination)
      }
      let lost = outside.filter { !pair.mapping.goesOn($0, withPairsOf: part.end) }
      if !lost.isEmpty, !leavesOut { check(.entity(rows(lost))) }
      let all = rows(pair.formersWithRows(ofRoot: part.farRoot))
      if change.existsNow, !leavesOut { check(.exists(all)) }
      if !removed.isEmpty, !relationship.isToMany, !relationship.isOptional {
        check(.stays(rows(removed)))
      }
      // Objects that go on with the pairs keep them in their own column, or have taken them from
      // the links. What is checked, is not there.
      let isOwnColumn = if case .slot = layout.storage { !change.wasToMany } else { false }
      let others =
        pairs.reference == nil || isOwnColumn ? outside.filter { !lost.contains($0) } : []
      let gone = removed + others + (leavesOut ? lost : [])
      if !gone.isEmpty { omit(.far(rows(gone).renamed(names))) }
      if change.existsNow, leavesOut { omit(.farIsMissing(all.renamed(names))) }
    }
  }
}
