import CopalEssentials
import CopalModel
import CopalStore

/// The links of many-to-many relationships in a context. Both ends of a link are changed together.
struct Links {
  private let state: ContextState

  init(_ state: ContextState) { self.state = state }

  /// Whether two objects are linked; nil when neither end knows it.
  func isLinked(
    _ owner: ManagedObject, _ relationship: RelationshipRuntime, _ member: ManagedObject
  ) -> Bool? {
    knowledge(owner, relationship, member).isLinked
  }

  /// What is known of a link; nil for what neither end knows.
  private struct Knowledge {
    /// Whether two objects are linked.
    var isLinked: Bool?
    /// Whether the store has the link, without the changes of this context. One end that knows it
    /// is
    /// enough for both: a link that was only added here must not be removed from the store, where
    /// others may have added it since.
    var isStored: Bool?
  }

  /// What the ends of a link know of it. Where they differ, others have changed it between the
  /// reads
  /// of the two: the end that was read first is read again when it is used.
  private func knowledge(
    _ owner: ManagedObject, _ relationship: RelationshipRuntime, _ member: ManagedObject
  ) -> Knowledge {
    let (here, hereTime) = knowledge(RelationshipPlace(owner, relationship), member)
    let back = inversePlace(relationship, member)
    let (there, thereTime) = knowledge(back, owner)
    guard let mine = here.isStored, let theirs = there.isStored, mine != theirs else {
      return Knowledge(
        isLinked: here.isLinked ?? there.isLinked, isStored: here.isStored ?? there.isStored)
    }
    let isHereOlder = hereTime < thereTime
    state.unloadMembers(at: isHereOlder ? RelationshipPlace(owner, relationship) : back)
    return isHereOlder ? there : here
  }

  /// What one end knows, and when it was read.
  private func knowledge(_ place: RelationshipPlace, _ object: ManagedObject) -> (Knowledge, Int) {
    state.relationships.forgetOldLinks(of: place)
    return state.relationships.changeKnown(place) {
      (Knowledge(isLinked: $0.isLinked(object), isStored: $0.isStoredLink(object)), $0.readAt)
    } ?? (Knowledge(), 0)
  }

  /// Links two objects. Where neither end has an order, it reads nothing: adding a link that exists
  /// changes nothing. Where one end has an order, the link would get another position, so the links
  /// are read.
  ///
  /// - Parameter position: the position in the list of the owner; nil to append the object.
  func link(
    _ owner: ManagedObject, _ relationship: RelationshipRuntime, _ member: ManagedObject,
    at position: Int64? = nil
  ) {
    var known = knowledge(owner, relationship, member)
    if known.isLinked == nil, relationship.isOrdered || inverse(of: relationship).isOrdered {
      do {
        try RelatedObjects(state, owner.core).load(relationship, of: owner)
      } catch {
        owner.reportUnreadable(relationship, error)
      }
      known = knowledge(owner, relationship, member)
    }
    if known.isLinked == true { return }
    let isStored = known.isStored
    change(
      owner, relationship, member, here: { $0.link(member, at: position, isStored: isStored) }
    ) { $0.link(owner, isStored: isStored) }
  }

  /// Removes the link between two objects. It reads nothing.
  func unlink(_ owner: ManagedObject, _ relationship: RelationshipRuntime, _ member: ManagedObject)
  {
    let known = knowledge(owner, relationship, member)
    if known.isLinked == false { return }
    let isStored = known.isStored
    change(owner, relationship, member, here: { $0.unlink(member, isStored: isStored) }) {
      $0.unlink(owner, isStored: isStored)
    }
  }

  /// Removes a link that only the list of one end still has: the store has no row of the other end.
  func unlinkMissing(
    _ object: ManagedObject, _ relationship: RelationshipRuntime, from owner: ManagedObject
  ) {
    let inverse = inverse(of: relationship)
    let place = RelationshipPlace(owner, inverse)
    state.relationships.changeLinks(place, isOrdered: inverse.isOrdered) { $0.unlink(object) }
    if relationship.inverseHasLimits { state.relationships.noteCounted(place) }
    state.hasChangedSinceCheck = true
    owner.noteMembersChanged(of: inverse, state)
  }

  /// Gives a member another position in the list of the owner.
  func move(
    _ owner: ManagedObject, _ relationship: RelationshipRuntime, _ key: Int64, to position: Int64
  ) {
    let member = state.object(entity: relationship.destination, key: key)
    state.relationships.changeLinks(RelationshipPlace(owner, relationship), isOrdered: true) {
      $0.move(key, member, to: position)
    }
    state.hasChangedSinceCheck = true
    owner.noteMembersChanged(of: relationship, state)
  }

  private func change(
    _ owner: ManagedObject, _ relationship: RelationshipRuntime, _ member: ManagedObject,
    here: (inout KnownMembers) -> Void, there: (inout KnownMembers) -> Void
  ) {
    state.relationships.changeLinks(
      RelationshipPlace(owner, relationship), isOrdered: relationship.isOrdered, here)
    let inverse = inverse(of: relationship)
    let back = RelationshipPlace(member, inverse)
    state.relationships.changeLinks(back, isOrdered: inverse.isOrdered, there)
    if relationship.countLimits != nil {
      state.relationships.noteCounted(RelationshipPlace(owner, relationship))
    }
    if relationship.inverseHasLimits { state.relationships.noteCounted(back) }
    state.hasChangedSinceCheck = true
    owner.noteMembersChanged(of: relationship, state)
    member.noteMembersChanged(of: inverse, state)
  }

  /// The relationship of the objects at the other end.
  private func inverse(of relationship: RelationshipRuntime) -> RelationshipRuntime {
    guard case .toMany(let ordinal, _) = relationship.inverse else {
      misuse("\(relationship.description.name) has no links")
    }
    return state.container.entities[relationship.destination].relationships[ordinal]
  }

  private func inversePlace(_ relationship: RelationshipRuntime, _ member: ManagedObject)
    -> RelationshipPlace
  {
    RelationshipPlace(member, inverse(of: relationship))
  }

  // MARK: Undoing

  /// Undoes the changes of the links of one object, at both ends. Links to objects that are deleted
  /// stay removed.
  func forgetChanges(of object: ManagedObject) {
    for relationship in object.runtime.relationships where relationship.links != nil {
      let place = RelationshipPlace(object, relationship)
      guard state.relationships.linked.contains(place),
        let changes = state.relationships[place]?.linkChanges
      else { continue }
      let keys = changes.added.map(\.object.key) + changes.removed + changes.moved.map(\.key)
      let related = RelatedObjects(state, object.core)
      for key in keys {
        // Nothing of an object that cannot be read has changed.
        guard let other = try? related.object(key, of: relationship) else { continue }
        if other.flags.contains(.deleted) { continue }
        state.relationships.changeLinks(place, isOrdered: relationship.isOrdered) {
          $0.forgetLink(other)
        }
        let inverse = inverse(of: relationship)
        state.relationships.changeLinks(
          inversePlace(relationship, other), isOrdered: inverse.isOrdered
        ) { $0.forgetLink(object) }
        state.noteObservedMembers(of: inversePlace(relationship, other))
        other.endChangeOfMembers(state)
      }
      state.relationships.changeKnown(place) { $0.linksAtDeletion = [] }
    }
  }

  /// Forgets the unsaved links of an object that leaves the context, at both ends.
  func dropAdditions(of object: ManagedObject) {
    if state.relationships.linked.isEmpty { return }
    for relationship in object.runtime.relationships where relationship.links != nil {
      let place = RelationshipPlace(object, relationship)
      guard state.relationships.linked.contains(place),
        let added = state.relationships[place]?.linkChanges.added
      else { continue }
      for (other, _) in added {
        state.relationships.changeKnownLinks(place) { $0.forgetLink(other) }
        state.relationships.changeKnownLinks(inversePlace(relationship, other)) {
          $0.forgetLink(object)
        }
        state.noteObservedMembers(of: inversePlace(relationship, other))
      }
    }
  }

  /// The unsaved links of a new object were written as links of another one: the lists at the other
  /// ends are read again.
  func unloadOtherEnds(of object: ManagedObject) {
    if state.relationships.linked.isEmpty { return }
    for relationship in object.runtime.relationships where relationship.links != nil {
      let added = state.relationships[RelationshipPlace(object, relationship)]?.linkChanges.added
      for (other, _) in added ?? [] {
        let inverse = inverse(of: relationship)
        state.unloadMembers(at: RelationshipPlace(other, inverse))
        if inverse.isHidden { continue }
        state.collect { $0.noteMembers(of: other, inverse.ordinal, .refreshed) }
      }
    }
  }

  /// An object has lost the links that the store had: all lists in which it may be are read again.
  func unloadLists(of object: ManagedObject) {
    for relationship in object.runtime.relationships where relationship.links != nil {
      guard case .toMany(let ordinal, _) = relationship.inverse else { continue }
      let places = state.relationships.places(
        entity: relationship.inverseEntity, ordinal: ordinal)
      for place in places { state.unloadMembers(at: place) }
    }
  }

  // MARK: Saving

  /// The changes of links for a save, table by table. Links of objects that are deleted are not
  /// added.
  func changes() -> [LinkChanges] {
    var tables: [Int: LinkCollector] = [:]
    for place in state.relationships.linked {
      let relationship = state.container.entities[place.entity].relationships[place.ordinal]
      guard let (table, end) = relationship.links,
        let changes = state.relationships[place]?.linkChanges
      else { continue }
      let collector = LinkCollector(isSymmetric: relationship.isSymmetric)
      tables[table, default: collector].add(
        changes, of: place.key, at: end,
        isDeleted: state.object(entity: place.entity, key: place.key)?.flags.contains(.deleted)
          == true,
        isOrdered: relationship.isOrdered)
    }
    return tables.map { $1.changes(ofTable: $0) }.filter { !$0.isEmpty }
      .inOrder { $0.table < $1.table }
  }

  /// Ends a save, which has written the changes.
  func finish(_ written: ChangeSet) {
    var tables: [Int: [LinkEnds: Link]] = [:]
    for changes in written.links {
      for link in changes.added + changes.moved {
        tables[changes.table, default: [:]][LinkEnds(link), default: link].merge(link)
      }
    }
    state.relationships.endLinks { place, members in
      let relationship = state.container.entities[place.entity].relationships[place.ordinal]
      // The links of a new object that is being deleted were not written.
      guard let (table, end) = relationship.links, place.key > 0 else { return }
      let links = tables[table] ?? [:]
      members.finishLinks { key in
        let here = LinkEnds(owner: place.key, member: key)
        if end == .member { return links[here.reversed]?.inversePosition }
        // A link of a symmetric relationship is written once for both directions.
        return links[here]?.position ?? links[here.reversed]?.inversePosition
      }
    }
  }
}

/// The keys of a link without its positions.
struct LinkEnds: Hashable {
  let owner: Int64
  let member: Int64

  init(owner: Int64, member: Int64) {
    self.owner = owner
    self.member = member
  }

  init(_ link: Link) { self.init(owner: link.owner, member: link.member) }

  var reversed: LinkEnds { LinkEnds(owner: member, member: owner) }

  var link: Link { Link(owner: owner, member: member) }
}

/// Collects the changes of a table of links from both ends of the links.
private struct LinkCollector {
  private var removed: Set<LinkEnds> = []
  private var added: [LinkEnds: Link] = [:]
  private var moved: [LinkEnds: Link] = [:]
  private let isSymmetric: Bool

  init(isSymmetric: Bool) { self.isSymmetric = isSymmetric }

  mutating func add(
    _ changes: KnownMembers.LinkChanges, of key: Int64, at end: LinkTable.End, isDeleted: Bool,
    isOrdered: Bool
  ) {
    func link(_ other: Int64, _ position: Int64? = nil) -> Link {
      let link = Link(owner: key, member: other, position: isOrdered ? position : nil)
      return end == .owner ? link : link.reversed
    }
    // A link of a symmetric relationship is named from one end only.
    func named(_ link: Link) -> Link {
      isSymmetric && link.owner > link.member ? link.reversed : link
    }
    for other in changes.removed { removed.insert(LinkEnds(named(link(other)))) }
    for (other, position) in changes.moved {
      let link = link(other, position)
      moved[LinkEnds(link), default: link].merge(link)
    }
    if isDeleted { return }
    // The store refuses a link to an object that others have deleted.
    for (other, position) in changes.added
    where !other.flags.contains(.deleted) && !(other.key < 0 && other.flags.contains(.gone)) {
      let link = named(link(other.key, position))
      added[LinkEnds(link), default: link].merge(link)
    }
  }

  /// In a fixed order, so that equal saves are equal.
  func changes(ofTable table: Int) -> LinkChanges {
    func sorted(_ links: some Sequence<Link>) -> [Link] {
      links.inOrder { ($0.owner, $0.member) < ($1.owner, $1.member) }
    }
    var result = LinkChanges(table: table)
    result.removed = sorted(removed.lazy.map(\.link))
    result.added = sorted(added.values)
    result.moved = sorted(moved.values)
    return result
  }
}

extension Link {
  /// Takes the positions of the same link, as the other end has it.
  fileprivate mutating func merge(_ other: Link) {
    position = other.position ?? position
    inversePosition = other.inversePosition ?? inversePosition
  }
}
