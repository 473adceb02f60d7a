import Copal

/// Which object a failure is about.
enum PlainID: Hashable {
  case saved(String, Int64)
  /// A new one, by its number.
  case new(Int)
}

extension PlainID: CustomStringConvertible {
  var description: String {
    switch self {
    case .saved(let entity, let key): "\(entity) \(key)"
    case .new(let number): "new object \(number)"
    }
  }
}

/// Why a save fails.
struct PlainSaveFailure: Error, Equatable {
  /// What is wrong with an object; the attribute is nil where the object as a whole is concerned.
  struct Cause: Hashable, CustomStringConvertible {
    var code: PersistenceError.Code
    var object: PlainID
    var attribute: String?

    var description: String { "\(code) of \(object)\(attribute.map { ".\($0)" } ?? "")" }
  }

  /// Two objects that share what a constraint allows once.
  struct Shared: Hashable {
    var attributes: [String]
    var objects: Set<PlainID>
  }

  /// What the objects themselves do not allow; a save looks no further then.
  var invalid: [Cause] = []
  /// What others have saved or deleted.
  var conflicts: [Cause] = []
  var shared: Set<Shared> = []
}

extension PlainObject {
  var id: PlainID { key.map { .saved(entity.name, $0) } ?? .new(number) }

  func cause(_ code: PersistenceError.Code, _ attribute: String? = nil) -> PlainSaveFailure.Cause {
    PlainSaveFailure.Cause(code: code, object: id, attribute: attribute)
  }
}

extension PlainContext {
  /// Saves, and calls didSave.
  func save() throws(PlainFailure) {
    if changed.isEmpty, metadata.isEmpty { return }
    var failure = PlainSaveFailure()
    askHooks(&failure)
    let saved = changed
    for object in saved { check(object, &failure) }
    if !failure.invalid.isEmpty { throw .save(failure) }
    try write(saved)
    for (name, value) in metadata { world.store.metadata[name] = value }
    metadata = [:]
    for object in saved where isHooked(object) { StudyHooks.didSave(object) }
  }

  /// Calls `willSave()` of each changed object and then its validation hook, also for objects that
  /// these hooks change.
  private func askHooks(_ failure: inout PlainSaveFailure) {
    guard hasHooks else { return }
    var (notified, validated): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])
    while true {
      let hooked = changed.filter(isHooked)
      if let next = hooked.first(where: { !notified.contains(ObjectIdentifier($0)) }) {
        notified.insert(ObjectIdentifier(next))
        StudyHooks.willSave(next)
      } else if let next = hooked.first(where: { !validated.contains(ObjectIdentifier($0)) }) {
        validated.insert(ObjectIdentifier(next))
        do {
          try StudyHooks.validate(next)
        } catch {
          failure.invalid.append(next.cause(.validationFailed))
        }
      } else {
        return
      }
    }
  }

  /// The rules of the model, and what cannot be encoded.
  private func check(_ object: PlainObject, _ failure: inout PlainSaveFailure) {
    if object.isDeleting { return }
    if object.isFault { return failure.invalid.append(object.cause(.incompleteObject)) }
    for attribute in object.entity.stored {
      // Of a changed object only what was set.
      guard let value = object.pending[attribute.name] ?? (object.isNew ? PlainValue.none : nil)
      else { continue }
      if let code = attribute.brokenRule(value) {
        failure.invalid.append(object.cause(code, attribute.name))
      }
      if attribute.stored(value) == nil {
        failure.invalid.append(object.cause(.encodeFailed, attribute.name))
      }
    }
  }

  /// Writes all of it or nothing.
  private func write(_ saved: [PlainObject]) throws(PlainFailure) {
    var failure = PlainSaveFailure()
    var draft = world.store
    let deleted = saved.filter { $0.isDeleting && !$0.isMissing }
    let updated = saved.filter { !$0.isNew && !$0.isDeleting && !differences($0).isEmpty }
    for object in deleted + updated {
      let stored = storedRow(of: object)
      if stored == nil {
        failure.conflicts.append(object.cause(.deletedElsewhere))
      } else if stored?.version != object.row?.version {
        failure.conflicts.append(object.cause(.conflict))
      }
    }
    var newRows: [(PlainObject, Int64, PlainRow)] = []
    for object in deleted { object.key.map { draft[object.entity.name, $0] = nil } }
    for object in updated {
      guard let key = object.key, var row = object.row else { continue }
      put(object.pending, of: object, in: &row)
      row.version += 1
      newRows.append((object, key, row))
    }
    for object in saved where object.isNew && !object.isDeleting {
      let key = draft.lastKey[object.entity.name, default: 0] + 1
      draft.lastKey[object.entity.name] = key
      var row = PlainRow(values: [:], version: 1)
      put(object.pending, of: object, in: &row)
      newRows.append((object, key, row))
    }
    for (object, key, row) in newRows { draft[object.entity.name, key] = row }
    failure.shared = shared(in: draft, newRows)
    if !failure.conflicts.isEmpty || !failure.shared.isEmpty { throw .save(failure) }

    world.store = draft
    for (object, key, row) in newRows { (object.key, object.row) = (key, row) }
    for object in saved {
      if object.isDeleting {
        if let key = object.key { deletedKeys[object.entity.name, default: []].insert(key) }
        release(object)
      } else {
        object.pending = [:]
        (object.isNew, object.isChanged) = (false, false)
      }
    }
  }

  private func put(
    _ values: [String: PlainValue], of object: PlainObject, in row: inout PlainRow
  ) {
    for (name, value) in values {
      row[name] = object.entity.attribute(name).stored(value) ?? .none
    }
  }

  /// Which rows share what a constraint allows once: always two of which at least one is new or
  /// changed.
  private func shared(in draft: PlainStore, _ newRows: [(PlainObject, Int64, PlainRow)])
    -> Set<PlainSaveFailure.Shared>
  {
    var shared: Set<PlainSaveFailure.Shared> = []
    for (object, key, row) in newRows {
      for attributes in object.entity.unique {
        let values = attributes.map { row[$0] }
        if values.contains(.none) { continue }
        for (otherKey, other) in draft.rows[object.entity.name] ?? [:]
        where otherKey != key && attributes.map({ other[$0] }) == values {
          let partner = newRows.first { $0.0.entity.name == object.entity.name && $0.1 == otherKey }
          let otherID = partner?.0.id ?? .saved(object.entity.name, otherKey)
          shared.insert(
            PlainSaveFailure.Shared(attributes: attributes, objects: [object.id, otherID]))
        }
      }
    }
    return shared
  }
}
