import CopalModel

/// The sentences of ``PersistenceError``: the one place where their wording lives.
enum ErrorWording {
  static func sentence(for error: PersistenceError) -> String {
    let subject = subject(of: error)
    let path = error.path.map { "'\($0)'" } ?? "the store"
    let found = error.found ?? ""
    let expected = error.expected ?? ""
    let hint = error.suggestion.map { "; did you mean '\($0)'?" } ?? ""

    switch error.code {
    case .parentMissing:
      return "\(path) cannot be opened: its folder does not exist; create the folder first"
    case .notWritable:
      return
        "\(path) cannot be opened for writing: \(found); check the permissions of the file and its folder (SQLite writes '-wal' and '-shm' files beside it)"
    case .notADatabase:
      return "\(path) is not a database: \(found); choose another path, the file was left as it is"
    case .notACopalStore:
      return
        "\(path) is a SQLite database, but not a Copal store: \(found); choose another path, the file was left as it is"
    case .newerFormat:
      return
        "\(path) was written by a newer Copal: store format \(found), this one knows up to \(expected); update Copal, the file was left as it is"
    case .modelDiffers:
      return
        "\(path) holds another model than the one given, and the difference cannot be taken over in place:\n\(found)\nkeep the model as it was, or in development only, erase the store: .sqlite(at: url, options: .init(erasesWhenModelDiffers: true))"
    case .damagedMetadata:
      return
        "\(path) is a Copal store, but its own records are damaged: \(found); restore it from a backup"
    case .damagedSchema:
      return
        "\(path) is a Copal store, but another program has changed its tables:\n\(found)\nundo the change, or restore the store from a backup; the file was left as it is"
    case .sqliteTooOld:
      return "this system's SQLite is \(found); Copal needs \(expected) or later"
    case .cannotOpen:
      return "\(path) cannot be opened: \(found)"
    case .diskFull:
      return
        "\(path) could not be written: the disk or the quota is full; nothing was changed, make room and try again"
    case .busy:
      return
        "\(path) is locked by another connection for longer than the busy timeout; nothing was changed, try again"
    case .corrupt:
      return
        "\(path) is damaged: \(found); run 'PRAGMA integrity_check' on a copy, or restore a backup"
    case .inputOutput:
      return "\(path) could not be read or written: \(found); nothing was changed"
    case .tooBig:
      return "\(subject) is too big for SQLite (its limit is one billion bytes a value)"
    case .interrupted:
      return "the work on \(path) was interrupted; nothing was changed"
    case .sqlite:
      return "SQLite refused a statement on \(path): \(found)"
    case .movedAway:
      return
        "\(path) was deleted, moved or replaced while it was open; nothing was written, open the store again"
    case .keysExhausted:
      return
        "\(error.entity ?? "the entity") can have no more objects: another program gave a row the greatest key there is; give that row a smaller 'copal_id'"

    case .unknownEntity:
      return "there is no entity '\(error.entity ?? found)' in the model\(hint)"
    case .unknownAttribute:
      return
        "there is no attribute '\(error.attribute ?? "")' on \(error.entity ?? "the entity")\(hint)"
    case .notQueryable:
      return
        "\(subject) is \(found): a store cannot look into it; fetch by another attribute and filter the result"
    case .predicateType:
      return "\(subject) is \(expected) and cannot be compared with \(found)"
    case .invalidLimit:
      return "a fetch of \(error.entity ?? "an entity") has a negative \(found); give zero or more"
    case .tooComplex:
      return
        "the condition of a fetch is too complex for the store: \(found); make it simpler, or fetch in several steps"
    case .wrongClass:
      return
        "objects of \(error.entity ?? "the entity") are \(expected), not \(found); fetch them as \(expected)"

    case .saveFailed:
      return
        "the save was refused for \(error.causes.count == 1 ? "one reason" : "\(error.causes.count) reasons"); nothing was written and every change is kept"
    case .conflict:
      return
        "\(subject) was changed by someone else: it was read at version \(expected) and is at version \(found) now; refresh it, look at the difference, and save again"
    case .deletedElsewhere:
      return
        "\(subject) was deleted by someone else: it was read at version \(expected) and is gone; delete it here too, or insert it anew"
    case .uniqueConflict:
      return
        "\(error.entity ?? "the entity") allows each \(unique(error.attribute)) once, and \(name(error.objectID)) has the one of \(name(error.otherID)); change one of them and save again"
    case .required:
      return "\(subject) is required and has no value; set it, or mark it optional in the model"
    case .belowMinimum: return "\(subject) is below its minimum of \(expected)"
    case .aboveMaximum: return "\(subject) is above its maximum of \(expected)"
    case .tooShort: return "\(subject) is too short: \(found), at least \(expected)"
    case .tooLong: return "\(subject) is too long: \(found), at most \(expected)"
    case .patternMismatch: return "\(subject) does not match the pattern /\(expected)/"
    case .notANumber:
      return "\(subject) is not a number; SQLite would store it as NULL, so it is refused"
    case .scaleExceeded:
      return "\(subject) has more digits than its scale of \(expected) can hold; round it first"
    case .custom:
      // What was thrown stands below the sentence, with the other causes.
      return error.causes.isEmpty
        ? "\(subject) is not valid: \(found)" : "\(subject) was refused by a hook of its class"
    case .unreadObject:
      return
        "\(subject) could not be read before it was changed, so its other values are unknown; refresh it and make the change again"
    case .endlessHooks:
      return
        "the save was given up after \(found) rounds, since hooks or transformers kept making or changing further objects; nothing was written; let them make or change an object only when that is still needed"

    case .objectMissing:
      return error.found.map { "\(subject) cannot be read any more: \($0)" }
        ?? "\(subject) does not exist in the store any more"
    case .objectUnsaved:
      return
        "\(subject) is not known to this context, which has never saved it, or has deleted it since; save an object in the context that made it, then pass its permanent id"
    case .foreignValue:
      return
        "\(subject) holds \(found) where the model has \(expected); another program wrote it, and it is left as it is"
    case .undecodable:
      return "\(subject) holds \(found), which is not a \(expected); it is left as it is"
    case .wrongValueType:
      return "\(subject) is \(expected), and \(found) was given"
    case .outOfRange:
      return "\(subject) is \(expected), and \(found) does not fit"
    case .foreignID:
      return "\(name(error.objectID)) is the id of an object in another store"

    case .transformerUnregistered:
      return
        "\(subject) wants the transformer '\(found)', which is not registered\(hint) (registered: \(expected)); register it before the container is opened, or pass it to the container"
    case .transformerDuplicate:
      return
        "the transformer name '\(found)' is taken by \(expected); give one of them another name"
    case .transformerClass:
      return "\(subject) has the class \(expected), and its transformer makes \(found)"
    case .transformerStorage:
      return "\(subject) has the storage \(expected) in the model, and \(found); correct the model"
    case .encodeFailed:
      return "\(subject) could not be encoded by '\(found)'; nothing was written"
    case .decodeFailed:
      return
        "\(subject) could not be decoded by '\(found)' from \(expected); the stored bytes are left as they are"
    case .unsupportedModel:
      return
        "the model uses what this version of Copal cannot serve yet:\n\(found)\nleave it out, or wait for a version that serves it"
    case .layoutDiffers:
      return
        "the generated class of \(error.entity ?? "an entity") does not fit the model: \(found); build again so that the class is generated from this model"
    default:
      // A code of someone else's store: its own words are in `found`.
      return [subject, found].filter { !$0.isEmpty }.joined(separator: ": ")
    }
  }

  static func subject(of error: PersistenceError) -> String {
    let path = [error.entity ?? error.objectID?.entityName, error.attribute].compactMap { $0 }
      .joined(separator: ".")
    guard let id = error.objectID else { return path.isEmpty ? "the value" : path }
    return error.attribute == nil ? name(id) : "\(path) of \(name(id))"
  }

  private static func unique(_ attributes: String?) -> String {
    guard let attributes else { return "value" }
    return attributes.contains(",") ? "combination of \(attributes)" : attributes
  }

  private static func name(_ id: ManagedObjectID?) -> String {
    guard let id else { return "another object" }
    return id.isTemporary
      ? "the new \(id.entityName) t\(id.key.magnitude)" : "\(id.entityName) p\(id.key)"
  }
}
