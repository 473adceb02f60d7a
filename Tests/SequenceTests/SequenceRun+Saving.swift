import Copal
import CopalTestSupport
import Foundation

/// Saving: it fails exactly when the plain model says so, and with the same causes.
extension SequenceRun {
  func save(_ context: RunningContext) throws {
    note(context, "save")
    // The ids of new objects are read before the save.
    var found: PersistenceError?
    var foundCauses: [Cause] = []
    do {
      try context.real.save()
    } catch let error as PersistenceError {
      found = error
      try require(error.code == .saveFailed, "\(error)")
      foundCauses = try error.causes.map { try cause($0, context) }
      noteOutcome(foundCauses.map { "\($0.code)" }.joined(separator: ", "))
    }
    do {
      try context.plain.save()
      if let found { throw Difference("the save failed: \(found)") }
    } catch PlainFailure.save(let expected) {
      if found == nil { throw Difference("the save passed instead of failing with \(expected)") }
      try compare(foundCauses, expected)
      for cause in foundCauses where cause.code == .deletedElsewhere { noteMissing(cause, context) }
    }
    try checkStore()
  }

  /// A cause as it was thrown.
  private struct Cause: CustomStringConvertible {
    var code: PersistenceError.Code
    var object: PlainID
    var other: PlainID?
    var attribute: String?

    var description: String { "\(plain)\(other.map { " with \($0)" } ?? "")" }

    var plain: PlainSaveFailure.Cause {
      PlainSaveFailure.Cause(code: code, object: object, attribute: attribute)
    }
  }

  private func cause(_ error: any Error, _ context: RunningContext) throws -> Cause {
    guard let error = error as? PersistenceError,
      let object = plainID(error.objectID, in: context)
    else { throw Difference("a cause that names no object: \(error)") }
    return Cause(
      code: error.code, object: object, other: plainID(error.otherID, in: context),
      attribute: error.property)
  }

  private func compare(_ found: [Cause], _ expected: PlainSaveFailure) throws {
    let message = "the causes are \(found) instead of \(expected)"
    if !expected.invalid.isEmpty {
      return try require(counts(found.map(\.plain)) == counts(expected.invalid), message)
    }
    let shared = found.filter { $0.code == .uniqueConflict }
    let conflicts = found.filter { $0.code != .uniqueConflict }.map(\.plain)
    for cause in shared {
      guard let other = cause.other, let attribute = cause.attribute else {
        throw Difference(message)
      }
      let pair = PlainSaveFailure.Shared(
        attributes: attribute.components(separatedBy: ", "), objects: [cause.object, other])
      try require(expected.shared.contains(pair), message)
    }
    if expected.shared.isEmpty {
      try require(counts(conflicts) == counts(expected.conflicts), message)
    } else {
      // A store may check unique values after the versions, or during the commit.
      try require(Set(conflicts).isSubset(of: expected.conflicts), message)
      try require(!found.isEmpty, message)
      try require(expected.conflicts.isEmpty || !conflicts.isEmpty, message)
    }
  }

  private func counts(_ causes: [PlainSaveFailure.Cause]) -> [PlainSaveFailure.Cause: Int] {
    causes.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Notes that the context knows that a row is missing.
  private func noteMissing(_ cause: Cause, _ context: RunningContext) {
    context.plain.objects.first { $0.id == cause.object }?.isMissing = true
  }

  /// Compares what is stored with the plain model, through a context of its own.
  private func checkStore() throws {
    let reader = container.makeContext()
    for entity in world.schema.entities {
      let found = try reader.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
      let rows = (world.store.rows[entity.name] ?? [:]).sorted { $0.key < $1.key }
      try require(
        try found.map(\.objectID) == rows.map { try permanentID(entity.name, $0.key) },
        "the store has \(found) instead of \(rows)")
      for (real, (key, row)) in zip(found, rows) {
        let values = real.committedValues().mapValues { PlainValue($0) }
        for attribute in entity.stored {
          let decoded = attribute.decoded(row[attribute.name])
          try require(
            values[attribute.name] == (decoded == .unreadable ? PlainValue.none : decoded),
            "\(entity.name) \(key) has the \(attribute.name) \(String(describing: values[attribute.name])) instead of \(decoded)"
          )
        }
        try require(
          ObjectInvariants.version(of: real) == row.version,
          "\(entity.name) \(key) is at another version than \(row.version)")
      }
    }
  }
}
