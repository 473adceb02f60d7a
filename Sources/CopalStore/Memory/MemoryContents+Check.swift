import CopalEssentials
import CopalModel

extension MemoryContents {
  /// The references and links that do not lead to an object of the right entity.
  func brokenReferences(_ schema: StoreSchema) -> [BrokenReference] {
    schema.entities.flatMap { layout in
      layout.references.filter { !$0.mayDangle }.flatMap { brokenReferences($0, layout, schema) }
    } + schema.linkTables.indices.flatMap { brokenLinks($0, schema) }
  }

  private func brokenReferences(
    _ reference: EntityLayout.Reference, _ layout: EntityLayout, _ schema: StoreSchema
  ) -> [BrokenReference] {
    let rows = tables[layout.root].rows.filter { $0.value.entity == layout.index }
    return rows.inOrder { $0.key < $1.key }.compactMap { key, row in
      guard let other = row.integer(reference.slot),
        let kind = problem(other, reference.destination, schema)
      else { return nil }
      return BrokenReference(
        kind, schema.name(of: reference), entity: layout.index, key: key, other: other)
    }
  }

  private func brokenLinks(_ position: Int, _ schema: StoreSchema) -> [BrokenReference] {
    let table = schema.linkTables[position]
    return links[position].links.flatMap { link -> [BrokenReference] in
      var kinds: [BrokenReference.Kind] = []
      // The other row of a symmetric link has this end as its other one.
      if !table.isSymmetric, problem(link.owner, table.owner, schema) != nil {
        kinds.append(.missingOwner)
      }
      if let kind = problem(link.member, table.member, schema) { kinds.append(kind) }
      return kinds.map {
        BrokenReference(
          $0, table.relationship, entity: table.owner, key: link.owner, other: link.member)
      }
    }
  }

  /// What is wrong with the object of a key; nil for an object of the entity.
  private func problem(_ key: Int64, _ entity: Int, _ schema: StoreSchema) -> BrokenReference.Kind?
  {
    guard let row = tables[schema.entities[entity].root].rows[key] else { return .missingObject }
    return schema.kinds(of: entity).contains(row.entity) ? nil : .wrongEntity(row.entity)
  }
}
