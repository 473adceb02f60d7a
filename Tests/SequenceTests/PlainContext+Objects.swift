import Copal

/// What is done to single objects.
extension PlainContext {
  // MARK: Values

  /// The value that an object shows. Of a fault: what has been set over it.
  func value(of object: PlainObject, _ name: String) -> PlainValue {
    if let value = object.transients[name] ?? object.pending[name] { return value }
    return committedValue(of: object, name)
  }

  func committedValue(of object: PlainObject, _ name: String) -> PlainValue {
    let attribute = object.entity.attribute(name)
    guard let row = object.row, !attribute.isTransient else { return .none }
    return attribute.decoded(row[name])
  }

  /// Whether a pending value is another one than the row's, as a store would see it.
  func differs(_ object: PlainObject, _ name: String) -> Bool {
    guard let value = object.pending[name] else { return false }
    let stored = object.entity.attribute(name).stored(value)
    return stored != (object.row?[name] ?? PlainValue.none)
  }

  /// The attributes whose pending value is another one than the row's.
  func differences(_ object: PlainObject) -> [String] {
    object.pending.keys.filter { differs(object, $0) }
  }

  /// Whether a save would write a value of the object.
  func hasPersistentChanges(_ object: PlainObject) -> Bool {
    object.isInserted || (object.isUpdated && !differences(object).isEmpty)
  }

  /// What `changedValues()` says: also transients that have a value.
  func changedValues(_ object: PlainObject) -> [String: PlainValue] {
    object.pending.filter { differs(object, $0.key) }
      .merging(object.transients.filter { $0.value != .none }) { $1 }
  }

  func committedValues(_ object: PlainObject) -> [String: PlainValue] {
    if object.isNew || object.row == nil { return [:] }
    return Dictionary(
      uniqueKeysWithValues: object.entity.stored.map {
        let value = committedValue(of: object, $0.name)
        return ($0.name, value == .unreadable ? .none : value)
      })
  }

  // MARK: Setting

  func set(
    _ object: PlainObject, _ name: String, _ value: PlainValue, isPrimitive: Bool = false
  ) {
    if isPrimitive { fire(object) } else { touch(object) }
    if object.entity.attribute(name).isTransient {
      object.transients[name] = value
    } else {
      object.pending[name] = value
    }
    for dependent in object.entity.dependents[name] ?? [] { object.transients[dependent] = nil }
  }

  /// Marks an object as changed.
  func touch(_ object: PlainObject) {
    if object.isGone || object.isNew || object.isChanged { return }
    fire(object)
    object.isChanged = true
  }

  // MARK: Faults

  /// Reads the row of a fault.
  func fire(_ object: PlainObject) {
    guard object.isFault, !object.isMissing else { return }
    hasFired = true
    if !object.isGone, let row = storedRow(of: object) {
      fill(object, row)
    } else {
      object.isMissing = true
    }
  }

  /// Gives a fault its values.
  func fill(_ object: PlainObject, _ row: PlainRow) {
    object.row = row
    (object.isFault, object.isMissing) = (false, false)
    if isHooked(object) { StudyHooks.awakeFromFetch(object) }
  }

  func turnIntoFault(_ object: PlainObject) {
    forget(object)
    object.row = nil
    (object.isFault, object.isMissing) = (true, false)
    if isHooked(object) { StudyHooks.didTurnIntoFault(object) }
  }

  /// Forgets what was set.
  private func forget(_ object: PlainObject) {
    (object.pending, object.transients) = ([:], [:])
    (object.isChanged, object.isDeleting) = (false, false)
  }

  /// Puts the changes of an object on top of another row.
  func rebase(_ object: PlainObject, on row: PlainRow) {
    if object.isChanged {
      // A value equal to the old row was not a change, and must not replace the new row's value.
      object.pending = object.pending.filter { differs(object, $0.key) }
      // Values that depend on other attributes are computed again.
      let dependents = Set(object.entity.dependents.values.joined())
      object.transients = object.transients.filter { !dependents.contains($0.key) }
      object.isChanged = !object.pending.isEmpty || !object.transients.isEmpty
    } else {
      (object.pending, object.transients) = ([:], [:])
    }
    object.row = row
    (object.isFault, object.isMissing) = (false, false)
    if isHooked(object) { StudyHooks.awakeFromFetch(object) }
  }

  // MARK: Inserting, deleting, refreshing

  func insert(_ entity: String) -> PlainObject {
    made += 1
    let object = PlainObject(self, world.schema.entity(entity), number: made)
    object.isNew = true
    for attribute in object.entity.stored where attribute.initial != .none {
      object.pending[attribute.name] = attribute.initial
    }
    objects.append(object)
    if isHooked(object) { StudyHooks.awakeFromInsert(object) }
    return object
  }

  func delete(_ object: PlainObject) {
    if object.isDeleting || object.isGone { return }
    object.isDeleting = true
    if isHooked(object) { StudyHooks.prepareForDeletion(object) }
    if object.isNew {
      object.isDeleting = false
      return release(object)
    }
    fire(object)
    // An object that is already gone needs no deletion.
    if object.isMissing { forget(object) }
  }

  func refresh(_ object: PlainObject, mergesChanges: Bool) throws(PlainFailure) {
    if object.isNew || object.isGone { return }
    guard mergesChanges else { return turnIntoFault(object) }
    guard let row = storedRow(of: object) else {
      object.isMissing = true
      throw .code(.objectMissing)
    }
    rebase(object, on: row)
  }

  func refreshAllObjects() {
    // By entity and key: the hooks of one may change the next.
    let clean = objects.filter { !$0.hasChanges }.sorted {
      ($0.entity.name == "Study" ? 0 : 1, $0.key ?? 0) < (
        $1.entity.name == "Study" ? 0 : 1, $1.key ?? 0
      )
    }
    for object in clean where !object.hasChanges {
      if object.isFault { object.isMissing = false } else { turnIntoFault(object) }
    }
  }

  func rollback() {
    metadata = [:]
    var restored: [PlainObject] = []
    for object in changed {
      if object.isNew {
        release(object)
      } else {
        forget(object)
        if object.row != nil { restored.append(object) }
      }
    }
    for object in restored where isHooked(object) { StudyHooks.awakeFromFetch(object) }
  }

  func reset() {
    metadata = [:]
    for object in objects { object.isGone = true }
    objects = []
  }
}

/// What a call throws.
enum PlainFailure: Error, Equatable {
  case code(PersistenceError.Code)
  case save(PlainSaveFailure)
}
