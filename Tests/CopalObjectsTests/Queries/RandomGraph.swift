import Copal
import CopalTestSupport
import Foundation

@testable import CopalModel

/// Objects with relationships that look random and are the same in every run, and changes of them.
struct RandomGraph {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// Inserts objects into an empty context, and saves them.
  mutating func fill(_ context: ManagedObjectContext, count: Int) throws {
    let makers = (0..<count / 3).map { number in
      let maker = Maker(context: context)
      maker.label = number
      return maker
    }
    let wares = (0..<count / 2).map { number in
      let ware = Ware(context: context)
      ware.label = number
      return ware
    }
    let marks = (0..<count / 6).map { number in
      let mark = Mark(context: context)
      mark.label = number
      return mark
    }
    for maker in makers { change(maker, makers) }
    for ware in wares { change(ware, makers, wares, marks) }
    for mark in marks { change(mark) }
    try context.save()
  }

  /// Changes, inserts and deletes some objects.
  mutating func change(_ context: ManagedObjectContext) throws {
    var makers = try context.fetch(Maker.self)
    var wares = try context.fetch(Ware.self)
    let marks = try context.fetch(Mark.self)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let maker = Maker(context: context)
        maker.label = 1000 + makers.count
        makers.append(maker)
        change(maker, makers)
      case 1:
        let ware = Ware(context: context)
        ware.label = 1000 + wares.count
        wares.append(ware)
        change(ware, makers, wares, marks)
      case 2 where !makers.isEmpty:
        context.delete(makers.remove(at: .random(in: 0..<makers.count, using: &random)))
      case 3 where !wares.isEmpty:
        context.delete(wares.remove(at: .random(in: 0..<wares.count, using: &random)))
      case 4: makers.randomElement(using: &random).map { change($0, makers) }
      case 5: marks.randomElement(using: &random).map { change($0) }
      default: wares.randomElement(using: &random).map { change($0, makers, wares, marks) }
      }
    }
  }

  // MARK: Values

  private mutating func change(_ maker: Maker, _ makers: [Maker]) {
    maker.name = optional { $0.text() }
    maker.budget = optional { Int.random(in: -3...3, using: &$0.random) }
    maker.rating = optional { $0.pick([0, 0.5, -1.5, 2, 1e300, .infinity]) }
    maker.fee = optional { $0.decimal(fine: false) }
    maker.debt = optional { $0.decimal(fine: true) }
    maker.founded = optional { $0.date() }
    maker.isOpen = optional { Bool.random(using: &$0.random) }
    maker.teacher = optional { $0.pick(makers) }
  }

  private mutating func change(
    _ ware: Ware, _ makers: [Maker], _ wares: [Ware], _ marks: [Mark]
  ) {
    ware.name = optional { $0.text() }
    ware.count = optional { Int32.random(in: -3...3, using: &$0.random) }
    ware.density = optional { $0.pick([0, 0.5, 0.1, -2, 3]) }
    ware.price = optional { $0.decimal(fine: false) }
    ware.weight = optional { $0.decimal(fine: true) }
    ware.added = optional { $0.date() }
    ware.isSold = Bool.random(using: &random)
    ware.maker = makers.isEmpty ? nil : optional { $0.pick(makers) }
    for mark in marks where Int.random(in: 0..<3, using: &random) == 0 {
      if ware.tags.contains(mark) { ware.tags.remove(mark) } else { ware.tags.insert(mark) }
    }
    if Int.random(in: 0..<3, using: &random) == 0, let other = wares.randomElement(using: &random) {
      ware.list.insert(other, at: 0)
    }
  }

  private mutating func change(_ mark: Mark) {
    mark.name = optional { $0.text() }
    mark.rank = optional { Int.random(in: -2...2, using: &$0.random) }
  }

  private mutating func optional<V>(_ value: (inout Self) -> V) -> V? {
    Int.random(in: 0..<4, using: &random) == 0 ? nil : value(&self)
  }

  private mutating func text() -> String {
    pick(["", "a", "A", "ab", "\u{E9}", "e\u{301}", "z", "10", "-1.5", "🎨"])
  }

  private mutating func date() -> Date {
    Date(timeIntervalSinceReferenceDate: pick([0, 1, -1, 86_400, 1e9]))
  }

  private mutating func decimal(fine: Bool) -> Decimal {
    let texts =
      fine
      ? ["0", "1.1", "-2.25", "1e20", "0.0000001", "-3"] : ["0", "1.1", "-2.25", "3", "10.01"]
    return Decimal(string: pick(texts)) ?? 0
  }

  private mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &random)]
  }
}
