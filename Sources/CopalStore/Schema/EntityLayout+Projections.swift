public import CopalModel

extension EntityLayout {
  /// A projection of a transformable: a function of its value, for conditions and orders.
  ///
  /// It has a slot, which is empty in every row: its value is made from the row. A SQL store keeps
  /// the values in a ``DerivedColumn``.
  public struct Projection: Sendable, Hashable {
    /// The slot of the projection.
    public let slot: Int
    /// The slot of the attribute.
    public let source: Int
    /// The slot with the version of the attribute's transformer; nil where a store keeps none.
    public let versionSlot: Int?
    /// The position of the entity that declares the attribute.
    public let declaringEntity: Int
    /// What the model says of it.
    public let description: ProjectionDescription
    /// The name of the attribute, a point, and the name of the projection: `tint.lightness`.
    public let path: String
  }

  /// The projections of an entity's slots.
  static func projections(_ slots: [SlotDescription], _ declaringEntities: [Int]) -> [Projection] {
    slots.enumerated().compactMap { slot, description in
      guard case .projection(let projection, let name) = description else { return nil }
      func isSource(_ other: SlotDescription) -> Bool {
        if case .attribute(let attribute) = other { attribute.name == name } else { false }
      }
      guard let source = slots.firstIndex(where: isSource) else { return nil }
      return Projection(
        slot: slot, source: source,
        versionSlot: slots.firstIndex(of: .hidden(.transformerVersion, of: name)),
        declaringEntity: declaringEntities[slot], description: projection,
        path: projection.attribute(of: name).name)
    }
  }

  /// The projection at a slot; nil for another slot.
  public func projection(ofSlot slot: Int) -> Projection? {
    projections.isEmpty ? nil : projections.first { $0.slot == slot }
  }

  /// The slot of a property, or of a projection by its path: `tint.lightness`.
  func slot(named name: String) -> Int? {
    slotByName[name]
      ?? (projections.isEmpty ? nil : projections.first { $0.path == name }?.slot)
  }

  /// The slots on whose values that of another slot depends: the attribute of a projection with the
  /// version of its transformer, otherwise the slot itself.
  package func sourceSlots(_ slot: Int) -> [Int] {
    projection(ofSlot: slot).map { [$0.source] + ($0.versionSlot.map { [$0] } ?? []) } ?? [slot]
  }
}

/// Makes the values of projections. A container has one, because it has the transformers.
public protocol ValueProjector: Sendable {
  /// The value of a projection.
  ///
  /// - Parameters:
  ///   - stored: the stored form of the attribute's value, which is not null.
  ///   - version: the version of the transformer that encoded it; nil for none.
  /// - Returns: a value of the projection's type; null where the value has none, and for a stored
  ///   form that cannot be decoded.
  func value(_ projection: EntityLayout.Projection, of stored: PropertyValue, version: Int64?)
    -> PropertyValue

  /// The version of the function of a projection.
  func version(_ projection: EntityLayout.Projection) -> Int

  /// The version of the stored forms that the transformer encodes; nil for one without versions. It
  /// cannot decode a newer one. Default: nil.
  func transformerVersion(_ projection: EntityLayout.Projection) -> Int?
}

extension ValueProjector {
  /// Nil.
  public func transformerVersion(_ projection: EntityLayout.Projection) -> Int? { nil }
}

extension StoreSchema {
  /// Whether the store can make the values of all derived columns of a family: with projections, it
  /// needs the transformers.
  public func canDerive(family root: Int) -> Bool {
    projector != nil
      || !kinds(of: entities[root].root).contains { !entities[$0].projections.isEmpty }
  }
}
