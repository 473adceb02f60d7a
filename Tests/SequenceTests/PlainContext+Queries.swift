import Copal

/// A request in plain words.
struct PlainRequest {
  var entity: String
  var condition: Condition = .all
  var order: [(name: String, isAscending: Bool)] = []
  var limit: Int?
  var offset = 0
  var returnsFaults = false
  var batchSize = 100
  /// Whether objects without changes take the values that the store has now.
  var refreshes = false
}

/// One of the objects that a request finds: registered in the context, or a row that is not.
enum PlainFound {
  case object(PlainObject)
  case row(Int64)
}

extension PlainContext {
  /// What a request finds, in its order.
  ///
  /// Unchanged objects are compared by the store's current values, changed objects by their values
  /// in the context.
  func find(_ request: PlainRequest) -> [PlainFound] {
    var candidates: [(found: PlainFound, values: (String) -> PlainValue, place: (Int, Int64))] = []
    for (key, row) in world.store.rows[request.entity] ?? [:] {
      let object = object(request.entity, key)
      if object?.hasChanges == true { continue }
      candidates.append((object.map { .object($0) } ?? .row(key), { row[$0] }, (0, key)))
    }
    for object in changed where object.entity.name == request.entity && isFindable(object) {
      candidates.append(
        (
          .object(object), { self.queriedValue(of: object, $0) },
          object.key.map { (0, $0) } ?? (1, Int64(object.number))
        ))
    }
    let matching = candidates.filter { request.condition.isTrue($0.values) }
    let sorted = matching.sorted { a, b in
      for (name, isAscending) in request.order {
        let (first, second) = (a.values(name), b.values(name))
        if sortsBefore(first, second) { return isAscending }
        if sortsBefore(second, first) { return !isAscending }
      }
      return a.place < b.place
    }
    let rest = sorted.dropFirst(request.offset).map(\.found)
    return request.limit.map { Array(rest.prefix($0)) } ?? rest
  }

  /// Whether a changed object can be in a result: not where others have deleted its row.
  private func isFindable(_ object: PlainObject) -> Bool {
    !object.isDeleting && (object.isNew || storedRow(of: object) != nil)
  }

  /// The value that a condition sees: what is stored, or would be. What is no number is no value.
  private func queriedValue(of object: PlainObject, _ name: String) -> PlainValue {
    let value = object.pending[name] ?? object.row?[name] ?? .none
    return value == .notANumber ? .none : value
  }

  /// No value comes first.
  private func sortsBefore(_ a: PlainValue, _ b: PlainValue) -> Bool {
    if a == .none || b == .none { return a == .none && b != .none }
    return a.isLess(than: b)
  }

  /// The object of a permanent id, a fault if the context does not have it.
  func objectOrFault(_ entity: String, _ key: Int64) -> PlainObject {
    if let object = object(entity, key) { return object }
    return register(entity, key, row: nil)
  }

  /// The object of a permanent id with its values.
  func existingObject(_ entity: String, _ key: Int64) throws(PlainFailure) -> PlainObject {
    guard let object = object(entity, key) else {
      guard let row = world.store[entity, key] else { throw .code(.objectMissing) }
      return register(entity, key, row: row)
    }
    fire(object)
    if object.isMissing { throw .code(.objectMissing) }
    return object
  }

  /// Takes an object into the context: with the values of a row, or as a fault.
  func register(_ entity: String, _ key: Int64, row: PlainRow?) -> PlainObject {
    let object = PlainObject(self, world.schema.entity(entity), key: key)
    object.isFault = true
    objects.append(object)
    if let row { fill(object, row) }
    return object
  }
}
