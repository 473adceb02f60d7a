import CopalModel
import CopalStore

/// The sections of a list: of each one its value, and the number of its objects.
struct SectionList {
  /// A section.
  struct Section {
    let value: PropertyValue
    var count: Int
  }

  private(set) var sections: [Section] = []
  /// The values of all sections; nil for a list that is not divided. Such a list has one section,
  /// also when it is empty.
  private var values: Set<PropertyValue>?

  /// The sections of some entries in their order.
  ///
  /// - Throws: the two values, when a section does not end where another one begins.
  init(_ entries: some Sequence<ResultEntry>, isDivided: Bool) throws(SectionProblem) {
    guard isDivided else {
      sections = [Section(value: .null, count: entries.reduce(0) { count, _ in count + 1 })]
      return
    }
    var values: Set<PropertyValue> = []
    for entry in entries {
      if let last = sections.last, last.value == entry.section {
        sections[sections.count - 1].count += 1
        continue
      }
      guard values.insert(entry.section).inserted else {
        throw SectionProblem()
      }
      sections.append(Section(value: entry.section, count: 1))
    }
    self.values = values
  }

  /// The place of a position of the list.
  func place(of position: Int) -> ResultsPosition {
    var rest = position
    for (index, section) in sections.enumerated() {
      if rest < section.count { return ResultsPosition(section: index, item: rest) }
      rest -= section.count
    }
    return ResultsPosition(section: sections.count, item: rest)
  }

  /// The position in the list of a place; nil when there is none.
  func position(of place: ResultsPosition) -> Int? {
    guard sections.indices.contains(place.section), place.item >= 0,
      place.item < sections[place.section].count
    else { return nil }
    return sections[..<place.section].reduce(place.item) { $0 + $1.count }
  }

  /// Takes objects out and puts others in.
  ///
  /// - Parameters:
  ///   - removed: positions before, in ascending order.
  ///   - inserted: positions after, in ascending order, with the values of the sections.
  /// - Returns: the sections that have ended, by their positions before, and the new ones, by their
  ///   positions after.
  mutating func change(
    removing removed: [Int], inserting inserted: [(position: Int, section: PropertyValue)]
  ) throws(SectionProblem) -> (deleted: [Int], inserted: [Int]) {
    guard var values else {
      sections[0].count += inserted.count - removed.count
      return ([], [])
    }
    var counts = 0
    var index = 0
    var taken = sections
    for position in removed {
      while position >= counts + sections[index].count {
        counts += sections[index].count
        index += 1
      }
      taken[index].count -= 1
    }
    let emptied = taken.indices.filter { taken[$0].count == 0 }
    for index in emptied { values.remove(taken[index].value) }
    if !emptied.isEmpty { taken.removeAll { $0.count == 0 } }

    var new: [Int] = []
    (counts, index) = (0, 0)
    for (position, value) in inserted {
      // The section of the object before, or the first one.
      while index < taken.count, position > counts + taken[index].count {
        counts += taken[index].count
        index += 1
      }
      if index < taken.count, taken[index].value == value {
        taken[index].count += 1
        continue
      }
      let isAtEnd = index == taken.count || position == counts + taken[index].count
      if isAtEnd, index + 1 < taken.count, taken[index + 1].value == value {
        counts += taken[index].count
        index += 1
        taken[index].count += 1
        continue
      }
      guard isAtEnd || position == counts, values.insert(value).inserted else {
        throw SectionProblem()
      }
      if isAtEnd, index < taken.count {
        counts += taken[index].count
        index += 1
      }
      taken.insert(Section(value: value, count: 1), at: index)
      new.append(index)
    }
    let returned = Set(new.map { taken[$0].value })
    let former = Set(emptied.map { sections[$0].value })
    let deleted = emptied.filter { !returned.contains(sections[$0].value) }
    new.removeAll { former.contains(taken[$0].value) }
    (sections, self.values) = (taken, values)
    return (deleted, new)
  }
}

/// Two sections that go back and forth along the order of a list.
struct SectionProblem: Error {}
