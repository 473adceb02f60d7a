public import CopalEssentials
public import CopalModel
public import CopalStore

extension PersistentContainer {
  /// Finds the absolute URLs of files in attributes of the type `uri`. It writes nothing.
  ///
  /// Such a URL is wrong when the folder of the file moves. Use this function in a test or in a
  /// tool, and give the attributes that it finds a `RelativeURLTransformer` where the folder can
  /// move:
  ///
  /// ```swift
  /// for found in try await container.scanForAbsoluteFileURLs() {
  ///   print(found.objectID, found.attribute, found.url)
  /// }
  /// ```
  ///
  /// It reads the objects of each entity with such an attribute once, on a background thread, in
  /// batches. Saves do not look for such URLs, so that they cost nothing there. URLs that are not
  /// of files are not listed, and neither is text that cannot be read as a URL.
  ///
  /// - Parameters:
  ///   - entity: the name of an entity, to read only its objects and those of its subentities; nil
  ///     for all entities.
  ///   - progress: is called on the background thread after each batch, with the number of objects
  ///     that were read and the number of all.
  /// - Returns: the URLs with their objects, in the order of the entities in the model.
  /// - Throws: `request.unknownEntity`; and what prevents reading the store.
  public func scanForAbsoluteFileURLs(
    of entity: String? = nil, progress: (@Sendable (_ read: Int, _ all: Int) -> Void)? = nil
  ) async throws -> [AbsoluteFileURL] {
    try await perform { context in
      let scans = try FileURLScan.scans(of: entity, in: context)
      let results = try scans.map {
        try context.fetchBatches(FetchRequest<ManagedObject>(entityName: $0.entity))
      }
      let count = results.reduce(0) { $0 + $1.count }
      var found: [AbsoluteFileURL] = []
      var readCount = 0
      for (scan, objects) in zip(scans, results) {
        try objects.forEachBatch { batch in
          for object in batch { found += scan.urls(of: object) }
          readCount += batch.count
          progress?(readCount, count)
        }
      }
      return found
    }
  }
}

/// Looks for the URLs of files in the objects of one entity and its subentities.
private struct FileURLScan {
  let entity: String
  /// The slots of the stored `uri` attributes of the entity and of its subentities, by their
  /// positions.
  private let slots: [Int: [Int]]

  /// A scan for each entity that has such an attribute and did not inherit one, so that each object
  /// is read once.
  static func scans(of entity: String?, in context: ManagedObjectContext) throws -> [FileURLScan] {
    let entities = context.state.container.entities
    let chosen = try entity.map { try context.runtime(named: $0).entities }
    let slots = (chosen ?? Array(entities.indices)).reduce(into: [Int: [Int]]()) {
      $0[$1] = Self.slots(of: entities[$1].layout)
    }
    .filter { !$0.value.isEmpty }
    return slots.keys.inOrder()
      .filter { index in !entities[index].line.contains { $0 != index && slots[$0] != nil } }
      .map { FileURLScan(entity: entities[$0].layout.name, slots: slots) }
  }

  private static func slots(of layout: EntityLayout) -> [Int] {
    layout.attributes.indices.filter {
      layout.attributes[$0].type == .uri && !layout.transientSlots.contains($0)
    }
  }

  func urls(of object: ManagedObject) -> [AbsoluteFileURL] {
    (slots[object.runtime.index] ?? []).compactMap { slot in
      guard let url = object.storedURL(slot), url.isFileURL else { return nil }
      return AbsoluteFileURL(
        objectID: object.objectID, attribute: object.runtime.layout.attributes[slot].name, url: url)
    }
  }
}

extension ManagedObject {
  /// The URL in the row; nil for NULL and for what cannot be read as a URL.
  fileprivate final func storedURL(_ slot: Int) -> URL? {
    guard let base, !PackedRowValues.isNull(base, slot) else { return nil }
    do {
      try checkStorage(slot)
      return URL.load(base, slot)
    } catch {
      return nil
    }
  }
}

/// The absolute URL of a file that an attribute of the type `uri` has in the store: a result of
/// ``PersistentContainer/scanForAbsoluteFileURLs(of:progress:)``.
public struct AbsoluteFileURL: Sendable, Hashable, CustomStringConvertible {
  /// The object that has the URL.
  public let objectID: ManagedObjectID
  /// The name of the attribute.
  public let attribute: String
  /// The URL as it is stored.
  public let url: URL

  /// The warning `object.absoluteFileURL`, with the object and the attribute. It does not have the
  /// URL, so that a log that it is written to has no stored value.
  public var warning: PersistenceError {
    PersistenceError(.absoluteFileURL, property: attribute, objectID: objectID)
  }

  /// The sentence of the warning.
  public var description: String { warning.description }
}
