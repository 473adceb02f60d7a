public import CopalEssentials

/// The id of a managed object: its store, its entity and its row.
///
/// Sendable and Codable: pass ids between contexts, tasks and processes. Objects stay with their
/// context.
///
/// ```swift
/// let id = library.objectID
/// try await container.perform { context in
///   let library = try context.existingObject(with: id, as: ColorLibrary.self)
///   library.name = "renamed"
///   try context.save()
/// }
/// ```
///
/// A new object has a temporary id. Its first save gives it a permanent id. The context that saved
/// the object still finds it by the temporary id, until the deletion of the object has been saved.
/// Other contexts cannot use temporary ids. A permanent id never refers to another object: a store
/// does not use a key twice.
///
/// An id has 16 bytes. Comparing two ids of one container compares two words.
public struct ManagedObjectID: Sendable, Hashable {
  /// The entity and the store, shared by all ids of that entity in a container.
  @usableFromInline let entity: EntityIdentity
  /// The row's key; negative while the id is temporary.
  @usableFromInline package let key: Int64

  @inlinable
  package init(_ entity: EntityIdentity, _ key: Int64) {
    self.entity = entity
    self.key = key
  }

  /// The id of a row, for authors of stores who name an object in an error. Programs get ids from
  /// objects, from fetches, and with ``init(uri:)``.
  ///
  /// - Parameters:
  ///   - store: the identifier of the store.
  ///   - entityName: the name of the entity.
  ///   - rootName: the name of the entity's first ancestor; nil for an entity without a parent.
  ///   - key: the key of the row; negative for an object that has not been saved. Zero is no key.
  public init(store: UUID, entityName: String, rootName: String? = nil, key: Int64) {
    let family = EntityFamily(store: store, root: rootName ?? entityName)
    self.init(EntityIdentity(family, name: entityName), key)
  }

  /// The name of the object's entity.
  public var entityName: String { entity.name }

  /// The identifier of the store that the object belongs to.
  public var storeIdentifier: UUID { entity.family.store }

  /// Whether the id is temporary: it was made before the first save of its object.
  public var isTemporary: Bool { key < 0 }

  @inlinable
  package var identity: EntityIdentity { entity }

  /// The name of the entity's first ancestor, which has the keys of the whole family.
  package var rootName: String { entity.family.root }

  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    a.key == b.key && (a.entity === b.entity || a.entity.family.isSame(as: b.entity.family))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(entity.family.stableHash)
    hasher.combine(key)
  }
}

extension ManagedObjectID: CustomStringConvertible {
  /// The id as a URI: `copal://STORE/Entity/p42`, or `copal://STORE/Entity/t7` for a temporary id.
  /// An entity with a parent is preceded by its first ancestor: `copal://STORE/Root/Entity/p42`.
  public var description: String {
    let root = entity.family.root
    let name = root == entity.name ? root : "\(root)/\(entity.name)"
    return
      "copal://\(storeIdentifier.uuidString)/\(name)/\(isTemporary ? "t" : "p")\(key.magnitude)"
  }

  /// The id that a URI stands for. Nil unless the text has exactly the form of ``description``.
  public init?(uri: String) {
    let prefix = "copal://"
    guard uri.hasPrefix(prefix) else { return nil }
    let parts = uri.dropFirst(prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard (3...4).contains(parts.count), let store = UUID(uuidString: String(parts[0])),
      case let names = parts[1..<parts.count - 1].map(String.init),
      let root = names.first, let name = names.last, !root.isEmpty, !name.isEmpty,
      let last = parts.last, let kind = last.first, kind == "p" || kind == "t",
      let number = Int64(written: String(last.dropFirst())), number > 0,
      // Each id has exactly one text: no plus sign, no leading zeros, no root for an entity without
      // a parent.
      last.dropFirst() == String(number)[...], names.count == 1 || root != name
    else { return nil }
    self.init(
      store: store, entityName: name, rootName: root, key: kind == "p" ? number : -number)
  }
}

extension ManagedObjectID: Codable {
  /// Reads the text of an id, such as `copal://STORE/Entity/p1`, which is its ``description``.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ManagedObjectID(uri: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected an object id of the form copal://STORE/Entity/p1"
      )
    }
    self = id
  }

  /// Writes the id as one text, its ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// What all ids of one entity in one store have in common: the store and the entity.
public final class EntityIdentity: Sendable {
  package let name: String
  /// The position of the entity in the model of the container that made the id; -1 for an id made
  /// from text.
  package let index: Int
  @usableFromInline package let family: EntityFamily

  package init(_ family: EntityFamily, name: String, index: Int = -1) {
    self.family = family
    self.name = name
    self.index = index
  }
}

/// What all ids of an entity and its subentities have in common. The objects of a family have
/// different keys, so the root and the key identify an object: its entity does not matter.
@usableFromInline
package final class EntityFamily: Sendable {
  package let store: UUID
  /// The name of the root. For an id made from text, the name in the text.
  package let root: String
  package let stableHash: UInt64

  package init(store: UUID, root: String) {
    self.store = store
    self.root = root
    var hash = StableHash()
    hash.combine(store.uuidString)
    hash.combine(root)
    stableHash = hash.value
  }

  @usableFromInline
  func isSame(as other: EntityFamily) -> Bool {
    self === other
      || stableHash == other.stableHash && root == other.root && store == other.store
  }
}
