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

  /// Pairs whose far object is not of the destination, or does not exist.
  public struct Omission: Sendable {
    let pairs: RelatedPairs
    let allowed: RelatedRows
  }

  /// A column or a table that gets pairs.
  public struct Fill: Sendable {
    /// The pairs as the migration finds them.
    let pairs: RelatedPairs
    /// The pairs in the tables of the old model.
    let oldPairs: RelatedPairs
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

  /// A condition for the pairs of a relationship.
  public struct Check: Sendable {
    /// The entity that declares the relationship.
    public let entity: String
    /// The name of the relationship.
    public let property: String
    /// What the pairs must fulfill.
    public let rule: Rule
    let pairs: RelatedPairs
    let oldPairs: RelatedPairs

    /// What pairs must fulfill.
    public enum Rule: Sendable {
      /// A near object has one far object.
      case one
      /// The far object is of the destination: the rows of now, and those of the old tables, of
      /// which there may be none.
      case entity(RelatedRows, old: RelatedRows?, all: RelatedRows?)
      /// The far object exists.
      case exists(RelatedRows, old: RelatedRows?)
    }
  }

  /// - Parameter keptLinks: the tables of links of the new model that have rows of old ones
  ///   already, as positions.
  init(_ pair: SchemaPair, _ names: NamesNow, keptLinks: Set<Int>) {
    var builder = Builder(pair: pair, names: names, keptLinks: keptLinks)
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
    let names: NamesNow
    let keptLinks: Set<Int>
    var omissions: [Omission] = []
    var fills: [Fill] = []
    var halves: [Half] = []
    var orders: [Order] = []
    var checks: [Check] = []

    mutating func add(_ layout: RelationshipLayout, _ entity: Int) {
      let name = layout.relationship.name
      guard let end = pair.mapping.origin(ofRelationship: name, in: entity).places.first,
        let oldPairs = RelatedPairs(end, in: pair.old)
      else { return }
      let pairs = oldPairs.renamed(names)
      let change = RelationshipChange(from: end, to: layout.relationship, in: entity, pair.mapping)
      addConditions(change, of: layout, in: entity, pairs, old: oldPairs)
      switch layout.storage {
      case .slot(let slot):
        let mapping = TableMapping(pair.new.entities[entity], in: pair.new)
        if change.wasToMany {
          fills.append(
            Fill(pairs: pairs, oldPairs: oldPairs, target: .column(mapping, slot: slot)))
        }
        if change.keepsMutualPairs { addHalf(layout, mapping, slot) }
      case .inverseSlot: break
      case .links(let table, let side):
        let links = LinkMapping(pair.new.linkTables[table], in: pair.new)
        if side == .owner, !keptLinks.contains(table) {
          fills.append(Fill(pairs: pairs, oldPairs: oldPairs, target: .links(links)))
        }
        addOrder(change, links, side, of: entity)
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
      let other = TableMapping(pair.new.entities[inverse.entity], in: pair.new)
      halves.append(Half(mapping: mapping, slot: slot, other: other, otherSlot: otherSlot))
    }

    /// A table of links that is kept, or copied because the owners were the members, has no column
    /// with positions yet.
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

    private mutating func addConditions(
      _ change: RelationshipChange, of layout: RelationshipLayout, in entity: Int,
      _ pairs: RelatedPairs, old oldPairs: RelatedPairs
    ) {
      let relationship = layout.relationship
      func check(_ rule: Check.Rule) {
        checks.append(
          Check(
            entity: pair.new.entities[entity].name, property: relationship.name, rule: rule,
            pairs: pairs, oldPairs: oldPairs))
      }
      let rows = RelatedRows(layout.destination, in: pair.new)
      let oldRows = RelatedRows(layout.destination, before: pair)
      let isNarrower = if case .narrower = change.destination { true } else { false }
      if relationship.conversion == .toNil {
        if isNarrower || change.existsNow {
          omissions.append(Omission(pairs: pairs, allowed: rows))
        }
      } else {
        let root = pair.new.entities[layout.destination].root
        let all = RelatedRows(root, before: pair)
        if isNarrower { check(.entity(rows, old: oldRows, all: all)) }
        if change.existsNow { check(.exists(rows.ofAllEntities, old: all?.ofAllEntities)) }
      }
      if change.mayHaveSeveral, relationship.conversion != .first { check(.one) }
    }
  }
}
