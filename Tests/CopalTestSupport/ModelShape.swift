import Copal
import Foundation
public import Testing

@testable import CopalObjects

/// The shape of the models of containers in tests. `COPAL_MODEL_SHAPE` chooses another one, so that
/// the tests of contexts run once more with entities that are parents, and with entities that are
/// children.
public enum ModelShape: String, Sendable {
  /// As the model has them.
  case alone
  /// Each entity has subentities, down to the fourth generation.
  case parents
  /// All entities have one abstract root, and so one table. They are its third generation, and have
  /// subentities.
  case children

  public static let current =
    ProcessInfo.processInfo.environment["COPAL_MODEL_SHAPE"].flatMap(ModelShape.init) ?? .alone

  /// A model in this shape. A model that has parents stays as it is.
  func shape(_ binding: ModelBinding) throws -> ModelBinding {
    guard self != .alone, case let model = try binding.model,
      !model.entities.contains(where: { $0.parent != nil })
    else { return binding }
    let shaped = try ManagedObjectModel(
      name: model.name, version: model.version, imports: model.imports, access: model.access,
      entities: entities(of: model))
    return ModelBinding(shaped, classes: binding.entities.map { $0.adapted(to: shaped) })
  }

  private func entities(of model: ManagedObjectModel) -> [EntityDescription] {
    switch self {
    case .alone: model.entities
    case .parents: model.entities.flatMap { [$0] + Self.subentities(of: $0, generations: 3) }
    case .children:
      [
        EntityDescription("Ancestor", codegen: .none, isAbstract: true),
        EntityDescription("Forebear", codegen: .none, parent: "Ancestor", isAbstract: true),
      ]
        + model.entities.flatMap { entity in
          var child = entity
          child.parent = "Forebear"
          return [child] + Self.subentities(of: entity, generations: 1)
        }
    }
  }

  /// A line of subentities without classes. Those of different entities share the name of an
  /// attribute.
  private static func subentities(of entity: EntityDescription, generations: Int)
    -> [EntityDescription]
  {
    (1...generations).map { generation in
      EntityDescription(
        "\(entity.name)Heir\(generation)", codegen: .none,
        parent: generation == 1 ? entity.name : "\(entity.name)Heir\(generation - 1)",
        attributes: [
          AttributeDescription("heirloom\(generation)", .string, isOptional: true)
        ])
    }
  }
}

extension EntityBinding {
  /// The class of an entity, for a model in which the entity has ancestors without properties.
  fileprivate func adapted(to model: ManagedObjectModel) -> EntityBinding {
    EntityBinding(
      entityName, objectClass,
      layoutHash: model.entityIndex(entityName).map { model.layoutHash(ofEntity: $0) }
        ?? layoutHash,
      overridesHooks: overridesHooks)
  }
}

extension Trait where Self == ConditionTrait {
  /// The test needs the model as it is: it looks at tables, at the names of entities, or at faults,
  /// which objects of entities with subentities cannot be before their rows are read.
  public static var modelAsIs: Self { .enabled(if: ModelShape.current == .alone) }
}
