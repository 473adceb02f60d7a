import Copal
import Foundation

/// Keeps recipes in a SQLite file. The first run writes a potato salad. Each later run finds it by
/// its tag.
@main
struct RecipesExample {
  static func main() {
    do {
      try run(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("RecipesExample: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ arguments: Arguments) throws {
    let store = try arguments.store ?? defaultStore()
    print("store: \(store.path(percentEncoded: false))")

    let container = try PersistentContainer(model: .recipes, store: .sqlite(at: store))
    let context = container.makeContext()
    if let salad = try recipes(taggedWith: "picnic", in: context).first {
      print("found a recipe with the tag picnic\n")
      show(salad, people: arguments.people)
      try duplicate(salad, people: arguments.people, in: context)
    } else {
      let salad = try RecipeWriter(context: context).potatoSalad()
      try context.save()
      print("made a recipe and saved it\n")
      show(salad, people: arguments.people)
      moveBroth(in: salad)
      try context.save()
    }
  }

  /// The tag is read with its recipes, their attachments, their sections, and all ingredients and
  /// steps: one statement for each relationship, however many recipes there are.
  static func recipes(taggedWith name: String, in context: ManagedObjectContext) throws
    -> [Recipe]
  {
    let request = Tag.fetchRequest().filter { $0.name == name }
      .prefetching(
        \.recipes.tags, \.recipes.attachments, \.recipes.sections.ingredients,
        \.recipes.sections.steps)
    return try context.fetch(request).flatMap(\.recipes)
  }

  static func show(_ recipe: Recipe, people: Int) {
    print(recipe.card)
    print(recipe.shoppingList(for: people))
  }

  /// The broth is needed first, so it moves to the beginning of the dressing.
  static func moveBroth(in salad: Recipe) {
    guard let dressing = salad.sections.first(where: { $0.name == "Dressing" }),
      let index = dressing.ingredients.firstIndex(where: { $0.name == "vegetable broth" })
    else { return }
    dressing.ingredients.move(fromOffsets: [index], toOffset: 0)
    print("moved the vegetable broth to the beginning of the dressing:")
    print("  \(dressing.ingredients.map(\.name).joined(separator: ", "))")
  }

  /// The copy has its own sections, ingredients, steps and attachments, and the same tags.
  static func duplicate(_ recipe: Recipe, people: Int, in context: ManagedObjectContext) throws {
    let copy = try context.copy(of: recipe)
    copy.name += " for \(people)"
    copy.scale(to: people)
    try context.save()
    print("duplicated and scaled it")
    try printCounts(in: context)

    context.delete(copy)
    try context.save()
    print("deleted the duplicate")
    try printCounts(in: context)
  }

  static func printCounts(in context: ManagedObjectContext) throws {
    let names = try context.fetch(Recipe.self, sortedBy: \.name.ascending).map(\.name)
    print("  recipes: \(names.joined(separator: ", "))")
    print("  sections: \(try context.count(Section.self))", terminator: ", ")
    print("ingredients: \(try context.count(Ingredient.self))", terminator: ", ")
    print("steps: \(try context.count(Step.self)), tags: \(try context.count(Tag.self))")
    let large = try context.count(Attachment.self) {
      $0.isKind(of: Note.self) || $0.as(Photo.self).width > 1000
    }
    print("  attachments: \(try context.count(Attachment.self))", terminator: ", ")
    print("notes and large photos: \(large)")
  }

  /// The store in the user's data directory.
  static func defaultStore() throws -> URL {
    let store = SQLiteStore.defaultURL(named: "Recipes")
    try FileManager.default.createDirectory(
      at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
    return store
  }
}
