import Copal
import Foundation

extension Ingredient {
  /// The amount for a number of people; nil where the recipe has none. Decimals are exact: for 7
  /// people instead of 4, 1.2 kg become 2.1 kg.
  func amount(for people: Int) -> Decimal? {
    guard let amount, let servings = section?.recipe?.servings else { return nil }
    return amount * Decimal(people) / Decimal(servings)
  }
}

extension Recipe {
  /// Changes all amounts to those for a number of people.
  func scale(to people: Int) {
    for ingredient in sections.flatMap(\.ingredients) {
      ingredient.amount = ingredient.amount(for: people)
    }
    servings = people
  }
}
