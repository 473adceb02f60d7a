import CopalStore

/// The defaults that the existing rows of some entities get: all of them at once, so that each row
/// is written once.
struct RowDefaults {
  /// The entities whose rows get the defaults.
  let entities: [EntityLayout]
  /// Whether the table has no rows of other entities.
  let areAll: Bool
  /// The slots whose columns get the defaults.
  let slots: [Int]

  /// The slots that rows of each entity get.
  struct Collector {
    private struct Property: Hashable {
      let declaringEntity: Int
      let slot: Int
    }

    private var entities: [EntityLayout] = []
    private var properties: [Int: [Property]] = [:]

    /// Adds the slot of a property to entities.
    mutating func add(_ slot: Int, of declaringEntity: Int, to layouts: [EntityLayout]) {
      let property = Property(declaringEntity: declaringEntity, slot: slot)
      for layout in layouts {
        if properties[layout.index] == nil { entities.append(layout) }
        properties[layout.index, default: []].append(property)
      }
    }

    /// The entities with the same properties together.
    ///
    /// - Parameter all: the entities of the table of which there may be rows.
    func grouped(all: [EntityLayout]) -> [RowDefaults] {
      var groups: [(properties: [Property], entities: [EntityLayout])] = []
      var places: [[Property]: Int] = [:]
      for layout in entities {
        let own = properties[layout.index] ?? []
        if let place = places[own] {
          groups[place].entities.append(layout)
        } else {
          places[own] = groups.count
          groups.append((own, [layout]))
        }
      }
      return groups.map {
        RowDefaults(
          entities: $0.entities, areAll: $0.entities.count == all.count,
          slots: $0.properties.map(\.slot))
      }
    }
  }
}
