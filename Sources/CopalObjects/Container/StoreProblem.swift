public import CopalModel
import CopalStore

/// Something in a store that another program has left broken. ``PersistentContainer/check()`` finds
/// it.
public struct StoreProblem: Sendable, Hashable {
  /// What is wrong.
  public let kind: Kind
  /// The name of the entity that declares the relationship.
  public let entityName: String
  /// The name of the relationship.
  public let relationshipName: String
  /// The object whose relationship it is.
  public let objectID: ManagedObjectID
  /// The other object; nil for ``Kind/noKey``.
  public let otherID: ManagedObjectID?

  /// What can be wrong. Later versions may add kinds.
  public enum Kind: Sendable, Hashable {
    /// The object refers to an object, or is linked to one, that does not exist.
    case missingObject
    /// There is a link from an object that does not exist.
    case missingOwner
    /// The object refers to an object of another entity.
    case wrongEntity
    /// The column of the relationship has a value that is no key.
    case noKey
  }
}

extension StoreProblem: CustomStringConvertible {
  /// The problem in a sentence, without values of objects.
  public var description: String {
    let name = "\(entityName).\(relationshipName) of \(objectID.shortDescription)"
    let other = otherID?.shortDescription ?? "an object"
    return switch kind {
    case .missingObject: "\(name) refers to \(other), which does not exist"
    case .missingOwner: "\(name), which does not exist, refers to \(other)"
    case .wrongEntity: "\(name) refers to \(other), which is of another entity"
    case .noKey: "\(name) contains a value that is no key"
    }
  }
}

extension PersistentContainer {
  /// Finds what other programs have left broken in the store: references and links to objects that
  /// do not exist, or that are of another entity.
  ///
  /// It changes nothing. It reads every reference and every link, so it costs about as much as
  /// reading these tables; it blocks the calling thread meanwhile. Copal's own saves refuse such
  /// references, so a program needs it only for a store that other programs change: SQLite's tools
  /// check references only after `PRAGMA foreign_keys = ON`. A relationship whose inverse has the
  /// delete rule `noAction` may refer to an object that does not exist, and is left out.
  ///
  /// ```swift
  /// for problem in try container.check() { print(problem) }
  /// // Painting.painter of Painting p3 refers to Painter p7, which does not exist
  /// ```
  ///
  /// - Returns: the problems, by entity and key.
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the store cannot be read.
  public func check() throws -> [StoreProblem] {
    try runtime.store.makeSession().brokenReferences().map { StoreProblem($0, runtime) }
  }
}

extension StoreProblem {
  fileprivate init(_ broken: BrokenReference, _ container: ContainerRuntime) {
    let schema = container.schema
    let name = broken.relationship
    entityName = schema.entities[name.entity].name
    relationshipName = name.name
    objectID = ManagedObjectID(container.entities[broken.entity].identity, broken.key)
    var other = schema.relationship(name.name, of: name.entity)?.destination ?? name.entity
    switch broken.kind {
    case .missingObject: kind = .missingObject
    case .missingOwner: kind = .missingOwner
    case .wrongEntity(let entity):
      kind = .wrongEntity
      other = entity
    case .noKey: kind = .noKey
    }
    otherID = broken.other.map { ManagedObjectID(container.entities[other].identity, $0) }
  }
}
