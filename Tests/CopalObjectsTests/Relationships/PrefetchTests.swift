import CopalTestSupport
import Foundation
import Testing

@testable import Copal
@testable import CopalObjects

@Suite("Prefetching")
struct PrefetchTests {
  @Test(
    "an object that is in two relationships, because another context has moved it, is an owner once",
    arguments: bothStores)
  func movedOwner(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    try container.reading { context in
      let dishes = ["1", "2"].map { Dish(context: context, name: $0) }
      let course = Course(context: context, name: "c")
      course.dish = dishes[1]
      for grams in 1...2 as ClosedRange<Int64> {
        Portion(context: context, grams: grams).course = course
      }
      try context.save()
    }
    let context = container.makeContext()
    let ids = try container.reading { try $0.fetchIDs(Dish.self, sortedBy: \.name.ascending) }
    // No neighbors, so that the courses of one dish are read.
    let dishes = try ids.map { try context.existingObject(with: $0, as: Dish.self) }
    #expect(dishes[1].courses.map(\.name) == ["c"])
    context.state.sweep()
    try container.reading { other in
      let course = try other.fetch(Course.self).first
      course?.dish = try other.existingObject(with: ids[0], as: Dish.self)
      try other.save()
    }
    try withExtendedLifetime(dishes) {
      let found = try context.fetch(Dish.fetchRequest().prefetching(\.courses.portions))
      #expect(found.map { $0.courses.map(\.name) } == [["c"], ["c"]])
      #expect(found[0].courses[0].portions.map(\.grams) == [1, 2])
    }
  }
}
