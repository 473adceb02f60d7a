import CopalEssentials
import CopalModel
import CopalStore

/// The objects of a list that is kept up to date, with their places.
struct LiveContents {
  private(set) var list: ResultList
  private(set) var sections: SectionList
  private let order: ResultOrder
  private let isDivided: Bool
  private let limit: Int?
  /// Whether the list has all objects of the query. Otherwise it has the first ones.
  private var isComplete: Bool
  /// The entries of all objects. Only of those that are judged in memory.
  private var entries: [ObjectIdentifier: ResultEntry] = [:]
  /// The positions of all objects, if they are not judged in memory.
  private var positions: [ObjectIdentifier: Int] = [:]

  /// - Parameter objects: what the store has found, in its order.
  init(_ objects: [ManagedObject], _ query: LiveQuery) throws {
    var all = objects.map(query.entry)
    // The store sorts by its own values, and the list shows those of the context: others are in
    // conflict, or not merged yet.
    if let isBefore = query.isBefore,
      zip(all, all.dropFirst()).contains(where: { isBefore($1, $0) })
    {
      all.sort(by: isBefore)
    }
    list = ResultList(sorted: all)
    (order, isDivided, limit) = (query.order, query.isDivided, query.limit)
    isComplete = query.request.limit.map { objects.count < $0 } ?? true
    let visible = query.isJudgedInMemory ? all.prefix(limit ?? all.count) : all[...]
    do {
      sections = try SectionList(visible, isDivided: isDivided)
    } catch {
      throw Self.error(query)
    }
    if query.isJudgedInMemory {
      for entry in all { entries[ObjectIdentifier(entry.object)] = entry }
    } else {
      for (position, entry) in all.enumerated() {
        positions[ObjectIdentifier(entry.object)] = position
      }
    }
  }

  private static func error(_ query: LiveQuery) -> PersistenceError {
    PersistenceError(.sectionPath, entity: query.entityName, property: query.sectionPath)
  }

  /// The number of visible objects.
  var count: Int { min(list.count, limit ?? list.count) }

  /// The position of an object; nil when it is not visible.
  func position(of object: ManagedObject) -> Int? {
    let id = ObjectIdentifier(object)
    let position = entries[id].map { list.position(of: $0, order) } ?? positions[id]
    return position.flatMap { $0 < count ? $0 : nil }
  }

  // MARK: Judging in memory

  /// An object that a turn has changed, and its entry now; nil when it is not in the list any more.
  typealias Judgment = (object: ManagedObject, entry: ResultEntry?)

  /// Takes objects in or out that a turn has changed, or moves them.
  ///
  /// It calls no function of an object, which could ask for the list.
  ///
  /// - Parameter released: receives what the list no longer has: a deinit may ask for the list,
  ///   too.
  /// - Returns: nil when more objects of the store are needed. Then nothing has changed, as after
  ///   an error.
  mutating func apply(
    _ judgments: [Judgment], _ query: LiveQuery, released: inout [ResultEntry]
  ) throws -> ResultsChange? {
    var kept: [ResultEntry] = []
    var changed: [(former: ResultEntry?, entry: ResultEntry?)] = []
    for judgment in judgments {
      let former = entries[ObjectIdentifier(judgment.object)]
      if let former, let entry = judgment.entry, former.isAtSamePlace(as: entry) {
        kept.append(former)
      } else if former != nil || judgment.entry != nil {
        changed.append((former, judgment.entry))
      }
    }
    // Copies share their chunks until one changes.
    let (before, former) = (count, (list: list, sections: sections))
    var isDone = false
    defer { if !isDone { restore(former.list, former.sections, changed) } }
    var places = changed.map { change in
      (before: change.former.map { list.position(of: $0, order) }, after: Int?.none)
    }
    for change in changed {
      if let former = change.former { remove(former) }
    }
    for change in changed {
      if let entry = change.entry { insertIfKnown(entry) }
    }
    if !isComplete, list.count < limit ?? 0 { return nil }
    for (index, change) in changed.enumerated() {
      guard let entry = change.entry, entries[ObjectIdentifier(entry.object)] != nil else {
        continue
      }
      places[index].after = list.position(of: entry, order)
    }
    var difference = ListDifference(of: places, before: before, after: count) { index in
      changed[index].former?.section != changed[index].entry?.section
    }
    // Others may have made room for it.
    let inserted = Set(difference.inserted)
    difference.updated += kept.map { list.position(of: $0, order) }.filter {
      $0 < count && !inserted.contains($0)
    }
    difference.updated = difference.updated.inOrder()
    let change = try divide(difference, former.sections, query)
    isDone = true
    released = changed.compactMap(\.former) + forgetManyInvisible()
    return change
  }

  private mutating func restore(
    _ list: ResultList, _ sections: SectionList,
    _ changed: [(former: ResultEntry?, entry: ResultEntry?)]
  ) {
    (self.list, self.sections) = (list, sections)
    for change in changed {
      guard let object = (change.former ?? change.entry)?.object else { continue }
      entries[ObjectIdentifier(object)] = change.former
    }
  }

  private mutating func remove(_ entry: ResultEntry) {
    list.remove(entry, order)
    entries[ObjectIdentifier(entry.object)] = nil
  }

  /// Puts an entry in, unless it is behind the first objects of the query, which the list has.
  private mutating func insertIfKnown(_ entry: ResultEntry) {
    if !isComplete, list.last.map({ order.isBefore($0, entry) }) ?? true { return }
    list.insert(entry, order)
    entries[ObjectIdentifier(entry.object)] = entry
  }

  /// With a limit, the list does not grow for ever.
  private mutating func forgetManyInvisible() -> [ResultEntry] {
    guard let limit, list.count > 3 * limit + 1000 else { return [] }
    let forgotten = list.removeLast(from: 2 * limit + 500)
    for entry in forgotten { entries[ObjectIdentifier(entry.object)] = nil }
    isComplete = false
    return forgotten
  }

  private mutating func divide(
    _ difference: ListDifference, _ former: SectionList, _ query: LiveQuery
  ) throws -> ResultsChange {
    var change = ResultsChange()
    let removed = (difference.deleted + difference.moves.map(\.from)).inOrder()
    let inserted = (difference.inserted + difference.moves.map(\.to)).inOrder()
    do {
      (change.deletedSections, change.insertedSections) = try sections.change(
        removing: removed, inserting: inserted.map { ($0, list[$0].section) })
    } catch {
      throw Self.error(query)
    }
    change.set(difference, former, sections)
    return change
  }

  // MARK: Fetching again

  /// The difference to former contents.
  func difference(from former: LiveContents) -> ResultsChange {
    let (before, after) = (Array(former.list.prefix(former.count)), Array(list.prefix(count)))
    let difference = ListDifference(
      from: before.map(\.object.key), to: after.map(\.object.key)
    ) { before[$0].section != after[$1].section }
    var change = ResultsChange()
    change.set(difference, former.sections, sections)
    if isDivided {
      change.deletedSections = former.sections.indices(besides: sections)
      change.insertedSections = sections.indices(besides: former.sections)
    }
    return change
  }

  /// The objects that a turn has changed, and that are where they were.
  func updates(_ turn: TurnChanges) -> ResultsChange {
    var change = ResultsChange()
    noteUpdates(turn, in: &change)
    return change
  }

  /// Adds the objects that a turn has changed, unless they are new or have moved.
  func noteUpdates(_ turn: TurnChanges, in change: inout ResultsChange) {
    let others = Set(change.inserted).union(change.moves.map(\.to))
    change.updated = turn.entries.values.compactMap { entry in
      if entry.kind == .none || entry.kind == .inserted { return nil }
      guard let place = position(of: entry.object).map(sections.place), !others.contains(place)
      else { return nil }
      return place
    }.inOrder()
  }
}

extension ResultEntry {
  /// Whether another entry of the same object has the same place and section.
  func isAtSamePlace(as other: ResultEntry) -> Bool {
    forms == other.forms && section == other.section
  }
}

extension ResultsChange {
  /// Sets the positions of a difference.
  fileprivate mutating func set(
    _ difference: ListDifference, _ before: SectionList, _ after: SectionList
  ) {
    deleted = difference.deleted.map(before.place)
    inserted = difference.inserted.map(after.place)
    updated = difference.updated.map(after.place)
    for move in difference.moves {
      let (from, to) = (before.place(of: move.from), after.place(of: move.to))
      if from == to {
        // Others have come or gone before it.
        deleted.append(from)
        inserted.append(to)
      } else {
        moves.append(Move(from: from, to: to))
      }
    }
    deleted = deleted.inOrder()
    inserted = inserted.inOrder()
  }
}

extension SectionList {
  /// The positions of the sections that another list does not have.
  fileprivate func indices(besides other: SectionList) -> [Int] {
    let values = Set(other.sections.map(\.value))
    return sections.indices.filter { !values.contains(sections[$0].value) }
  }
}
