import Copal
import CopalTestSupport
import Foundation
import Testing

/// A catalog in plain values. Objects are numbers.
private struct PlainCatalog: Equatable {
  enum Kind: Int, CaseIterable { case album, page, picture, tag, style }

  struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  var kinds: [Int: Kind] = [:]
  /// The pages of each album, in their order.
  var pages: [Int: [Int]] = [:]
  /// The pictures of each album, in their order.
  var pictures: [Int: [Int]] = [:]
  /// Tags and pictures.
  var tags: Set<Pair> = []
  /// Tags and tags, in both directions.
  var related: Set<Pair> = []
  /// Tags and pictures.
  var examples: Set<Pair> = []
  /// The style of each picture.
  var styles: [Int: Int] = [:]

  func all(_ kind: Kind) -> [Int] { kinds.filter { $0.value == kind }.keys.sorted() }

  func album(of page: Int) -> Int? { pages.first { $0.value.contains(page) }?.key }

  /// Removes an object from every list and pair.
  mutating func unlink(_ node: Int) {
    pages[node] = nil
    pictures[node] = nil
    pages = pages.mapValues { $0.filter { $0 != node } }
    pictures = pictures.mapValues { $0.filter { $0 != node } }
    tags = tags.filter { $0.first != node && $0.second != node }
    related = related.filter { $0.first != node && $0.second != node }
    examples = examples.filter { $0.first != node && $0.second != node }
    styles = styles.filter { $0.key != node && $0.value != node }
  }

  /// Without empty lists.
  var compact: PlainCatalog {
    var result = self
    result.pages = pages.filter { !$0.value.isEmpty }
    result.pictures = pictures.filter { !$0.value.isEmpty }
    return result
  }
}

/// Random operations on contexts and on the plain catalog. One context at a time has changes.
private struct CatalogRun {
  let container: PersistentContainer
  let contexts: [ManagedObjectContext]
  var context: ManagedObjectContext
  var random: SplitMix
  var now = PlainCatalog()
  var saved = PlainCatalog()
  var ids: [Int: ManagedObjectID] = [:]
  /// The pictures of each saved tag that was deleted.
  var denied: [Int: Set<Int>] = [:]
  var lastNode = 0
  var held: [ManagedObject] = []
  var log: [String] = []
  var failed = false

  init(_ container: PersistentContainer, seed: UInt64, contexts count: Int) {
    self.container = container
    contexts = (0..<count).map { _ in container.makeContext() }
    context = contexts[0]
    random = SplitMix(seed: seed)
  }

  // MARK: Objects

  func object<T: ManagedObject>(_ node: Int, as type: T.Type = T.self) throws -> T {
    try context.object(with: #require(ids[node]), as: type)
  }

  mutating func pick(_ kind: PlainCatalog.Kind) -> Int? {
    now.all(kind).randomElement(using: &random)
  }

  mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  // MARK: Steps

  mutating func step() throws {
    switch Int.random(in: 0..<30, using: &random) {
    case 0...4: try insert()
    case 5...8: try changePages()
    case 9...12: try changePictures()
    case 13...17: try changeLinks()
    case 18: try setStyle()
    case 19...20: try delete()
    case 21...22: try save()
    case 23: rollback()
    case 24: try refresh()
    case 25:
      log.append("refresh all")
      context.refreshAllObjects()
    case 26:
      log.append("release")
      held = []
      _ = try context.fetch(Tag.self).count
    case 27:
      log.append("hold")
      held = try now.kinds.keys.sorted().filter { $0 % 2 == 0 }.map { try object($0) }
    case 28: try changeContext()
    default: try conflict()
    }
    let problems = context.graphProblems
    if !problems.isEmpty { fail("\(problems)") }
    if chance(4) { try check() } else { try checkOne() }
  }

  private mutating func insert() throws {
    guard let kind = PlainCatalog.Kind.allCases.randomElement(using: &random) else { return }
    lastNode += 1
    let object: ManagedObject =
      switch kind {
      case .album: try context.insert(Album.self, with: ["name": "a"], &random)
      case .page: try context.insert(Page.self, with: ["number": Int64(lastNode)], &random)
      case .picture: try context.insert(Picture.self, with: ["title": "p"], &random)
      case .tag: try context.insert(Tag.self, with: ["name": "t"], &random)
      case .style: try context.insert(Style.self, with: ["name": "s"], &random)
      }
    log.append("insert \(kind) \(lastNode)")
    now.kinds[lastNode] = kind
    ids[lastNode] = object.objectID
  }

  private mutating func changePages() throws {
    guard let album = pick(.album), let page = pick(.page) else { return }
    let pages = try object(album, as: Album.self).pages
    let former = now.album(of: page)
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let isSet = !chance(4)
      log.append("page \(page).album = \(isSet ? "\(album)" : "nil")")
      try object(page, as: Page.self).album = isSet ? object(album) : nil
      if isSet, former == album { return }
      if let former { now.pages[former]?.removeAll { $0 == page } }
      if isSet { now.pages[album, default: []].append(page) }
    case 1:
      log.append("\(album).pages.append \(page)")
      pages.append(try object(page))
      if former == album { return }
      if let former { now.pages[former]?.removeAll { $0 == page } }
      now.pages[album, default: []].append(page)
    case 2:
      let index = Int.random(in: 0...(now.pages[album] ?? []).count, using: &random)
      log.append("\(album).pages.insert \(page) at \(index)")
      pages.insert(try object(page), at: index)
      if let former, former != album { now.pages[former]?.removeAll { $0 == page } }
      now.pages[album] = Self.list(now.pages[album] ?? [], with: [page], before: index)
    case 3: try arrange(album, pages: pages)
    default:
      log.append("\(album).pages.remove \(page)")
      pages.remove(try object(page))
      now.pages[album]?.removeAll { $0 == page }
    }
  }

  private mutating func arrange(_ album: Int, pages: OrderedToMany<Page>) throws {
    let list = now.pages[album] ?? []
    if let i = list.indices.randomElement(using: &random), chance(4) {
      let j = Int.random(in: list.indices, using: &random)
      log.append("\(album).pages.swapAt \(i), \(j)")
      pages.swapAt(i, j)
      now.pages[album]?.swapAt(i, j)
      return
    }
    if chance(2) {
      let offsets = list.indices.filter { _ in Bool.random(using: &random) }
      let index = Int.random(in: 0...list.count, using: &random)
      log.append("\(album).pages.move \(offsets) to \(index)")
      pages.move(fromOffsets: offsets, toOffset: index)
      now.pages[album] = Self.list(list, with: offsets.map { list[$0] }, before: index)
      return
    }
    let new = now.all(.page).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
    log.append("\(album).pages.replaceAll \(new)")
    pages.replaceAll(with: try new.map { try object($0) as Page })
    now.pages = now.pages.mapValues { $0.filter { !new.contains($0) } }
    now.pages[album] = new
  }

  private static func list(_ list: [Int], with new: [Int], before index: Int) -> [Int] {
    let front = list[..<index].filter { !new.contains($0) }
    let back = list[index...].filter { !new.contains($0) }
    return front + new + back
  }

  private mutating func changePictures() throws {
    guard let album = pick(.album), let picture = pick(.picture) else { return }
    let pictures = try object(album, as: Album.self).pictures
    let list = now.pictures[album] ?? []
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      log.append("picture \(picture).albums.insert \(album)")
      try object(picture, as: Picture.self).albums.insert(object(album))
      if !list.contains(picture) { now.pictures[album] = list + [picture] }
    case 1:
      log.append("picture \(picture).albums.remove \(album)")
      try object(picture, as: Picture.self).albums.remove(object(album))
      now.pictures[album] = list.filter { $0 != picture }
    case 2:
      log.append("\(album).pictures.append \(picture)")
      pictures.append(try object(picture))
      if !list.contains(picture) { now.pictures[album] = list + [picture] }
    case 3:
      let index = Int.random(in: 0...list.count, using: &random)
      log.append("\(album).pictures.insert \(picture) at \(index)")
      pictures.insert(try object(picture), at: index)
      now.pictures[album] = Self.list(list, with: [picture], before: index)
    case 4:
      let offsets = list.indices.filter { _ in Bool.random(using: &random) }
      let index = Int.random(in: 0...list.count, using: &random)
      log.append("\(album).pictures.move \(offsets) to \(index)")
      pictures.move(fromOffsets: offsets, toOffset: index)
      now.pictures[album] = Self.list(list, with: offsets.map { list[$0] }, before: index)
    default:
      let new = now.all(.picture).filter { _ in chance(2) }.shuffled(using: &random)
      log.append("\(album).pictures.replaceAll \(new)")
      pictures.replaceAll(with: try new.map { try object($0) as Picture })
      now.pictures[album] = new
    }
  }

  private mutating func changeLinks() throws {
    guard let tag = pick(.tag), let other = pick(.tag), let picture = pick(.picture) else { return }
    let isAdded = Bool.random(using: &random)
    let (pair, back) = (
      PlainCatalog.Pair(first: tag, second: picture), PlainCatalog.Pair(first: other, second: tag)
    )
    log.append("\(isAdded ? "link" : "unlink") \(tag) \(picture) \(other)")
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let pictures = try object(tag, as: Tag.self).pictures
      isAdded ? pictures.insert(try object(picture)) : pictures.remove(try object(picture))
      if isAdded { now.tags.insert(pair) } else { now.tags.remove(pair) }
    case 1:
      let tags = try object(picture, as: Picture.self).tags
      isAdded ? tags.insert(try object(tag)) : tags.remove(try object(tag))
      if isAdded { now.tags.insert(pair) } else { now.tags.remove(pair) }
    case 2:
      let examples = try object(tag, as: Tag.self).examples
      isAdded ? examples.insert(try object(picture)) : examples.remove(try object(picture))
      if isAdded { now.examples.insert(pair) } else { now.examples.remove(pair) }
    default:
      let related = try object(tag, as: Tag.self).related
      isAdded ? related.insert(try object(other)) : related.remove(try object(other))
      for pair in [back, PlainCatalog.Pair(first: tag, second: other)] {
        if isAdded { now.related.insert(pair) } else { now.related.remove(pair) }
      }
    }
  }

  private mutating func setStyle() throws {
    guard let picture = pick(.picture) else { return }
    let style = chance(3) ? nil : pick(.style)
    log.append("\(picture).style = \(style.map(String.init) ?? "nil")")
    try object(picture, as: Picture.self).style = try style.map { try object($0) }
    now.styles[picture] = style
  }

  private mutating func delete() throws {
    guard let node = now.kinds.keys.sorted().randomElement(using: &random) else { return }
    log.append("delete \(node)")
    context.delete(try object(node))
    for gone in [node] + (now.pages[node] ?? []) {
      if now.kinds[gone] == .tag, saved.kinds[gone] != nil {
        denied[gone] = Set(now.tags.filter { $0.first == gone }.map(\.second))
      }
      now.kinds[gone] = nil
    }
    for gone in now.pages[node] ?? [] { now.unlink(gone) }
    now.unlink(node)
  }

  /// Whether the rule `deny` refuses a save.
  private var isDenied: Bool {
    denied.contains { tag, pictures in
      now.kinds[tag] == nil && pictures.contains { now.kinds[$0] != nil }
    }
  }

  private mutating func save() throws {
    log.append("save")
    if isDenied {
      #expect(throws: PersistenceError.self) { try context.save() }
      return
    }
    try context.save()
    try endSave()
  }

  private mutating func endSave() throws {
    for node in now.kinds.keys {
      let id = try #require(ids[node])
      if id.isTemporary { ids[node] = try context.object(with: id).objectID }
    }
    (saved, denied) = (now, [:])
    #expect(!context.hasChanges)
  }

  private mutating func rollback() {
    log.append("rollback")
    context.rollback()
    (now, denied) = (saved, [:])
    #expect(!context.hasChanges)
  }

  /// Undoes the changes of one tag.
  private mutating func refresh() throws {
    guard let tag = saved.all(.tag).randomElement(using: &random) else { return }
    log.append("refresh \(tag)")
    try context.refresh(try object(tag), mergeChanges: false)
    now.kinds[tag] = .tag
    denied[tag] = nil
    func undone(_ new: Set<PlainCatalog.Pair>, _ old: Set<PlainCatalog.Pair>)
      -> Set<PlainCatalog.Pair>
    {
      let isOf = { (pair: PlainCatalog.Pair) in pair.first == tag || pair.second == tag }
      let back = old.filter {
        isOf($0) && now.kinds[$0.first] != nil && now.kinds[$0.second] != nil
      }
      return new.filter { !isOf($0) }.union(back)
    }
    now.tags = undone(now.tags, saved.tags)
    now.related = undone(now.related, saved.related)
    now.examples = undone(now.examples, saved.examples)
  }

  // MARK: Several contexts

  private mutating func changeContext() throws {
    if contexts.count == 1 { return }
    log.append("change context")
    if context.hasChanges, isDenied || chance(2) { rollback() } else { try save() }
    held = []
    context = contexts.randomElement(using: &random) ?? context
    context.refreshAllObjects()
  }

  /// Another context saves while this one has changes.
  private mutating func conflict() throws {
    if contexts.count == 1 || isDenied { return }
    log.append("conflict")
    let other = container.makeContext()
    if let album = try other.fetch(Album.self).randomElement(using: &random) {
      if let page = try other.fetch(Page.self).randomElement(using: &random) {
        album.pages.append(page)
      }
      if let picture = try other.fetch(Picture.self).randomElement(using: &random) {
        album.pictures.insert(picture, at: 0)
      }
    }
    if let tag = try other.fetch(Tag.self).randomElement(using: &random) {
      if chance(3) {
        for picture in Array(tag.pictures) { tag.pictures.remove(picture) }
        other.delete(tag)
      } else if let picture = try other.fetch(Picture.self).randomElement(using: &random) {
        tag.pictures.insert(picture)
        tag.examples.insert(picture)
      }
    }
    try other.save()
    do {
      try context.save()
      for node in now.kinds.keys {
        if let id = ids[node], id.isTemporary { ids[node] = try context.object(with: id).objectID }
      }
    } catch let error as PersistenceError {
      log.append("refused: \(error.causes)")
      context.rollback()
    }
    held = []
    context.refreshAllObjects()
    let fresh = container.makeContext()
    now = try read(fresh)
    (saved, denied) = (now, [:])
    try check()
  }

  // MARK: Checking

  mutating func fail(_ words: String) {
    if failed { return }
    failed = true
    Issue.record("\(words) after:\n\(log.joined(separator: "\n"))")
  }

  /// The catalog as a context has it. Both ends of each relationship must agree.
  private mutating func read(_ context: ManagedObjectContext) throws -> PlainCatalog {
    let nodes = Dictionary(
      ids.map { ($1, $0) }, uniquingKeysWith: { first, second in max(first, second) })
    func node(_ object: ManagedObject) -> Int { nodes[object.objectID] ?? -1 }
    var result = PlainCatalog()
    var mismatches: [String] = []
    for album in try context.fetch(Album.self) {
      result.kinds[node(album)] = .album
      result.pages[node(album)] = album.pages.map(node)
      result.pictures[node(album)] = album.pictures.map(node)
      if album.pages.contains(where: { $0.album !== album }) { mismatches.append("pages") }
    }
    for page in try context.fetch(Page.self) {
      result.kinds[node(page)] = .page
      if let album = page.album, !album.pages.contains(page) { mismatches.append("album") }
    }
    for picture in try context.fetch(Picture.self) {
      result.kinds[node(picture)] = .picture
      if let style = picture.style { result.styles[node(picture)] = node(style) }
      let albums = result.pictures.filter { $0.value.contains(node(picture)) }.keys
      if Set(picture.albums.map(node)) != Set(albums) { mismatches.append("albums") }
    }
    for tag in try context.fetch(Tag.self) {
      result.kinds[node(tag)] = .tag
      for picture in tag.pictures {
        result.tags.insert(.init(first: node(tag), second: node(picture)))
        if !picture.tags.contains(tag) { mismatches.append("tags") }
      }
      for picture in tag.examples {
        result.examples.insert(.init(first: node(tag), second: node(picture)))
      }
      for other in tag.related {
        result.related.insert(.init(first: node(tag), second: node(other)))
      }
      if tag.pictures.count != Array(tag.pictures).count { mismatches.append("count") }
    }
    for picture in try context.fetch(Picture.self) {
      let tags = result.tags.filter { $0.second == node(picture) }.map(\.first)
      if Set(picture.tags.map(node)) != Set(tags) { mismatches.append("pictures") }
    }
    for style in try context.fetch(Style.self) { result.kinds[node(style)] = .style }
    if !mismatches.isEmpty { fail("the ends of \(Set(mismatches).sorted()) disagree") }
    return result.compact
  }

  mutating func check() throws {
    let (found, expected) = (try read(context), now.compact)
    if found == expected { return }
    fail("expected \(expected)\nfound \(found)")
  }

  /// Compares one object, so that the rest stays unread.
  private mutating func checkOne() throws {
    guard let node = now.kinds.keys.sorted().randomElement(using: &random) else { return }
    let object: ManagedObject = try object(node)
    switch object {
    case let album as Album:
      if album.pages.count != (now.pages[node] ?? []).count { fail("pages of \(node)") }
      if album.pictures.count != (now.pictures[node] ?? []).count { fail("pictures of \(node)") }
    case let page as Page:
      let album = try now.album(of: node).map { try self.object($0, as: Album.self) }
      if page.album !== album { fail("album of \(node)") }
    case let tag as Tag:
      for picture in now.all(.picture) {
        let isLinked = now.tags.contains(.init(first: node, second: picture))
        if tag.pictures.contains(try self.object(picture)) != isLinked { fail("tag \(node)") }
      }
    default: break
    }
  }
}

@Suite("Random sequences of links and ordered lists")
struct LinkSequenceTests {
  /// The number of sequences for each store and number of contexts.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_SEQUENCES"].flatMap(UInt64.init) ?? 18

  @Test("contexts and plain values agree after each step", arguments: bothStores, [1, 2, 3])
  func sequences(_ kind: StoreKind, _ contexts: Int) async throws {
    let steps = ProcessInfo.processInfo.environment["COPAL_SEQUENCES"] == nil ? 100 : 200
    for seed in 1...Self.count {
      // Other tests wait for a thread of the same pool.
      await Task.yield()
      let test = try TestStore(kind)
      var run = CatalogRun(try test.catalog(), seed: seed, contexts: contexts)
      do {
        for _ in 0..<steps where !run.failed { try run.step() }
      } catch {
        run.fail("seed \(seed): \(error)")
      }
      if run.failed { return }
      if kind == .sqlite, seed % 10 == 0 {
        #expect(try test.sqlite3("PRAGMA foreign_key_check") == "", "seed \(seed)")
      }
    }
  }
}
