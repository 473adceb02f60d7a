import Copal
import Foundation

/// Makes recipes in a context. The caller saves them.
struct RecipeWriter {
  let context: ManagedObjectContext

  /// A potato salad for four.
  func potatoSalad() throws -> Recipe {
    let salad = Recipe(context: context, name: "Potato salad", servings: 4)
    for name in ["vegetarian", "salad", "picnic"] { salad.tags.insert(try tag(name)) }

    let potatoes = addSection("Potatoes", to: salad)
    add("1.2", "kg", "waxy potatoes", to: potatoes)
    add("1.5", "tsp", "salt", to: potatoes)
    addStep("Boil the potatoes in salted water for 20 minutes.", to: potatoes)
    addStep("Peel them while they are warm, and slice them.", to: potatoes)

    let dressing = addSection("Dressing", to: salad)
    add("1", nil, "onion", to: dressing)
    add("3", "tbsp", "white wine vinegar", to: dressing)
    add("2", "tsp", "mustard", to: dressing)
    add("5", "tbsp", "rapeseed oil", to: dressing)
    add("200", "ml", "vegetable broth", to: dressing)
    addStep("Heat the broth with the chopped onion.", to: dressing)
    addStep("Stir in the vinegar and the mustard, and pour it over the potatoes.", to: dressing)
    addStep("Add the oil after half an hour.", to: dressing)

    let topping = addSection("To serve", to: salad)
    add("0.5", "bunch", "chives", to: topping)
    add(nil, nil, "pepper", to: topping)
    addStep("Cut the chives over the salad, and grind some pepper.", to: topping)

    salad.attachments.replaceAll(with: attachments)
    return salad
  }

  /// One of each kind.
  private var attachments: [Attachment] {
    let link = Link(context: context, caption: "Potatoes")
    link.address = URL(string: "https://example.org/waxy-potatoes")
    return [
      Photo(context: context, caption: "The bowl", width: 1600, height: 900),
      Note(context: context, caption: "From Ida", text: "Better on the next day."), link,
    ]
  }

  /// The tag of that name. Names of tags are unique, so it is made only if there is none.
  private func tag(_ name: String) throws -> Tag {
    try context.fetch(Tag.self) { $0.name == name }.first ?? Tag(context: context, name: name)
  }

  private func addSection(_ name: String, to recipe: Recipe) -> Section {
    let section = Section(context: context, name: name)
    recipe.sections.append(section)
    return section
  }

  /// Adds an ingredient at the end. The amount is a text, because a number such as 0.1 in Swift is
  /// a Double, which is not exact.
  private func add(_ amount: String?, _ unit: String?, _ name: String, to section: Section) {
    let ingredient = Ingredient(context: context, name: name)
    ingredient.amount = amount.flatMap { Decimal(string: $0) }
    ingredient.unit = unit
    section.ingredients.append(ingredient)
  }

  private func addStep(_ text: String, to section: Section) {
    section.steps.append(Step(context: context, text: text))
  }
}
