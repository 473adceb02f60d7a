public import CopalModel
import CopalStore

/// Something in a store that another program has left broken. ``PersistentContainer/check()`` finds
/// it.
public struct StoreProblem: Sendable, Hashable {
  /// What is wrong.
  public let kind: Kind
  /// The name of the entity that declares the property.
  public let entityName: String
  /// The name of the property: a relationship, and for ``Kind/wrongSearchValue`` and
  /// ``Kind/repeatedValue`` an attribute.
  public let propertyName: String
  /// The object whose property it is.
  public let objectID: ManagedObjectID
  /// The other object; nil for ``Kind/noKey``, ``Kind/wrongSearchValue`` and
  /// ``Kind/repeatedValue``.
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
    /// What the store keeps of the attribute for searches is not what its value gives, so a search
    /// can miss the object. ``PersistentContainer/rebuildSearch()`` mends it.
    case wrongSearchValue
    /// Another program has given the object a value that another one has, in a unique constraint
    /// that ignores something. Change one of the two.
    case repeatedValue
  }
}

extension StoreProblem: CustomStringConvertible {
  /// The problem in a sentence, without values of objects.
  public var description: String {
    let name = "\(entityName).\(propertyName) of \(objectID.shortDescription)"
    let other = otherID?.shortDescription ?? "an object"
    return switch kind {
    case .missingObject: "\(name) refers to \(other), which does not exist"
    case .missingOwner: "\(name), which does not exist, refers to \(other)"
    case .wrongEntity: "\(name) refers to \(other), which is of another entity"
    case .noKey: "\(name) contains a value that is no key"
    case .repeatedValue: "\(name) has a unique value that another object has"
    case .wrongSearchValue: "\(name) has another value than the store keeps for searches"
    }
  }
}

extension PersistentContainer {
  /// Finds what other programs have left broken in the store: references and links to objects that
  /// do not exist, or that are of another entity, and what the store keeps for searches where it is
  /// not what the values give.
  ///
  /// It changes nothing. It reads every reference, every link and every attribute with `"search"`,
  /// so it costs about as much as reading these tables; it blocks the calling thread meanwhile.
  /// Copal's own saves refuse such references, so a program needs it only for a store that other
  /// programs change: SQLite's tools check references only after `PRAGMA foreign_keys = ON`. A
  /// relationship whose inverse has the delete rule `noAction` may refer to an object that does not
  /// exist, and is left out.
  ///
  /// ```swift
  /// for problem in try container.check() { print(problem) }
  /// // Painting.painter of Painting p3 refers to Painter p7, which does not exist
  /// ```
  ///
  /// - Returns: the problems, by entity and key.
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the store cannot be read.
  public func check() throws -> [StoreProblem] {
    let session = try runtime.store.makeSession()
    return try session.brokenReferences().map { StoreProblem($0, runtime) }
      + session.wrongDerivedValues().map { StoreProblem($0, runtime) }
  }

  /// Makes everything again that the store keeps for searches, in one transaction.
  ///
  /// It is needed only after another program has changed rows around the triggers of the file,
  /// which ``check()`` finds: with triggers that were switched off or removed. What other programs
  /// write otherwise is marked, and each save mends it. It costs about as much as reading and
  /// writing the tables with `"search"`; it blocks the calling thread and other writers meanwhile.
  ///
  /// ```swift
  /// try container.rebuildSearch()
  /// ```
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…`. Then nothing is changed.
  public func rebuildSearch() throws { try runtime.store.makeSession().deriveAll() }
}

extension StoreProblem {
  fileprivate init(_ wrong: WrongDerivedValue, _ container: ContainerRuntime) {
    let layout = container.schema.entities[wrong.entity]
    kind = wrong.isDuplicate ? .repeatedValue : .wrongSearchValue
    entityName = layout.name
    propertyName = layout.attributes[wrong.slot].name
    objectID = ManagedObjectID(container.entities[wrong.entity].identity, wrong.key)
    otherID = nil
  }
}

extension StoreProblem {
  fileprivate init(_ broken: BrokenReference, _ container: ContainerRuntime) {
    let schema = container.schema
    let name = broken.relationship
    entityName = schema.entities[name.entity].name
    propertyName = name.name
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
