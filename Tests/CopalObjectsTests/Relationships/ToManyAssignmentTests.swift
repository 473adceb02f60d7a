import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Assigning to-many relationships")
struct ToManyAssignmentTests {
  private func tags(_ count: Int, _ context: ManagedObjectContext) -> [Tag] {
    (0..<count).map { Tag(context: context, name: "\($0)") }
  }

  @Test("an assignment makes the given objects the only ones", arguments: StoreKind.allCases)
  func assignment(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.catalog, transformers: [])
    let context = container.makeContext()
    let all = tags(4, context)
    let picture = Picture(context: context, title: "Woad")
    picture.tags = [all[0], all[1], all[1]]
    #expect(Set(picture.tags) == [all[0], all[1]])
    try context.save()
    picture.tags = ToMany(Set([all[1], all[2]]))
    #expect(all.map(\.pictures.count) == [0, 1, 1, 0])
    try context.save()
    let other = container.makeContext()
    let read = try #require(try other.first(Picture.self))
    #expect(Set(read.tags.map(\.name)) == ["1", "2"])
    // To itself, and to the same objects, changes nothing.
    picture.tags = picture.tags
    picture.tags = ToMany(picture.tags.reversed())
    #expect(!context.hasChanges)
    picture.tags = []
    #expect(picture.tags.isEmpty && all[1].pictures.isEmpty)
  }

  @Test(
    "the members of another object move where the inverse is to-one", arguments: StoreKind.allCases)
  func moving(_ kind: StoreKind) throws {
    let context = try TestStore(kind).container(.catalog, transformers: []).makeContext()
    let (first, second) = (Album(context: context, name: "a"), Album(context: context, name: "b"))
    let pages = (0..<3).map { Page(context: context, number: Int64($0)) }
    first.pages = [pages[2], pages[0]]
    #expect(first.pages.map(\.number) == [2, 0])
    second.pages = OrderedToMany(first.pages + [pages[1]])
    #expect(first.pages.isEmpty)
    #expect(second.pages.map(\.number) == [2, 0, 1])
    // A view is live, and what was assigned is not.
    let (live, list): (_, OrderedToMany<Page>) = (second.pages, [pages[1]])
    second.pages = list
    pages[0].album = second
    #expect(live.map(\.number) == [1, 0] && list.map(\.number) == [1])
  }

  @Test("assignments of random lists agree with arrays", arguments: StoreKind.allCases)
  func random(_ kind: StoreKind) throws {
    var random = SplitMix(seed: 48)
    let container = try TestStore(kind).container(.catalog, transformers: [])
    let context = container.makeContext()
    let pictures = (0..<8).map { Picture(context: context, title: "\($0)") }
    let albums = ["a", "b"].map { Album(context: context, name: $0) }
    var expected: [[Picture]] = [[], []]
    for round in 0..<60 {
      let album = Int.random(in: 0..<2, using: &random)
      var list = pictures.shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random))
      if Bool.random(using: &random) { list = ArraySlice(expected[album].reversed()) }
      albums[album].pictures = OrderedToMany(list)
      expected[album] = Array(list)
      if round.isMultiple(of: 3) { try context.save() }
      #expect(albums.map { Array($0.pictures) } == expected)
      for picture in pictures {
        #expect(
          Set(picture.albums)
            == Set(albums.indices.filter { expected[$0].contains(picture) }.map { albums[$0] }))
      }
    }
    try context.save()
    let other = container.makeContext()
    let read = try other.fetch(Album.self, sortedBy: \.name.ascending)
    #expect(read.map { $0.pictures.map(\.title) } == expected.map { $0.map(\.title) })
  }

  @Test("a list without an owner has its objects, and cannot be changed")
  func list() async throws {
    let context = try TestStore(.memory).container(.catalog, transformers: []).makeContext()
    let all = tags(3, context)
    let list: ToMany<Tag> = [all[2], all[0]]
    #expect(list.count == 2 && !list.isEmpty && list[1] === all[0] && list.first === all[2])
    #expect(list.contains(all[2]) && !list.contains(all[1]))
    #expect(list.map(\.name) == ["2", "0"] && list.firstIndex(of: all[0]) == 1)
    try list.load()
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).container(.catalog, transformers: []).makeContext()
      let tag = Tag(context: context, name: "x")
      let list: ToMany<Tag> = [tag]
      list.insert(tag)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("a list of objects without an owner was changed"))
  }
}
