import Copal
import CopalFoundation
import Foundation

/// Predicates of works: of their attributes, and of the objects of their relationships.
enum WorkCases {
  static let all =
    comparisons() + values() + texts() + arithmetic() + optionals() + lists() + paths()

  private static func comparisons() -> [Case<Work>] {
    var cases = Cases<Work>()
    let (title, price): (String, Decimal) = ("Boats", 20)
    cases.same("==", #Predicate { $0.title == title }) { $0.title == title }
    cases.same("!=", #Predicate { $0.title != title }) { $0.title != title }
    cases.same("<", #Predicate { $0.price < price }) { $0.price < price }
    cases.same("<=", #Predicate { $0.price <= price }) { $0.price <= price }
    cases.same(">", #Predicate { $0.price > price }) { $0.price > price }
    cases.same(">=", #Predicate { $0.price >= price }) { $0.price >= price }
    cases.same("a literal", #Predicate { $0.year > 1881 }) { $0.year > 1881 }
    cases.same("a negative literal", #Predicate { $0.year > -1 }) { $0.year > -1 }
    cases.same("a constant on the left", #Predicate { 1881 < $0.year }) { $0.year > 1881 }
    cases.same("== nil", #Predicate { $0.code == nil }) { $0.code == nil }
    cases.same("!= nil", #Predicate { $0.code != nil }) { $0.code != nil }
    cases.same("an optional ==", #Predicate { $0.code == "B1" }) { $0.code == "B1" }
    cases.same("an optional !=", #Predicate { $0.code != "B1" }) { $0.code != "B1" }
    let none: String? = nil
    cases.same("a nil variable", #Predicate { $0.code == none }) { $0.code == none }
    cases.same("two attributes", #Predicate { $0.code == $0.primitiveNote }) { $0.code == $0.note }
    cases.same("&&", #Predicate { $0.price < price && $0.title != title }) {
      $0.price < price && $0.title != title
    }
    cases.same("three joined", #Predicate { $0.isSold && $0.price < price && $0.code == nil }) {
      $0.isSold == true && $0.price < price && $0.code == nil
    }
    cases.same("||", #Predicate { $0.price < price || $0.title == title }) {
      $0.price < price || $0.title == title
    }
    cases.same("!", #Predicate { !($0.price < price) }) { !($0.price < price) }
    cases.same("always", #Predicate { _ in true }) { _ in .constant(true) }
    cases.same("constants", #Predicate { $0.title == title && price < 30 }) { $0.title == title }
    return cases.all
  }

  private static func values() -> [Case<Work>] {
    var cases = Cases<Work>()
    let (day, number, page, scan) = (World.day, World.number, World.page, World.scan)
    let tempera = Work.Technique.tempera
    cases.same("a Bool", #Predicate { $0.isSold }) { $0.isSold == true }
    cases.same("not a Bool", #Predicate { !$0.isSold }) { !($0.isSold == true) }
    cases.same("a Bool ==", #Predicate { $0.isSold == false }) { $0.isSold == false }
    cases.same("a Date", #Predicate { $0.due == day }) { $0.due == day }
    cases.same("a UUID", #Predicate { $0.number == number }) { $0.number == number }
    cases.same("a URL", #Predicate { $0.page == page }) { $0.page == page }
    cases.same("Data", #Predicate { $0.scan == scan }) { $0.scan == scan }
    cases.same("a Double", #Predicate { $0.weight == 2.5 }) { $0.weight == 2.5 }
    cases.same("an enum", #Predicate { $0.technique == tempera }) { $0.technique == .tempera }
    cases.equal("a raw value", #Predicate { $0.technique.rawValue == "tempera" }) {
      $0.technique == .tempera
    }
    cases.same("a custom accessor", #Predicate { $0.primitiveNote == "wet" }) { $0.note == "wet" }
    return cases.all
  }

  private static func texts() -> [Case<Work>] {
    var cases = Cases<Work>()
    cases.same("contains", #Predicate { $0.title.contains("oa") }) { $0.title.contains("oa") }
    cases.same("starts", #Predicate { $0.title.starts(with: "Bo") }) { $0.title.hasPrefix("Bo") }
    cases.same("without case", #Predicate { $0.title.localizedStandardContains("eze") }) {
      $0.title.contains("eze", [.caseInsensitive, .diacriticInsensitive])
    }
    cases.equal("an optional text", #Predicate { $0.code?.contains("B") == true }) {
      $0.code.contains("B")
    }
    cases.equal("the opposite", #Predicate { $0.code?.contains("B") == false }) {
      $0.code != nil && !$0.code.contains("B")
    }
    cases.equal("an optional text != true", #Predicate { $0.code?.contains("B") != true }) {
      !$0.code.contains("B")
    }
    cases.same("two attributes", #Predicate { $0.title.contains($0.title) }) {
      $0.title.contains($0.title)
    }
    let text = "The Boats of Eze"
    cases.equal("a constant contains", #Predicate { text.contains($0.title) }) {
      $0.title.isIn(["Boats", ""])
    }
    cases.same("count", #Predicate { $0.title.count > 5 }) { $0.title.count > 5 }
    cases.same("isEmpty", #Predicate { $0.title.isEmpty }) { $0.title == "" }
    cases.same("an optional count", #Predicate { ($0.code?.count ?? 0) > 1 }) {
      ($0.code.count ?? 0) > 1
    }
    return cases.all
  }

  private static func arithmetic() -> [Case<Work>] {
    var cases = Cases<Work>()
    cases.same("+", #Predicate { $0.price + 1 > 20 }) { $0.price + 1 > 20 }
    cases.same("-", #Predicate { $0.price - 1 > 20 }) { $0.price - 1 > 20 }
    cases.same("*", #Predicate { $0.price * 2 > 20 }) { $0.price * 2 > 20 }
    cases.same("/ of integers", #Predicate { $0.year / 100 == 18 }) { $0.year / 100 == 18 }
    cases.same("%", #Predicate { $0.year % 10 == 2 }) { $0.year % 10 == 2 }
    cases.same("/ of doubles", #Predicate { ($0.weight ?? 1) / 2 > 1 }) {
      ($0.weight ?? 1) / 2 > 1
    }
    cases.same("-x", #Predicate { -$0.year < -1881 }) { -$0.year < -1881 }
    cases.equal("a division by zero", #Predicate { $0.year / 0 == 1 }, evaluates: false) { _ in
      .constant(false)
    }
    let zero = 0
    cases.equal(
      "constants that cannot be divided", #Predicate { $0.year > 1 / zero }, evaluates: false
    ) { _ in
      .constant(false)
    }
    let large = Int.max
    cases.equal("constants that overflow", #Predicate { $0.year < large + 1 }, evaluates: false) {
      _ in
      .constant(false)
    }
    return cases.all
  }

  private static func optionals() -> [Case<Work>] {
    var cases = Cases<Work>()
    let day = World.day
    let codes: [String?] = ["B1", nil]
    cases.same("??", #Predicate { ($0.weight ?? 0) > 1 }) { ($0.weight ?? 0) > 1 }
    // swift-format-ignore: NeverForceUnwrap
    cases.equal("!", #Predicate { $0.weight! > 1 }, evaluates: false) { $0.weight > 1 }
    cases.same("if let", #Predicate { if let due = $0.due { due <= day } else { false } }) {
      $0.due <= day
    }
    cases.equal("if let else", #Predicate { if let due = $0.due { due < day } else { true } }) {
      $0.due == nil || $0.due < day
    }
    cases.same("flatMap", #Predicate { $0.weight.flatMap { $0 > 1 } ?? false }) { $0.weight > 1 }
    cases.equal("flatMap == nil", #Predicate { $0.weight.flatMap { $0 * 2 } == nil }) {
      $0.weight == nil
    }
    cases.equal(
      "flatMap that returns nil",
      #Predicate { work in work.weight.flatMap { _ in work.code } == nil }
    ) { $0.weight == nil || $0.code == nil }
    cases.equal(
      "flatMap that returns nil, with ??",
      #Predicate { work in (work.weight.flatMap { _ in work.code } ?? "B1") == "B1" }
    ) { $0.weight == nil || $0.code == nil || $0.code == "B1" }
    cases.equal(
      "flatMap and an attribute",
      #Predicate { work in work.weight.flatMap { _ in work.code } == work.primitiveNote }
    ) { ($0.weight != nil && $0.code == $0.note) || ($0.weight == nil && $0.note == nil) }
    cases.equal(
      "flatMap and a list",
      #Predicate { work in codes.contains(work.weight.flatMap { _ in work.code }) }
    ) { $0.weight == nil || $0.code == nil || $0.code == "B1" }
    cases.equal("a constant in flatMap", #Predicate { $0.weight.flatMap { _ in 5 } == 5 }) {
      $0.weight != nil
    }
    cases.equal(
      "a Bool in flatMap", #Predicate { ($0.artist.flatMap { $0.prizes == 2 } ?? true) == true }
    ) { $0.artist == nil || $0.artist.prizes == 2 }
    cases.equal("an optional Bool", #Predicate { $0.isLoan ?? false }) { $0.isLoan == true }
    cases.same("an optional Bool ==", #Predicate { $0.isLoan == true }) { $0.isLoan == true }
    cases.equal("a conditional", #Predicate { ($0.isSold ? $0.year : 5) > 10 }) {
      $0.isSold == true && $0.year > 10
    }
    cases.equal("a conditional of Bools", #Predicate { $0.isSold ? $0.year > 10 : $0.price > 9 }) {
      ($0.isSold == true && $0.year > 10) || ($0.isSold != true && $0.price > 9)
    }
    cases.equal("a Bool == a Bool", #Predicate { ($0.year > 10) == $0.isSold }) {
      ($0.year > 10 && $0.isSold == true) || (!($0.year > 10) && $0.isSold == false)
    }
    return cases.all
  }

  private static func lists() -> [Case<Work>] {
    var cases = Cases<Work>()
    let (titles, years): ([String], Set<Int>) = (["Boats", "Head"], [1880, 1901])
    let codes: [String?] = ["X", nil]
    let nothing: [String] = []
    let prefixes = ["Bo", "He"]
    cases.same("an array", #Predicate { titles.contains($0.title) }) { $0.title.isIn(titles) }
    cases.equal("a set", #Predicate { years.contains($0.year) }) { $0.year.isIn(years) }
    cases.same("nothing", #Predicate { nothing.contains($0.title) }) { $0.title.isIn([]) }
    cases.equal("with nil", #Predicate { codes.contains($0.code) }) {
      $0.code == "X" || $0.code == nil
    }
    cases.same("a closed range", #Predicate { (1880...1882).contains($0.year) }) {
      $0.year.isIn(1880...1882)
    }
    cases.same("a range", #Predicate { (1880..<1882).contains($0.year) }) {
      $0.year.isIn(1880..<1882)
    }
    let (closed, upTo, from) = (1880...1882, ..<1882, 1881...)
    cases.same("a range variable", #Predicate { closed.contains($0.year) }) { $0.year.isIn(closed) }
    cases.same("up to", #Predicate { upTo.contains($0.year) }) { $0.year.isIn(upTo) }
    cases.same("from", #Predicate { from.contains($0.year) }) { $0.year.isIn(from) }
    cases.equal(
      "any of a list", #Predicate { work in prefixes.contains { work.title.starts(with: $0) } }
    ) {
      $0.title.hasPrefix("Bo") || $0.title.hasPrefix("He")
    }
    cases.equal(
      "all of a list", #Predicate { work in titles.allSatisfy { $0 != work.title } }
    ) { !$0.title.isIn(titles) }
    cases.equal("a filtered list", #Predicate { years.filter { $0 > 1880 }.contains($0.year) }) {
      $0.year == 1901
    }
    cases.equal("its count", #Predicate { $0.year > years.filter { $0 > 1880 }.count }) {
      $0.year > 1
    }
    let names = ["b": "Boats"]
    cases.equal("a dictionary", #Predicate { $0.title == names["b"] ?? "" }) { $0.title == "Boats" }
    cases.equal("an element", #Predicate { $0.title == titles[1] }) { $0.title == "Head" }
    cases.equal("the greatest", #Predicate { $0.title == titles.max() ?? "" }) {
      $0.title == "Head"
    }
    return cases.all
  }

  private static func paths() -> [Case<Work>] {
    var cases = Cases<Work>()
    cases.same("a path", #Predicate { $0.artist?.name == "Berthe" }) { $0.artist.name == "Berthe" }
    cases.same("a path !=", #Predicate { $0.artist?.name != "Berthe" }) {
      $0.artist.name != "Berthe"
    }
    cases.same("a long path", #Predicate { $0.artist?.teacher?.name == "Berthe" }) {
      $0.artist.teacher.name == "Berthe"
    }
    cases.same("a path is nil", #Predicate { $0.artist?.born == nil }) { $0.artist.born == nil }
    cases.same("no object", #Predicate { $0.artist == nil }) { $0.artist == nil }
    cases.same("an object", #Predicate { $0.artist != nil }) { $0.artist != nil }
    // swift-format-ignore: NeverForceUnwrap
    cases.equal("an unwrapped path", #Predicate { $0.artist!.name == "Berthe" }, evaluates: false) {
      $0.artist.name == "Berthe"
    }
    cases.equal("a path with flatMap", #Predicate { $0.artist.flatMap { $0.prizes > 1 } ?? false })
    {
      $0.artist.prizes > 1
    }
    cases.equal(
      "a collection at the end of a path", #Predicate { ($0.artist?.works.count ?? 0) > 1 }
    ) { $0.artist.prizes == 2 }
    return cases.all
  }
}
