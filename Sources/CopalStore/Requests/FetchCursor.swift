public import CopalModel

/// The place in an ordered result behind which the next page begins: the values by which an object
/// is sorted, and its id.
///
/// ``FetchedPage/next`` is one. A page that begins at a cursor costs the same wherever it is, if an
/// index has the order. Objects that are inserted or deleted before the cursor do not move the next
/// page, as they do with an offset.
///
/// Codable, so that a server can give it to its client.
public struct FetchCursor: Sendable, Hashable, Codable {
  /// The values of the sort keys.
  public var values: [PropertyValue]
  /// The id of the object.
  public var objectID: ManagedObjectID

  /// The place of an object.
  public init(values: [PropertyValue], objectID: ManagedObjectID) {
    (self.values, self.objectID) = (values, objectID)
  }

  private enum CodingKeys: String, CodingKey { case values, object }

  /// Reads a cursor.
  ///
  /// - Throws: `DecodingError` for another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    values = try container.decode([PropertyValue].self, forKey: .values)
    guard case .object(let id) = try container.decode(PropertyValue.self, forKey: .object) else {
      throw DecodingError.dataCorruptedError(
        forKey: .object, in: container, debugDescription: "expected an object id")
    }
    objectID = id
  }

  /// Writes the form that ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(values, forKey: .values)
    try container.encode(PropertyValue.object(objectID), forKey: .object)
  }
}

/// A page of a result.
public struct FetchedPage<Object> {
  /// The objects, in the order of the request.
  public var objects: [Object]
  /// Where the next page begins; nil when there are no more objects.
  public var next: FetchCursor?

  /// A page.
  public init(objects: [Object], next: FetchCursor?) { (self.objects, self.next) = (objects, next) }
}
