import Copal
import CopalFoundation
import Foundation

/// Predicates of to-many relationships, and of classes.
enum ArtistCases {
  static let all = collections() + nested()

  private static func collections() -> [Case<Artist>] {
    var cases = Cases<Artist>()
    let price: Decimal = 15
    cases.same("contains", #Predicate { $0.works.contains { $0.price > price } }) {
      $0.works.contains { $0.price > price }
    }
    cases.same("allSatisfy", #Predicate { $0.works.allSatisfy { $0.price > price } }) {
      $0.works.allSatisfy { $0.price > price }
    }
    cases.same("count", #Predicate { $0.works.count > 1 }) { $0.works.count > 1 }
    cases.same("isEmpty", #Predicate { $0.works.isEmpty }) { $0.works.isEmpty }
    cases.same("filter", #Predicate { $0.works.filter { $0.price > price }.count == 2 }) {
      $0.works.filter { $0.price > price }.count == 2
    }
    cases.same("filter isEmpty", #Predicate { $0.works.filter { $0.price > price }.isEmpty }) {
      $0.works.filter { $0.price > price }.isEmpty
    }
    cases.same("ordered", #Predicate { $0.favorites.contains { $0.isSold } }) {
      $0.favorites.contains { $0.isSold == true }
    }
    cases.same("ordered count", #Predicate { $0.favorites.count == 2 }) { $0.favorites.count == 2 }
    cases.same("ordered isEmpty", #Predicate { $0.favorites.isEmpty }) { $0.favorites.isEmpty }
    cases.same("not contains", #Predicate { !$0.works.contains { $0.code == nil } }) {
      !$0.works.contains { $0.code == nil }
    }
    return cases.all
  }

  private static func nested() -> [Case<Artist>] {
    var cases = Cases<Artist>()
    cases.same(
      "the outer object",
      #Predicate { artist in artist.works.contains { $0.price > artist.budget } }
    ) { artist in artist.works.contains { $0.price > artist.budget } }
    cases.same(
      "two levels",
      #Predicate { artist in
        artist.works.contains { work in
          artist.favorites.contains { $0.price < work.price }
        }
      }
    ) { artist in
      artist.works.contains { work in artist.favorites.contains { $0.price < work.price } }
    }
    cases.equal(
      "an unwrapped value inside a closure",
      #Predicate { artist in
        if let born = artist.born {
          artist.works.contains { $0.due.flatMap { $0 == born } ?? false }
        } else {
          false
        }
      }
    ) { artist in artist.works.contains { $0.due == artist.born && $0.due != nil } }
    cases.equal(
      "an object that is an outer one",
      #Predicate { artist in
        artist.favorites.contains { $0.artist.flatMap { $0.objectID == artist.objectID } ?? false }
      }
    ) { artist in artist.favorites.contains { $0.artist.name == artist.name } }
    cases.same("a path of works", #Predicate { $0.works.contains { $0.frame?.kind == "oak" } }) {
      $0.works.contains { $0.frame.kind == "oak" }
    }
    cases.equal("a class of works", #Predicate { $0.works.contains { $0 is Sculpture } }) {
      $0.works.contains { $0.isKind(of: Sculpture.self) }
    }
    return cases.all
  }
}

/// Predicates of subentities.
enum ClassCases {
  static let works = ofWorks()
  static let sculptures = ofSculptures()

  private static func ofWorks() -> [Case<Work>] {
    var cases = Cases<Work>()
    cases.same("is", #Predicate { $0 is Sculpture }) { $0.isKind(of: Sculpture.self) }
    cases.same("is not", #Predicate { !($0 is Sculpture) }) { !$0.isKind(of: Sculpture.self) }
    cases.same("as?", #Predicate { ($0 as? Sculpture)?.material == "wood" }) {
      $0.as(Sculpture.self).material == "wood"
    }
    cases.same("as? !=", #Predicate { ($0 as? Sculpture)?.material != "wood" }) {
      $0.as(Sculpture.self).material != "wood"
    }
    cases.equal("as? == nil", #Predicate { ($0 as? Sculpture) == nil }) {
      !$0.isKind(of: Sculpture.self)
    }
    // swift-format-ignore: NeverForceUnwrap
    cases.equal("as!", #Predicate { ($0 as! Sculpture).material == "wood" }, evaluates: false) {
      $0.as(Sculpture.self).material == "wood"
    }
    cases.equal(
      "if let as?",
      #Predicate {
        if let sculpture = $0 as? Sculpture { sculpture.year > 1900 } else { false }
      }
    ) { $0.isKind(of: Sculpture.self) && $0.year > 1900 }
    cases.same("as? nil", #Predicate { ($0 as? Sculpture)?.pedestal != nil }) {
      $0.as(Sculpture.self).pedestal != nil
    }
    return cases.all
  }

  private static func ofSculptures() -> [Case<Sculpture>] {
    var cases = Cases<Sculpture>()
    cases.same("an own attribute", #Predicate { $0.height == nil }) { $0.height == nil }
    cases.same("an inherited attribute", #Predicate { $0.title == "Torso" }) { $0.title == "Torso" }
    cases.same("an inherited object", #Predicate { $0.artist?.name == "Anna" }) {
      $0.artist.name == "Anna"
    }
    return cases.all
  }
}
