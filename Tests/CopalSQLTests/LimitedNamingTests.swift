import CopalModel
import CopalSQL
import CopalStore
import CopalTestSupport
import Testing

@Suite("Names of limited length")
struct LimitedNamingTests {
  /// The names of tables, columns and indexes of an entity with one attribute.
  private func names(
    entity: String, attribute: String = "name", limit: Int = 63
  ) throws -> [String] {
    let model = try ManagedObjectModel(
      name: "Names",
      entities: [
        EntityDescription(
          entity, attributes: [AttributeDescription(attribute, .string, isOptional: true)],
          relationships: [RelationshipDescription("others", to: entity, isToMany: true)])
      ])
    let schema = StoreSchema(model)
    let naming = LimitedNaming(CopalNaming(), byteLimit: limit)
    let layout = schema.entities[0]
    let column = naming.column(of: 0, in: layout, of: schema)
    let links = naming.links(schema.linkTables[0], in: schema)
    return [
      naming.table(of: layout), column,
      naming.index(of: [column], in: layout, isUnique: false),
      naming.index(of: [column], in: layout, isUnique: true),
      naming.fileIndex(of: column, in: layout), naming.trigger(of: layout),
      naming.goneTrigger(of: layout), naming.keyTrigger(of: layout),
      naming.trigrams(of: 0, in: layout, of: schema),
      links.table, links.orderIndex, links.inverseIndex,
    ]
  }

  @Test(
    "a name of up to 63 bytes stays, a longer one has its beginning and a hash of the whole",
    arguments: [
      ("Painter", "Painter"),
      (String(repeating: "a", count: 63), String(repeating: "a", count: 63)),
      // The hashes: FNV-1a with 64 bits of the bytes and 0xFF, computed in Python.
      (String(repeating: "a", count: 64), String(repeating: "a", count: 46) + "~80877fa889f7ed2e"),
      (String(repeating: "a", count: 200), String(repeating: "a", count: 46) + "~9a25c4da0cea3c36"),
      // 𝒜 has four bytes: eleven of them are 44, and no twelfth one is cut.
      (String(repeating: "𝒜", count: 15), String(repeating: "𝒜", count: 15)),
      (String(repeating: "𝒜", count: 16), String(repeating: "𝒜", count: 11) + "~528a7c84c24c5f0e"),
    ])
  func table(entity: String, name: String) throws {
    #expect(try names(entity: entity)[0] == name)
  }

  @Test("every name of a store has at most 63 bytes, and they are different and always the same")
  func differ() throws {
    var all: Set<String> = []
    var count = 0
    let beginning = String(repeating: "Beginning", count: 12)
    for number in 0..<1_000 {
      let entity = beginning + "\(number)"
      let names = try names(entity: entity, attribute: "attribute" + entity)
      for name in names { #expect(name.utf8.count <= 63) }
      all.formUnion(names)
      count += names.count
      if number % 100 == 0 {
        #expect(try self.names(entity: entity, attribute: "attribute" + entity) == names)
      }
    }
    #expect(all.count == count)
  }

  @Test("a shortened name of an index is not that of a table")
  func tableAndIndex() throws {
    let long = String(repeating: "Entity", count: 20)
    let index = try names(entity: long)[2]
    // An entity cannot have the name: a name of a model has no ~.
    #expect(index.contains("~"))
    #expect(throws: ModelError.self) { try names(entity: index) }
  }

  @Test("a limit that is too small for the hash is that of the hash")
  func small() throws {
    let names = try names(entity: "APainterWithALongName", limit: 3)
    #expect(names[0].utf8.count <= 17 && names[0].hasPrefix("~"))
  }
}
