import Copal

extension Recipe {
  /// The recipe as text: the name, the tags, each section with its ingredients and steps, and the
  /// attachments.
  var card: String {
    var lines = [
      TextStyle.bold("\(name), serves \(servings)"),
      TextStyle.dim(tags.map(\.name).joined(separator: " · ")),
    ]
    for section in sections { lines += ["", TextStyle.bold(section.name)] + section.lines }
    if !attachments.isEmpty {
      lines += ["", TextStyle.bold("Attachments")] + attachments.map { "  \($0.line)" }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// All ingredients of the recipe, with the amounts for a number of people.
  func shoppingList(for people: Int) -> String {
    let lines = sections.flatMap(\.ingredients).map { $0.line(for: people) }
    return ([TextStyle.bold("Shopping list for \(people)")] + lines).map { $0 + "\n" }.joined()
  }
}

extension Section {
  fileprivate var lines: [String] {
    let servings = recipe?.servings ?? 1
    return ingredients.map { $0.line(for: servings) }
      + steps.enumerated().map { "  \($0 + 1). \($1.text)" }
  }
}

extension Attachment {
  /// One line. The class of an object says what kind of attachment it is.
  fileprivate var line: String {
    switch self {
    case let photo as Photo: "\(caption): a photo of \(photo.width) × \(photo.height) pixels"
    case let note as Note: "\(caption): \(note.text)"
    case let link as Link: "\(caption): \(link.address?.absoluteString ?? "")"
    default: caption
    }
  }
}

extension Ingredient {
  /// One line: the amount, the unit and the name, each in its column.
  fileprivate func line(for people: Int) -> String {
    let number = amount(for: people).map { "\($0)" } ?? ""
    let unit = unit ?? ""
    return "  \(spaces(7 - number.count))\(number) \(unit)\(spaces(6 - unit.count))\(name)"
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
