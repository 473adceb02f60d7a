import Copal
import CopalTestSupport
import Foundation
import Testing

nonisolated extension Pigment {
  fileprivate static let cheap = Pigment.properties.price < 10
  fileprivate static func named(_ pigment: Pigment.Properties) -> FetchPredicate {
    pigment.name != ""
  }
}

@Suite("A condition that is a value")
struct ConditionValueTests {
  private func context(_ store: TestStore) throws -> ManagedObjectContext {
    let context = try store.atelier().makeContext()
    for (name, price) in [("Ochre", 4), ("Ultramarine", 20), ("Lead white", 9)] {
      Pigment(context: context, name: name).price = Decimal(price)
    }
    try context.save()
    return context
  }

  @Test("it can be given where a closure can, and nil asks for all", arguments: StoreKind.allCases)
  func everyFunction(_ kind: StoreKind) throws {
    let context = try context(TestStore(kind))
    let none: FetchPredicate? = nil
    let text = try FetchPredicate(format: "name BEGINSWITH 'U'")
    #expect(
      try context.fetch(Pigment.self, sortedBy: \.name.ascending, where: Pigment.cheap).map(\.name)
        == ["Lead white", "Ochre"])
    #expect(try context.fetch(Pigment.self, where: text).map(\.name) == ["Ultramarine"])
    #expect(
      try context.fetch(Pigment.self, sortedBy: \.price.ascending, limit: 1, offset: 1, where: none)
        .map(\.name) == ["Lead white"])
    #expect(try context.fetch(Pigment.self, where: nil).count == 3)
    #expect(try context.fetch(Pigment.self, where: .true).count == 3)
    #expect(try context.fetch(Pigment.self, where: none ?? .true).count == 3)
    #expect(try context.fetch(Pigment.self, where: Pigment.named).count == 3)
    #expect(try context.fetch(Pigment.self, where: Pigment.cheap && !text).count == 2)
    #expect(try context.fetch(Pigment.self) { $0.price < 10 }.count == 2)
    #expect(try context.fetch(Pigment.self, where: { $0.price < 10 }).count == 2)
    #expect(try context.fetch(Pigment.self) { Pigment.cheap && $0.name == "Ochre" }.count == 1)
    #expect(
      try context.fetchIDs(Pigment.self, sortedBy: \.name.ascending, limit: 1, where: Pigment.cheap)
        .count == 1)
    #expect(try context.fetchIDs(Pigment.self, where: nil).count == 3)
    #expect(
      try context.fetchPage(Pigment.self, sortedBy: \.name.ascending, size: 1, where: Pigment.cheap)
        .objects.map(\.name) == ["Lead white"])
    #expect(try context.count(Pigment.self, where: Pigment.cheap) == 2)
    #expect(try context.count(Pigment.self, where: none) == 3)
    #expect(try context.count(Pigment.self, where: nil) == 3)
    #expect(
      try context.first(Pigment.self, sortedBy: \.price.descending, where: Pigment.cheap)?.name
        == "Lead white")
    #expect(try context.first(Pigment.self, where: nil)?.name == "Ochre")
    #expect(try context.one(Pigment.self, where: text)?.name == "Ultramarine")
    #expect(try context.exists(Pigment.self, where: text))
    #expect(try !context.exists(Pigment.self, where: text && Pigment.cheap))
    let names = try context.fetchValues(Pigment.self, where: Pigment.cheap) { ($0.name, $0.price) }
    #expect(Set(names.map(\.0)) == ["Lead white", "Ochre"])
    #expect(try context.fetchValues(Pigment.self, where: nil) { ($0.name, $0.price) }.count == 3)
    #expect(
      try context.fetchValues(Pigment.self, as: String.self, where: text) { ["name": $0.name] } == [
        "Ultramarine"
      ])
    #expect(try context.fetchValue(Pigment.self, where: Pigment.cheap) { $0.price.sum } == 13)
    #expect(
      try context.count(Pigment.fetchRequest().filter(Pigment.cheap).filter { $0.name == "Ochre" })
        == 1)
    #expect(try context.updateAll(Pigment.self, where: Pigment.cheap) { $0.code.set(to: nil) } == 2)
    #expect(try context.count(Pigment.self) { $0.code == nil } == 3)
    #expect(try context.deleteAll(Pigment.self, where: text) == 1)
    #expect(try context.deleteAll(Pigment.self, where: none) == 2)
  }

  @Test("a Boolean attribute alone is a condition", arguments: StoreKind.allCases)
  func booleans(_ kind: StoreKind) throws {
    let context = try context(TestStore(kind))
    for pigment in try context.fetch(Pigment.self) { pigment.isLightfast = pigment.name != "Ochre" }
    let values = try context.fetch(Pigment.self).map { ($0.name, $0.isLightfast, $0.price) }
    func names(_ isWanted: ((name: String, isLightfast: Bool, price: Decimal)) -> Bool) -> [String]
    {
      values.filter(isWanted).map(\.0)
    }
    for _ in ["unsaved", "saved"] {
      func check(_ found: [Pigment], _ names: [String]) {
        #expect(found.map(\.name) == names && !names.isEmpty)
      }
      check(try context.fetch(Pigment.self) { $0.isLightfast }, names { $0.isLightfast })
      check(try context.fetch(Pigment.self) { !$0.isLightfast }, names { !$0.isLightfast })
      check(
        try context.fetch(Pigment.self) { $0.isLightfast && $0.price < 10 },
        names { $0.isLightfast && $0.price < 10 })
      check(
        try context.fetch(Pigment.self) { $0.price < 5 || $0.isLightfast },
        names { $0.price < 5 || $0.isLightfast })
      check(
        try context.fetch(Pigment.self) { !$0.isLightfast || !($0.price < 10) },
        names { !$0.isLightfast || !($0.price < 10) })
      #expect(try context.count(Pigment.self) { $0.isLightfast && !$0.isLightfast } == 0)
      #expect(try context.one(Pigment.self) { !$0.isLightfast }?.name == "Ochre")
      #expect(
        try context.fetchValue(Pigment.self, where: { $0.isLightfast }) { $0.price.sum } == 29)
      try context.save()
    }
    #expect(
      try context.updateAll(Pigment.self, where: { $0.isLightfast }) { $0.price.set(to: 1) } == 2)
    #expect(try context.deleteAll(Pigment.self) { !$0.isLightfast } == 1)
    #expect(
      try context.fetch(Pigment.fetchRequest().filter { $0.isLightfast }).map(\.price) == [1, 1])
  }
}
