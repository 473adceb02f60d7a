import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Testing

/// Random sequences of changes that migration makes. After each, the file has the shape
/// of a new file, and the values of every object that was ever inserted.
@Suite("Sequences of migrations of families")
struct FamilyMigrationSequenceTests {
  private struct Sequence {
    var random: SplitMix
    var entities: [EntityDescription] = []
    var nextName = 0
    var objects: [(entity: String, key: Int64, values: [String: PropertyValue])] = []

    mutating func pick<T>(_ values: [T]) -> T? {
      values.isEmpty ? nil : values[Int(random.next() % UInt64(values.count))]
    }

    mutating func name(_ prefix: String) -> String {
      nextName += 1
      return "\(prefix)\(nextName)"
    }

    func index(_ name: String) -> Int? { entities.firstIndex { $0.name == name } }

    func children(_ name: String) -> [String] {
      entities.filter { $0.parent == name }.map(\.name)
    }

    func line(_ name: String) -> [EntityDescription] {
      guard let index = index(name) else { return [] }
      return (entities[index].parent.map(line) ?? []) + [entities[index]]
    }

    func family(_ name: String) -> [String] { [name] + children(name).flatMap(family) }

    /// A property of a name that other lines of the family may have too.
    mutating func addProperties(to name: String) {
      guard let index = index(name) else { return }
      let taken = Set(
        (line(name) + family(name).compactMap { self.index($0) }.map { entities[$0] }).flatMap {
          $0.attributes.map { $0.name.lowercased() } + $0.relationships.map { $0.name.lowercased() }
        })
      for property in ["width", "Size", "note", "place"] where random.next() % 3 == 0 {
        if taken.contains(property.lowercased()) { continue }
        if property == "place" {
          let destination = pick(entities.map(\.name)) ?? name
          entities[index].relationships.append(
            RelationshipDescription(
              property, to: destination, isToMany: random.next() % 3 == 0, isOptional: true))
        } else {
          entities[index].attributes.append(
            AttributeDescription(
              property, .integer64, isOptional: true,
              defaultValue: random.next() % 2 == 0 ? nil : .value(3)))
          if random.next() % 2 == 0 { entities[index].indexes.append(IndexDescription([property])) }
        }
      }
    }

    /// A new entity, with unique constraints.
    mutating func addEntity(parent: String?) {
      let name = name("E")
      entities.insert(
        EntityDescription(
          name, parent: parent,
          attributes: [AttributeDescription("id\(nextName)", .integer64, isOptional: true)],
          uniqueConstraints: [["id\(nextName)"]]),
        at: Int(random.next() % UInt64(entities.count + 1)))
      addProperties(to: name)
      guard let index = index(name) else { return }
      let inherited = line(name).dropLast().flatMap { $0.attributes.map(\.name) }
      if let property = pick(inherited) {
        entities[index].uniqueConstraints.append([property, "id\(nextName)"])
        if random.next() % 2 == 0 { entities[index].uniqueConstraints.append([property]) }
      }
    }

    /// A new entity between an entity and its parent. Some properties of the entity move to it.
    mutating func addParent(of name: String) {
      guard let index = index(name) else { return }
      let parent = self.name("P")
      var description = EntityDescription(
        parent, parent: entities[index].parent, isAbstract: random.next() % 2 == 0)
      entities[index].parent = parent
      let constrained = Set(entities[index].uniqueConstraints.flatMap(\.attributes))
      for attribute in entities[index].attributes where random.next() % 2 == 0 {
        if constrained.contains(attribute.name),
          !entities[index].uniqueConstraints.contains([attribute.name])
        {
          continue
        }
        description.attributes.append(attribute)
        entities[index].attributes.removeAll { $0.name == attribute.name }
        if entities[index].uniqueConstraints.contains([attribute.name]), random.next() % 2 == 0 {
          entities[index].uniqueConstraints.removeAll { $0 == [attribute.name] }
          description.uniqueConstraints.append([attribute.name])
        }
        let isIndex = { (index: IndexDescription) in index.attributes == [attribute.name] }
        if entities[index].indexes.contains(where: isIndex) {
          entities[index].indexes.removeAll(where: isIndex)
          description.indexes.append(IndexDescription([attribute.name]))
        }
      }
      for relationship in entities[index].relationships where random.next() % 2 == 0 {
        description.relationships.append(relationship)
        entities[index].relationships.removeAll { $0.name == relationship.name }
      }
      entities.insert(description, at: Int(random.next() % UInt64(entities.count + 1)))
    }

    /// Moves an optional attribute to the parent, unless another child has one of that name.
    mutating func moveUp(from name: String) {
      guard let index = index(name), let parent = entities[index].parent,
        let above = self.index(parent),
        let attribute = pick(entities[index].attributes.filter { !$0.name.hasPrefix("id") })
      else { return }
      let others = family(parent).filter { $0 != name }.compactMap { self.index($0) }
      if others.contains(where: {
        entities[$0].attributes.contains { $0.name.lowercased() == attribute.name.lowercased() }
      }) {
        return
      }
      entities[above].attributes.append(attribute)
      entities[index].attributes.removeAll { $0.name == attribute.name }
    }

    mutating func edit() {
      let names = entities.map(\.name)
      switch random.next() % 6 {
      case 0: addEntity(parent: nil)
      case 1, 2: addEntity(parent: pick(names))
      case 3: if let name = pick(names) { addParent(of: name) }
      case 4: if let name = pick(names) { moveUp(from: name) }
      default:
        for name in names where random.next() % 2 == 0 { addProperties(to: name) }
      }
    }
  }

  @Test(
    "a sequence of migrations keeps every value, and the file has the shape of a new one",
    arguments: 1...15)
  func sequence(seed: UInt64) throws {
    let test = try TestStore()
    var sequence = Sequence(random: SplitMix(seed: seed))
    sequence.addEntity(parent: nil)
    for _ in 0..<8 {
      let schema = try StoreModels.schema(sequence.entities)
      let tester = try test.storeTester(schema)
      let other = try TestStore()
      _ = try other.open(schema)
      #expect(try test.sqlite3(Shape.whole) == other.sqlite3(Shape.whole), "seed \(seed)")
      for (entity, key, values) in sequence.objects {
        let row = try tester.row(key, of: entity)
        #expect(row.layout.name == entity)
        for (name, value) in values {
          #expect(row[name] == value, "seed \(seed) \(entity).\(name)")
        }
        #expect(!row.row.hasTypeMismatch)
      }
      for layout in schema.entities where !layout.entity.isAbstract {
        // Different values, because any attribute may become unique for a part of the objects.
        sequence.nextName += 1
        var values: [String: PropertyValue] = [:]
        for slot in layout.columns.map(\.slot) {
          guard case .attribute(let attribute) = layout.slots[slot] else { continue }
          values[attribute.name] = .integer(Int64(1000 + sequence.nextName))
        }
        let key = try tester.insert(values, into: layout.name)
        sequence.objects.append((layout.name, key, values))
      }
      sequence.edit()
    }
    #expect(try test.sqlite3("PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok")
  }
}
