import Copal

@testable import CopalObjects

/// A list in a test: the former objects of a controller, to which its differences are applied.
final class ListShape {
  let name: String
  let request: FetchRequest<ManagedObject>
  let controller: FetchedResultsController<ManagedObject>
  /// The section of an object; nil for a list that is not divided.
  let section: ((ManagedObject) throws -> String?)?
  /// The objects of each section.
  var lists: [[ManagedObject]] = []
  var names: [String?] = []
  var changes: [ResultsChange] = []
  var subscription: ChangeSubscription?

  init(
    _ name: String, _ context: ManagedObjectContext, _ request: FetchRequest<ManagedObject>,
    _ sections: ResultsSections<ManagedObject>? = nil,
    _ section: ((ManagedObject) throws -> String?)? = nil
  ) throws {
    (self.name, self.request, self.section) = (name, request, section)
    controller = try FetchedResultsController(request, sectionedBy: sections, in: context)
    subscription = controller.onChange { [unowned self] in changes.append($0) }
    try controller.performFetch()
    take()
  }

  func take() {
    lists = controller.sections.map { Array($0.objects) }
    names = controller.sections.map(\.name)
  }

  /// Applies a difference to the former list.
  ///
  /// - Returns: what is wrong.
  func apply(_ change: ResultsChange) -> String? {
    var moved: [ResultsPosition: ManagedObject] = [:]
    for move in change.moves {
      if move.from == move.to { return "a move from a position to itself" }
      guard lists.indices.contains(move.from.section),
        lists[move.from.section].indices.contains(move.from.item)
      else { return "a move from \(move.from)" }
      moved[move.to] = lists[move.from.section][move.from.item]
    }
    for place in (change.deleted + change.moves.map(\.from)).sorted(by: >) {
      guard lists.indices.contains(place.section),
        lists[place.section].indices.contains(place.item)
      else { return "a deletion at \(place)" }
      lists[place.section].remove(at: place.item)
    }
    for section in change.deletedSections.reversed() {
      if !lists[section].isEmpty { return "a deleted section \(section) that is not empty" }
      lists.remove(at: section)
      names.remove(at: section)
    }
    let sections = controller.sections
    for section in change.insertedSections {
      if section > lists.count { return "a new section at \(section)" }
      lists.insert([], at: section)
      names.insert(sections[section].name, at: section)
    }
    for place in (change.inserted + change.moves.map(\.to)).sorted() {
      guard lists.indices.contains(place.section), place.item <= lists[place.section].count else {
        return "an insertion at \(place)"
      }
      let object = moved[place] ?? controller[place]
      lists[place.section].insert(object, at: place.item)
    }
    let others = Set(change.inserted).union(change.moves.map(\.to))
    for place in change.updated where others.contains(place) {
      return "an update at \(place), which has moved or is new"
    }
    return nil
  }
}
