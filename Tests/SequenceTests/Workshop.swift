import Copal
import CopalColor
import CopalTestSupport
import Foundation

/// A value that cannot always be encoded or decoded.
struct Recipe: Equatable { var text: String }

struct RecipeTransformer: AttributeTransformer {
  struct Failure: Error {}

  func encode(_ recipe: Recipe) throws -> Data {
    if recipe.text == "unwritable" { throw Failure() }
    return Data(recipe.text.utf8)
  }

  func decode(_ stored: Data) throws -> Recipe {
    let text = String(decoding: stored, as: UTF8.self)
    if text == "unreadable" { throw Failure() }
    return Recipe(text: text)
  }
}

/// Stores another value than it gets: in capitals.
struct NicknameTransformer: AttributeTransformer {
  func encode(_ name: String) -> String { name.uppercased() }
  func decode(_ stored: String) -> String { stored }
}

/// A study without hooks.
class Study: ManagedObject {}

/// A study whose hooks do what ``StudyHooks`` says.
final class HabitualStudy: Study {
  /// The study that the hooks of this one change.
  var friend: HabitualStudy?
  /// The drawers that the hooks of this one have made.
  var drawers: [Drawer] = []

  override func awakeFromInsert() { StudyHooks.awakeFromInsert(self) }
  override func awakeFromFetch() { StudyHooks.awakeFromFetch(self) }
  override func willSave() { StudyHooks.willSave(self) }
  override func didSave() { StudyHooks.didSave(self) }
  override func prepareForDeletion() { StudyHooks.prepareForDeletion(self) }
  override func didTurnIntoFault() { StudyHooks.didTurnIntoFault(self) }
  override func validateForInsert() throws { try StudyHooks.validate(self) }
  override func validateForUpdate() throws { try StudyHooks.validate(self) }
  override func validateForDelete() throws { try StudyHooks.validate(self) }
}

/// The setting of a sequence: with or without hooks, and the store.
struct Stage: Hashable, CustomStringConvertible {
  enum Profile: String, CaseIterable { case plain, hooks }

  var profile: Profile
  var store: StoreKind

  static let stores: [StoreKind] = [.memory, .sqlite, .decided]
  static let all = Profile.allCases.flatMap { profile in
    stores.map { Stage(profile: profile, store: $0) }
  }

  var description: String { "\(profile.rawValue)/\(store.rawValue)" }

  /// The model with the classes of the profile.
  var binding: ModelBinding {
    get throws {
      let model = try ModelBinding.workshop.model
      func binding(_ name: String, _ objectClass: ManagedObject.Type, hooks: Bool) throws
        -> EntityBinding
      {
        EntityBinding(
          name, objectClass, layoutHash: model.layoutHash(of: name), overridesHooks: hooks)
      }
      let hooks = profile == .hooks
      return ModelBinding(
        model,
        classes: [
          try binding("Study", hooks ? HabitualStudy.self : Study.self, hooks: hooks),
          try binding("Drawer", Drawer.self, hooks: false),
        ])
    }
  }

  static var transformers: [any AttributeTransformer] {
    [SerializableColorTransformer(), RecipeTransformer(), NicknameTransformer()]
  }
}
