import Copal
import CopalFoundation
import CopalTestSupport
import Foundation
import Testing

let bothStores = StoreKind.allCases

extension Work {
  /// The note without spaces at its ends.
  var note: String? {
    get { primitiveNote }
    set { setNote(newValue) }
  }

  private func setNote(_ note: String?) {
    primitiveNote = note
    didChangeValue(forKey: PropertyNames.note)
  }
}

/// A predicate of Foundation, and the closure with the same meaning.
struct Case<Object: QueryableObject>: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let predicate: Predicate<Object>
  let closure: @Sendable (QueryProperties<Object>) -> FetchPredicate
  /// Whether the two are the same condition, and not only conditions with the same result.
  let isSame: Bool
  /// Whether Foundation's evaluation has a result too.
  let evaluates: Bool
}

/// A list of cases. Each call is one statement, so that the compiler needs little time.
struct Cases<Object: QueryableObject>: Sendable {
  var all: [Case<Object>] = []

  /// A predicate that becomes the condition of the closure.
  mutating func same(
    _ text: String, _ predicate: Predicate<Object>,
    _ closure: @escaping @Sendable (QueryProperties<Object>) -> FetchPredicate
  ) {
    all.append(
      Case(
        testDescription: text, predicate: predicate, closure: closure, isSame: true, evaluates: true
      ))
  }

  /// A predicate that has the result of the closure.
  mutating func equal(
    _ text: String, _ predicate: Predicate<Object>,
    evaluates: Bool = true,
    _ closure: @escaping @Sendable (QueryProperties<Object>) -> FetchPredicate
  ) {
    all.append(
      Case(
        testDescription: text, predicate: predicate, closure: closure, isSame: false,
        evaluates: evaluates))
  }
}

/// A collection of works with nil in each optional property of one of them.
enum World {
  static let day = Date(timeIntervalSinceReferenceDate: 1000)
  static let number = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let page = URL(string: "https://example.com/boats")
  static let scan = Data([1, 2, 3])

  static func fill(_ context: ManagedObjectContext) {
    let berthe = Artist(context: context, name: "Berthe")
    (berthe.born, berthe.budget, berthe.prizes) = (day, 30, 2)
    let anna = Artist(context: context, name: "Anna")
    (anna.teacher, anna.budget) = (berthe, 5)
    _ = Artist(context: context, name: "Cy")

    let oak = Frame(context: context, kind: "oak")
    let boats = Work(context: context, title: "Boats")
    (boats.artist, boats.code, boats.price, boats.weight) = (berthe, "B1", 20, 2.5)
    (boats.year, boats.isSold, boats.isLoan, boats.due) = (1880, true, true, day)
    (boats.number, boats.page, boats.scan, boats.frame) = (number, page, scan, oak)
    boats.note = "wet"
    let harbor = Work(context: context, title: "Harbor of Éze")
    (harbor.artist, harbor.price, harbor.year, harbor.technique) = (berthe, 40, 1882, .tempera)
    let untitled = Work(context: context, title: "")
    (untitled.code, untitled.isLoan) = ("X", false)
    let torso = Sculpture(context: context, title: "Torso")
    (torso.artist, torso.price, torso.height, torso.pedestal) = (anna, 9, 120, oak)
    let head = Sculpture(context: context, title: "Head")
    (head.material, head.year, head.weight) = ("wood", 1901, 7)
    berthe.favorites.append(torso)
    anna.favorites.append(boats)
    anna.favorites.append(head)
  }
}
