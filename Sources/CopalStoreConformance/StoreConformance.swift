import CopalModel
public import CopalStore

/// The conformance suite for stores: what every ``PersistentStore`` must do, as a list of
/// requirements.
///
/// A store that meets all of them works under a container. The suite calls the store as a context
/// does, with sessions, change sets and queries, and needs no test library. Swift Testing runs it
/// like this:
///
/// ```swift
/// @Test("The store meets every requirement", arguments: StoreConformance.requirements)
/// func conforms(requirement: StoreConformance.Requirement) throws {
///   try requirement.check(MyStore(StoreConformance.schema()))
/// }
/// ```
///
/// It says nothing about what happens between two runs of a program, about damaged data, and about
/// speed: a store has tests of its own for these.
public enum StoreConformance {
  /// One thing that every store must do, and how it is checked.
  public struct Requirement: Sendable, CustomStringConvertible {
    /// The requirement as a sentence, such as "A store lets two objects swap a unique value".
    public let description: String
    private let body: @Sendable (StoreTester) throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (StoreTester) throws -> Void) {
      self.description = description
      self.body = body
    }

    /// Checks a store: opens sessions, writes objects and reads them. Most checks take
    /// milliseconds.
    ///
    /// - Parameter store: an empty store with the schema of ``StoreConformance/schema()``. Each
    ///   check needs one of its own, because keys begin at 1.
    /// - Throws: ``ConformanceFailure`` where the store does something else; also what the store
    ///   itself throws where it should not.
    public func check(_ store: any PersistentStore) throws { try body(StoreTester(store)) }
  }

  /// Every requirement. Later versions may add some.
  public static let requirements: [Requirement] = [
    values, writing, uniqueness, reading, references, relatedObjects, links, listPositions,
    referenceConflicts, fetchedValues, batches, transactions, metadata, commitOrder,
  ].flatMap(\.self)

  /// The schema of the stores that the requirements are checked on: an entity with an optional
  /// attribute of every type but `transformable`, a unique attribute and a unique pair of
  /// attributes; a subentity of it; an entity with to-one relationships to it and to itself; and
  /// one with many-to-many relationships to that and to itself.
  ///
  /// - Throws: never, in a build of Copal that passes its own tests; making a model can throw.
  public static func schema() throws -> StoreSchema {
    // The columns whose name ends in 2 are there to be compared with their neighbor.
    let types: [(String, AttributeType, Int?)] = [
      ("small", .integer16, nil), ("medium", .integer32, nil), ("whole", .integer64, nil),
      ("whole2", .integer, nil), ("single", .float, nil), ("real", .double, nil),
      ("real2", .double, nil), ("amount", .decimal, nil), ("amount2", .decimal, nil),
      ("price", .decimal, 2), ("price2", .decimal, 2), ("flag", .boolean, nil),
      ("flag2", .boolean, nil), ("instant", .date, nil), ("instant2", .date, nil),
      ("text", .string, nil), ("text2", .string, nil), ("bytes", .binary, nil),
      ("bytes2", .binary, nil), ("mark", .uuid, nil), ("mark2", .uuid, nil), ("link", .uri, nil),
      ("link2", .uri, nil), ("code", .string, nil), ("shelf", .string, nil),
      ("place", .integer64, nil),
    ]
    let sample = EntityDescription(
      "Sample",
      attributes: types.map { AttributeDescription($0.0, $0.1, isOptional: true, scale: $0.2) },
      relationships: [
        RelationshipDescription(
          "labels", to: "Label", isToMany: true, isOrdered: true, inverse: "sample"),
        RelationshipDescription(
          "copies", to: "Label", isToMany: true, inverse: "origin", deleteRule: .noAction),
      ],
      uniqueConstraints: [["code"], ["shelf", "place"]])
    let fragment = EntityDescription(
      "Fragment", parent: "Sample",
      attributes: [AttributeDescription("weight", .double, isOptional: true)])
    let label = EntityDescription(
      "Label", attributes: [AttributeDescription("text", .string, isOptional: true)],
      relationships: [
        RelationshipDescription("sample", to: "Sample", isOptional: true, inverse: "labels"),
        RelationshipDescription("next", to: "Label", isOptional: true, inverse: "previous"),
        RelationshipDescription("previous", to: "Label", isOptional: true, inverse: "next"),
        RelationshipDescription("origin", to: "Sample", isOptional: true, inverse: "copies"),
        RelationshipDescription(
          "tags", to: "Tag", isToMany: true, isOrdered: true, inverse: "labels"),
        RelationshipDescription(
          "seals", to: "Tag", isToMany: true, inverse: "sealed", deleteRule: .deny),
      ])
    let tag = EntityDescription(
      "Tag",
      // Names of columns in tables of links, too.
      attributes: [
        AttributeDescription("owner", .string, isOptional: true),
        AttributeDescription("position", .integer64, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("labels", to: "Label", isToMany: true, inverse: "tags"),
        RelationshipDescription("sealed", to: "Label", isToMany: true, inverse: "seals"),
        RelationshipDescription("related", to: "Tag", isToMany: true, inverse: "related"),
      ])
    return StoreSchema(
      try ManagedObjectModel(name: "Conformance", entities: [sample, fragment, label, tag]))
  }
}

/// What a store did in place of what a ``StoreConformance/Requirement`` demands.
public struct ConformanceFailure: Error, CustomStringConvertible {
  /// What was found and what was expected, with the line of the check.
  public let description: String
  package init(_ description: String) { self.description = description }
}

func expect(
  _ isKept: Bool, _ words: @autoclosure () -> String, file: String = #fileID, line: Int = #line
) throws {
  if !isKept { throw ConformanceFailure("\(words()) (\(file):\(line))") }
}

func expect<T: Equatable>(
  _ found: T, is expected: T, _ words: @autoclosure () -> String = "", file: String = #fileID,
  line: Int = #line
) throws {
  let subject = words()
  try expect(
    found == expected,
    "\(subject.isEmpty ? "" : subject + ": ")found \(found), expected \(expected)", file: file,
    line: line)
}

/// The error that the body throws.
func failure(
  file: String = #fileID, line: Int = #line, _ body: () throws -> Void
) throws -> PersistenceError {
  do {
    try body()
  } catch let error as PersistenceError {
    return error
  }
  throw ConformanceFailure(
    "the store threw nothing, and a PersistenceError was expected (\(file):\(line))")
}

/// The conflicts of a commit that was refused.
func refusals(
  file: String = #fileID, line: Int = #line, _ body: () throws -> Void
) throws -> [CommitConflict] {
  do {
    try body()
  } catch let refused as StoreTester.Refused {
    return refused.conflicts
  }
  throw ConformanceFailure(
    "the store has committed a change set that it must refuse (\(file):\(line))")
}

extension CommitConflict {
  /// The kind in a word.
  package var word: String {
    switch kind {
    case .changed: "changed"
    case .deleted: "deleted"
    case .unique: "unique"
    case .keyInUse: "keyInUse"
    case .missingObject: "missingObject"
    case .stillReferenced: "stillReferenced"
    case .unreadable: "unreadable"
    }
  }

  /// The slots of a unique constraint.
  var slots: [Int]? { if case .unique(let slots) = kind { slots } else { nil } }
}
