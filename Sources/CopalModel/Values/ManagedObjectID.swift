public import Foundation

/// The identity of a managed object: which store, which entity, which row.
///
/// Sendable and Codable: ids travel between contexts and processes where objects stay home.
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
/// A new object's id is temporary until its first save, which gives it a permanent one; the context
/// that saved it still resolves the temporary one. Two values of 16 bytes; equality costs a compare of
/// two words where both come from one container.
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

  /// The name of the object's entity.
  public var entityName: String { entity.name }

  /// The store the object belongs to.
  public var storeIdentifier: UUID { entity.store }

  /// Whether the object has not been saved yet.
  public var isTemporary: Bool { key < 0 }

  @inlinable
  package var identity: EntityIdentity { entity }

  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    a.key == b.key && (a.entity === b.entity || a.entity.isSame(as: b.entity))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(entity.stableHash)
    hasher.combine(key)
  }
}

extension ManagedObjectID: CustomStringConvertible {
  /// The id as a URI: `copal://STORE/Entity/p42`, or `/t7` while it is temporary.
  public var description: String {
    "copal://\(entity.store.uuidString)/\(entity.name)/\(isTemporary ? "t" : "p")\(key.magnitude)"
  }

  /// The id that a URI of the form of ``description`` means; `nil` for any other text.
  public init?(uri: String) {
    let prefix = "copal://"
    guard uri.hasPrefix(prefix) else { return nil }
    let parts = uri.dropFirst(prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let store = UUID(uuidString: String(parts[0])), !parts[1].isEmpty,
      let kind = parts[2].first, kind == "p" || kind == "t",
      let number = Int64(parts[2].dropFirst()), number > 0,
      // One id has one text: no plus sign, no zeros in front.
      parts[2].dropFirst() == String(number)[...]
    else { return nil }
    self.init(EntityIdentity(store: store, name: String(parts[1])), kind == "p" ? number : -number)
  }
}

extension ManagedObjectID: Codable {
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

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// What all ids of one entity in one store share.
public final class EntityIdentity: Sendable {
  package let store: UUID
  package let name: String
  /// The position of the entity in the model of the container that made the id; -1 for an id made
  /// from text.
  package let index: Int
  package let stableHash: UInt64

  package init(store: UUID, name: String, index: Int = -1) {
    self.store = store
    self.name = name
    self.index = index
    var hash = StableHash()
    hash.combine(store.uuidString)
    hash.combine(name)
    stableHash = hash.value
  }

  @usableFromInline
  func isSame(as other: EntityIdentity) -> Bool {
    stableHash == other.stableHash && name == other.name && store == other.store
  }
}
