public import CopalModel

/// Something in a store that is not as Copal has written it: another program has left it broken, or
/// the file is damaged. `container.check(_:limit:progress:)` finds it.
public struct StoreProblem: Sendable, Hashable {
  /// What is wrong.
  public let kind: Kind
  /// The name of the entity that declares the property; that of the row where there is no property;
  /// nil for ``Kind/wrongSchema`` and ``Kind/damaged``.
  public let entityName: String?
  /// The name of the property: an attribute or a relationship. For ``Kind/unreadableRow`` a column
  /// of Copal. Nil for ``Kind/invalidKey``, ``Kind/wrongSchema`` and ``Kind/damaged``.
  public let propertyName: String?
  /// The object whose property it is; nil for ``Kind/invalidKey``, ``Kind/wrongSchema`` and
  /// ``Kind/damaged``.
  public let objectID: ManagedObjectID?
  /// The other object: the one that is referred to, or that has the same unique values; nil where
  /// there is none.
  public let otherID: ManagedObjectID?
  /// The code with which a save refuses such a value, such as `save.belowMinimum`, for
  /// ``Kind/brokenRule``; nil for other kinds.
  public let rule: PersistenceError.Code?
  /// What else is known, in words: for ``Kind/wrongSchema`` and ``Kind/damaged`` the whole finding.
  /// It contains no value of an object.
  public let detail: String?

  /// Adds the object, the property and the kind to a hash. These tell most problems apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(propertyName)
    hasher.combine(objectID)
  }

  /// What can be wrong. Later versions may add kinds.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The object refers to an object, or is linked to one, that does not exist.
    case missingObject
    /// There is a link from an object that does not exist.
    case missingOwner
    /// The object refers to an object of another entity.
    case wrongEntity
    /// The column of the relationship has a value that is no key.
    case noKey
    /// What the store keeps of the attribute for searches is not what its value gives, so a search
    /// can miss the object. `container.rebuildSearch()` mends it.
    case wrongSearchValue
    /// The object has the values of another one in a unique constraint. Change one of the two.
    case repeatedValue
    /// The column has a value of another type than the attribute's.
    case wrongType
    /// The value has the right type, and a form that cannot be read: a text that is not UTF-8, a
    /// decimal, a UUID or a URI that is none, a boolean other than 0 and 1.
    case unreadableValue
    /// The number is too large or too small for the attribute's type.
    case outOfRange
    /// A required attribute or to-one relationship has no value.
    case missingValue
    /// The value breaks a rule of the model: cases, limits, lengths, a pattern. ``rule`` says
    /// which.
    case brokenRule
    /// A to-many relationship has fewer objects than its minimum.
    case tooFewObjects
    /// A to-many relationship has more objects than its maximum.
    case tooManyObjects
    /// The row cannot be read as an object: its version, or the name of its entity, is wrong.
    case unreadableRow
    /// A row has a key that no object can have.
    case invalidKey
    /// The file with the large value does not exist.
    case missingFile
    /// The file with the large value has another size than the value, or is no file.
    case wrongFile
    /// A table, a column or an index is not that of the model.
    case wrongSchema
    /// The database has found damage in its file.
    case damaged
  }

  /// A problem, for authors of stores.
  public init(
    _ kind: Kind, entity: String? = nil, property: String? = nil, objectID: ManagedObjectID? = nil,
    otherID: ManagedObjectID? = nil, rule: PersistenceError.Code? = nil, detail: String? = nil
  ) {
    self.kind = kind
    entityName = entity
    propertyName = property
    self.objectID = objectID
    self.otherID = otherID
    self.rule = rule
    self.detail = detail
  }
}

extension StoreProblem: CustomStringConvertible {
  /// The problem in a sentence, without values of objects.
  public var description: String {
    let name = subject
    let other = otherID?.shortDescription ?? "an object"
    let detail = detail ?? "nothing is known about it"
    return switch kind {
    case .missingObject: "\(name) refers to \(other), which does not exist"
    case .missingOwner: "\(name), which does not exist, refers to \(other)"
    case .wrongEntity: "\(name) refers to \(other), which is of another entity"
    case .noKey: "\(name) contains a value that is no key"
    case .repeatedValue where otherID == nil: "\(name) has a unique value that another object has"
    case .repeatedValue:
      "\(name) has the unique value of \(other)\(self.detail.map { ", as \($0)" } ?? "")"
    case .wrongSearchValue: "\(name) has another value than the store keeps for searches"
    case .wrongType: "\(name) contains \(detail)"
    case .unreadableValue: "\(name) cannot be read: it must be \(detail)"
    case .outOfRange: "\(name) is out of the range of \(detail)"
    case .missingValue: "\(name) is required and has no value"
    case .brokenRule, .tooFewObjects, .tooManyObjects: "\(name) \(detail)"
    case .unreadableRow: "\(name) is \(detail)"
    case .invalidKey: "A row of \(entityName ?? "a table") has \(detail)"
    case .missingFile: "The file with \(name) does not exist"
    case .wrongFile: "The file with \(name) \(detail)"
    case .wrongSchema: "The tables differ from the model: \(detail)"
    case .damaged: "The file is damaged: \(detail)"
    }
  }

  private var subject: String {
    let property = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
    return objectID.map { "\(property) of \($0.shortDescription)" } ?? property
  }
}
