import CopalModel
import CopalStore

/// To-one relationships.
extension ManagedObject {
  /// For generated code: the object of a to-one relationship; nil for none.
  // Inlined into the generated property, where the class is known.
  @inlinable
  public final func _copalToOne<T: ManagedObject>(_ slot: Int, as type: T.Type = T.self) -> T? {
    guard let found = target(slot) else { return nil }
    // Comparing types is cheaper than a cast.
    if Swift.type(of: found) == T.self { return unsafeDowncast(found, to: T.self) }
    return found as? T
  }

  /// For generated code: sets the object of a to-one relationship.
  ///
  /// - Precondition: the object belongs to the same context.
  public final func _copalSetToOne(_ slot: Int, _ target: ManagedObject?) {
    setTarget(slot, target)
  }

  /// The object of a to-one relationship; a fault when its values have not been read.
  @usableFromInline
  final func target(_ slot: Int) -> ManagedObject? {
    if _fastPath(flags.areFast), flags.isDisjoint(with: [.deleted, .gone]), let base,
      slot < runtime.destinationBySlot.count,
      case let destination = runtime.destinationBySlot[slot], destination >= 0
    {
      if PackedRowValues.isNull(base, slot) { return nil }
      let key = PackedRowValues.integer(base, slot)
      if let found = core.registered(key, destination), found.isObject(of: destination),
        found.flags.isDisjoint(with: [.missing, .deleted])
      {
        return found
      }
    }
    return targetCarefully(slot)
  }

  /// The same in any state of the object, and when the context does not have the object.
  @inline(never)
  private final func targetCarefully(_ slot: Int) -> ManagedObject? {
    if isWithoutRelated { return flags.contains(.detached) ? detachedTarget(slot) : nil }
    if flags.contains(.fault) {
      do { try fulfillIfFault(for: slot) } catch { record(error, slot) }
    }
    guard let key = heldReference(slot) else { return nil }
    let relationship = runtime.relationship(ofSlot: slot)
    guard let state = core.state() else {
      reportReleasedContext(relationship)
      return nil
    }
    let found = existing(relatedObject(key, relationship, state), relationship)
    // No object has one that is deleted, whatever its delete rule is.
    guard let found, found.flags.contains(.deleted), found.isWithoutRelated else { return found }
    return nil
  }

  /// The object that the row refers to.
  final func storedTarget(_ slot: Int) -> ManagedObject? {
    guard let key = storedReference(slot), let state = core.state() else { return nil }
    let relationship = runtime.relationship(ofSlot: slot)
    return fitting(relatedObject(key, relationship, state), relationship)
  }

  /// An object that a relationship can have; nil for another one.
  private final func fitting(_ object: ManagedObject?, _ relationship: RelationshipRuntime)
    -> ManagedObject?
  {
    object.flatMap { $0.isObject(of: relationship.destination) ? $0 : nil }
  }

  /// The object of a key. What prevents reading it is reported.
  private final func relatedObject(
    _ key: Int64, _ relationship: RelationshipRuntime, _ state: ContextState
  ) -> ManagedObject? {
    do {
      return try RelatedObjects(state, core).object(key, of: relationship, for: self)
    } catch {
      reportUnreadable(relationship, error)
      return nil
    }
  }

  /// Sets the object of a to-one relationship, and the other end.
  ///
  /// - Parameter position: the position in the ordered list of the other object; nil to append the
  ///   object.
  final func setTarget(_ slot: Int, _ target: ManagedObject?, at position: Int64? = nil) {
    if setFirst(slot, target) { return }
    guard flags.isDisjoint(with: [.deleted, .gone]), let state = core.state() else {
      guard flags.contains(.detached) else { return prepareWrite(to: slot) }
      if let target { requireFit(target, runtime.relationship(ofSlot: slot)) }
      return setDetachedTarget(slot, target)
    }
    let relationship = runtime.relationship(ofSlot: slot)
    if !accepts(target, relationship) { return }
    if flags.contains(.fault) {
      fulfill(for: slot)
      if !flags.isDisjoint(with: [.deleted, .gone]) { return }
    }
    renewIfOld(relationship, slot, target, state)
    let (old, new) = (reference(slot), target?.key)
    if old == new {
      if let position, let list = relationship.positionSlot, heldPosition(list) != position {
        state.updatingMembers(with: self) { write(list, .integer(position)) }
        target?.noteMembersChanged(relationship, state)
      }
      return
    }
    let former = old.flatMap { state.object($0, of: relationship.destination) }
    if case .slot(let back) = relationship.inverse {
      // One-to-one: the former partners lose their references.
      let partner =
        former
        ?? old.flatMap { fitting(relatedObject($0, relationship, state), relationship) }
      partner?.losePartner(self, back, state)
      if let target, let other = target.target(back), other !== self {
        other.losePartner(target, slot, state)
      }
      target?.writeReference(back, self, state)
    }
    writeReference(relationship, slot, to: target, state, at: position)
    former?.noteMembersChanged(relationship, state)
    target?.noteMembersChanged(relationship, state)
  }

  /// Before a reference is set: an end that is known to be old is read again, so that it does not
  /// hide the change.
  private final func renewIfOld(
    _ relationship: RelationshipRuntime, _ slot: Int, _ target: ManagedObject?,
    _ state: ContextState
  ) {
    if case .slot(let back) = relationship.inverse {
      // Whether the two agree, and which partner loses the target, is in the row of the target.
      target?.fulfill(for: back)
      renewPair(slot, back, state)
      if let target, reference(slot) != target.key { target.renewPair(back, slot, state) }
      return fulfill(for: slot)
    }
    let old = reference(slot)
    if old != target?.key, !state.relationships.hasRefreshedMembers { return }
    guard case .toMany(let ordinal, _) = relationship.inverse else { return }
    let members = state.container.entities[relationship.destination].relationships[ordinal]
    for owner in Set([old, target?.key].compactMap(\.self)) where owner > 0 {
      let place = RelationshipPlace(
        entity: relationship.inverseEntity, ordinal: ordinal, key: owner)
      do {
        try RelatedObjects(state, core).readIfRefreshed(place, members)
      } catch {
        state.object(owner, of: relationship.destination)?.reportUnreadable(members, error)
      }
      // The list was read later than the object, and does not have it.
      if storedReference(slot) == owner, reference(slot) == owner,
        state.relationships.changeKnown(place, { $0.lacks(self) }) == true,
        turnIntoFaultIfUnchanged(state)
      {
        fulfill(for: slot)
      }
    }
  }

  /// Where an object and its partner in a one-to-one relationship disagree, one of them has an old
  /// row. Both are read again, unless they have unsaved changes: their save finds the conflict.
  private final func renewPair(_ slot: Int, _ back: Int, _ state: ContextState) {
    guard flags.isDisjoint(with: [.fault, .inserted, .deleted, .gone, .missing]),
      let partner = pairPartner(slot, state), !partner.flags.contains(.inserted),
      partner.pairPartner(back, state) !== self
    else { return }
    for object in [partner, self] { object.turnIntoFaultIfUnchanged(state) }
    fulfill(for: slot)
    // The partner of the new row may have an old one.
    if let partner = pairPartner(slot, state), partner.pairPartner(back, state) !== self {
      partner.turnIntoFaultIfUnchanged(state)
    }
  }

  /// The partner in a one-to-one relationship, if the context has it with its values.
  private final func pairPartner(_ slot: Int, _ state: ContextState) -> ManagedObject? {
    reference(slot)
      .flatMap { state.object($0, of: runtime.relationship(ofSlot: slot).destination) }
      .flatMap { $0.flags.isDisjoint(with: [.deleted, .gone, .missing, .fault]) ? $0 : nil }
  }

  /// The partners in the one-to-one relationships of the object that the context has with their
  /// values, each with its slot that leads back.
  final func pairPartners(_ state: ContextState) -> [(partner: ManagedObject, back: Int)] {
    runtime.relationships.compactMap { relationship in
      guard let slot = relationship.slot, case .slot(let back) = relationship.inverse,
        let partner = pairPartner(slot, state)
      else { return nil }
      return (partner, back)
    }
  }

  /// The object was refreshed: its partners in one-to-one relationships, before and now, become
  /// faults, unless they agree with it or have unsaved changes.
  final func renewPartners(
    _ former: [(partner: ManagedObject, back: Int)], _ state: ContextState
  ) {
    for (partner, back) in former + pairPartners(state)
    where partner.flags.isDisjoint(with: [.deleted, .gone, .missing, .fault, .inserted]) {
      let isAgreed =
        !flags.contains(.fault) && partner.pairPartner(back, state) === self
        && pairPartners(state).contains { $0.partner === partner && $0.back == back }
      if !isAgreed { partner.turnIntoFaultIfUnchanged(state) }
    }
  }

  /// Gives the one-to-one relationships of an object the partners of its row again, at both ends. A
  /// partner that has not been read has no changes.
  final func restorePartners(_ state: ContextState) {
    for relationship in runtime.relationships {
      guard let slot = relationship.slot, case .slot(let back) = relationship.inverse else {
        continue
      }
      let partner = storedReference(slot)
        .flatMap { state.object($0, of: relationship.destination) }
        .flatMap { $0.flags.isDisjoint(with: [.deleted, .gone, .missing, .fault]) ? $0 : nil }
      let former = pairPartner(slot, state)
      if reference(slot) != storedReference(slot) { setTarget(slot, partner) }
      // Without a change, the partner has an old row, which is not to be written.
      if let partner, partner.reference(back) != key,
        partner.reference(back) != partner.storedReference(back)
      {
        partner.setTarget(back, self)
      }
      for other in [former, partner] { other?.endChange(ofReference: back, state) }
    }
  }

  /// A reference that is that of the row again is no change. An object with no other change has
  /// none then.
  private final func endChange(ofReference slot: Int, _ state: ContextState) {
    guard flags.isDisjoint(with: [.inserted, .fault]), reference(slot) == storedReference(slot)
    else { return }
    cells?.clear(slot)
    endChangeOfMembers(state)
  }

  /// Reads a fault because of one of its references. What prevents this is recorded.
  private final func fulfill(for slot: Int) {
    if !flags.contains(.fault) { return }
    do { try fulfillIfFault(for: slot) } catch { record(error, slot) }
  }

  /// Another object no longer refers to this one, and so this one does not refer to it.
  private final func losePartner(_ other: ManagedObject, _ back: Int, _ state: ContextState) {
    // Whether a fault refers to the other object is in its row.
    fulfill(for: back)
    if reference(back) == other.key { writeReference(back, nil, state) }
  }

  /// - Returns: false when the other object is deleted: no object refers to one that is.
  // Not inlined, like `setFirst`: in a larger function, the compiler counts more references to the
  // same objects.
  @inline(never)
  private final func accepts(_ target: ManagedObject?, _ relationship: RelationshipRuntime) -> Bool
  {
    guard let target else { return true }
    requireFit(target, relationship)
    if target.flags.isDisjoint(with: [.deleted, .gone]) { return true }
    target.prepareWrite(to: 0)
    return false
  }

  private final func requireFit(_ target: ManagedObject, _ relationship: RelationshipRuntime) {
    target.requireSameContext(as: self)
    if target.runtime.index == relationship.destination { return }
    require(
      target.isObject(of: relationship.destination),
      "an object of \(target.entityName) cannot be set for \(entityName).\(relationship.description.name)"
    )
  }

  /// Sets a relationship of a new object that has none, where the members of the other object have
  /// neither order nor limits. This is usual where many objects are inserted.
  ///
  /// - Returns: whether it is set.
  @inline(never)
  private final func setFirst(_ slot: Int, _ target: ManagedObject?) -> Bool {
    guard let target, flags.contains(.inserted), base == nil, isNull(slot),
      flags.union(target.flags).isDisjoint(with: [.deleted, .gone])
    else { return false }
    let relationship = runtime.relationship(ofSlot: slot)
    guard case .toMany(let ordinal, isOrdered: false) = relationship.inverse,
      !relationship.inverseHasLimits, let state = core.state()
    else { return false }
    requireFit(target, relationship)
    let owner = target.key
    write(slot, .integer(owner))
    let place = RelationshipPlace(
      entity: relationship.inverseEntity, ordinal: ordinal, key: owner)
    state.relationships.changeMembers(place, isOrdered: false) { $0.addNew(self) }
    target.noteMembersChanged(relationship, state)
    return true
  }

  /// Whether no value is on top of the row, or null.
  private final func isNull(_ slot: Int) -> Bool {
    cellsReference?._withUnsafeGuaranteedRef { $0.isNull(slot) } ?? true
  }

  /// - Precondition: the object belongs to the context of the other one.
  final func requireSameContext(as other: ManagedObject) {
    if core === other.core { return }
    require(
      core === other.core,
      "\(objectID) belongs to another context; look it up in the context of \(other.objectID) with existingObject(with:)"
    )
  }

  private final func writeReference(
    _ slot: Int, _ target: ManagedObject?, _ state: ContextState
  ) {
    writeReference(runtime.relationship(ofSlot: slot), slot, to: target, state, at: nil)
  }

  /// Writes the key of one end, and the position in the list of the other one.
  private final func writeReference(
    _ relationship: RelationshipRuntime, _ slot: Int, to target: ManagedObject?,
    _ state: ContextState, at position: Int64?
  ) {
    var place = position
    if let target, place == nil, relationship.positionSlot != nil,
      case .toMany(let back, _) = relationship.inverse
    {
      place = state.relationships.change(
        RelationshipPlace(target, target.runtime.relationships[back]), isOrdered: true
      ) { $0.makeEndPosition() }
    }
    let former = heldReference(slot)
    write(slot, target.map { .integer($0.key) } ?? .null)
    if let list = relationship.positionSlot {
      write(list, target == nil ? .null : place.map { .integer($0) } ?? .null)
    }
    // The row stays as it is. So the members of no other object change.
    guard case .toMany = relationship.inverse else { return }
    if let former { state.updateMembers(with: self, relationship, of: former) }
    guard let key = target?.key else { return }
    let root = relationship.destinationRoot
    let isNew =
      former.map { state.permanent($0, root: root) != state.permanent(key, root: root) } ?? true
    state.updateMembers(with: self, relationship, of: key, isNew: isNew)
  }

  /// The members of a to-many relationship of the object have changed, because an object at the
  /// other end has.
  ///
  /// - Parameter relationship: the to-one relationship of the other object.
  final func noteMembersChanged(_ relationship: RelationshipRuntime, _ state: ContextState) {
    if state.events == nil, !canNoteMembers { return }
    if case .toMany(let ordinal, _) = relationship.inverse {
      noteMembersChanged(of: runtime.relationships[ordinal], state)
    } else if canNoteMembers {
      noteMembersChanged(state)
    }
  }

  /// The members of a to-many relationship of the object have changed.
  final func noteMembersChanged(of relationship: RelationshipRuntime, _ state: ContextState) {
    if state.events != nil, !relationship.isHidden,
      flags.isDisjoint(with: [.fault, .deleted, .gone])
    {
      state.collect { $0.noteMembers(of: self, relationship.ordinal) }
    }
    if flags.contains(.observed) {
      state.noteObserved(self, CollectionOfOne(-1 - relationship.ordinal))
    }
    // The model does not declare it, so no hook can see the change.
    if !relationship.isHidden, canNoteMembers { noteMembersChanged(state) }
  }

  /// Whether the object is clean, and has been read.
  private final var canNoteMembers: Bool {
    flags.isDisjoint(with: [.fault, .inserted, .updated, .deleted, .gone])
  }

  /// The hooks of the object are called by the next save. A fault is not read for that.
  private final func noteMembersChanged(_ state: ContextState) {
    becomeChanged()
    state.note(changed: self)
  }
}
