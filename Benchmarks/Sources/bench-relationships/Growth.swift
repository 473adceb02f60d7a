import BenchKit
import Copal
import RelationshipModel

// Work whose cost must grow only with its result and its changes; see `RelationshipGrowth`.

/// Makes a file and closes it, so that all programs start in the same state.
func fill(_ content: RelationshipGrowth.Content, _ size: Int, _ file: String) throws {
  if content == .oneFamily { try makeOneFamily(size, in: open(file)) }
}

/// One parent with all children.
private func makeOneFamily(_ size: Int, in container: PersistentContainer) throws {
  let context = container.makeContext()
  let rows = Row.make(size)
  let parent = makeParent(rows[0], rank: 0, in: context)
  for row in rows { makeChild(row, in: context).parent = parent }
  try context.save()
}

/// Measures work of many units.
///
/// - Parameter work: returns how many units it has done before the time ran out, and a number to
///   compare.
private func measure(_ units: Int, _ work: () throws -> (done: Int, found: Int)) throws
  -> GrowthMeasurement
{
  let start = Measurement.cpuSeconds()
  let (done, found) = try work()
  var measured = GrowthMeasurement(
    cpuMilliseconds: (Measurement.cpuSeconds() - start) * 1000, units: done,
    isStopped: done < units)
  measured.checksum = UInt64(found)
  return measured
}

/// Does the units one by one, unless the time runs out.
///
/// - Returns: how many were done.
private func each(_ units: Int, _ budget: Budget, _ unit: (Int) throws -> Void) rethrows -> Int {
  for number in 0..<units {
    // Reading the clock each time would be a part of the cost.
    if number % 64 == 63, budget.isSpent { return number }
    try unit(number)
  }
  return units
}

/// Children with one parent, and one save.
func insertChildren(_ size: Int, _ file: String) throws -> GrowthMeasurement {
  let context = try open(file).makeContext()
  let rows = Row.make(size)
  let parent = makeParent(rows[0], rank: 0, in: context)
  return try measure(size) {
    for number in 0..<size {
      let child = makeChild(rows[number], in: context)
      if number % 2 == 0 { child.parent = parent } else { parent.children.insert(child) }
    }
    try context.save()
    return (size, parent.children.count)
  }
}

/// The children of one parent, read and touched.
func readList(_ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let container = try open(file)
  var sum = Checksum()
  var count = 0
  func read() throws {
    sum = Checksum()
    let context = container.makeContext()
    try withExtendedLifetime(context) {
      for parent in try context.fetch(Parent.self) {
        count = parent.children.count
        for child in parent.children { sum.add(child.count) }
      }
    }
  }
  try read()
  var measured = try budget.measure(count) { _ in try read() }
  measured.checksum = sum.value
  return measured
}

/// The only parent, with its children.
private func loadedParent(in context: ManagedObjectContext) throws -> Parent {
  let parents = try context.fetch(Parent.self)
  precondition(parents.count == 1, "the file has not one parent")
  try parents[0].children.load()
  return parents[0]
}

/// Saves children one by one into a list that has been read.
func saveIntoList(_ size: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let container = try open(file)
  try makeOneFamily(1, in: container)
  let context = container.makeContext()
  let rows = Row.make(size)
  let parent = try loadedParent(in: context)
  return try measure(size) {
    let done = try each(size, budget) { number in
      makeChild(rows[number], in: context).parent = parent
      try context.save()
    }
    return (done, parent.children.count)
  }
}

/// Removes the children of a list from its front, one by one, and saves once.
func removeFirst(_ size: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let container = try open(file)
  try makeOneFamily(size, in: container)
  let context = container.makeContext()
  let parent = try loadedParent(in: context)
  return try measure(size) {
    let done = each(size, budget) { _ in
      if let first = parent.children.first { parent.children.remove(first) }
    }
    try context.save()
    return (done, parent.children.count)
  }
}

/// A volume with pages, all of them saved.
private func makeVolume(_ size: Int, in container: PersistentContainer) throws
  -> (ManagedObjectContext, Volume, [Page])
{
  let context = container.makeContext()
  let volume = Volume(context: context)
  volume.name = "Atlas"
  let pages = (0..<size).map { number in
    let page = Page(context: context)
    page.number = Int64(number * 7919 % size)
    page.atlas = volume
    volume.pages.append(page)
    return page
  }
  try context.save()
  return (context, volume, pages)
}

/// Measures calls that change a volume, and return the number of its first page.
private func measurePages(
  _ size: Int, _ file: String, _ budget: Budget,
  _ change: (Int, ManagedObjectContext, Volume, [Page]) -> Int64?
) throws -> GrowthMeasurement {
  let (context, volume, pages) = try makeVolume(size, in: open(file))
  var sum = Checksum()
  var measured = budget.measure { call in
    sum.add(change(call, context, volume, pages) ?? 0, of: call)
  }
  measured.checksum = sum.value
  return withExtendedLifetime((context, pages)) { measured }
}

/// The last page becomes the first one.
func moveToFront(_ size: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  try measurePages(size, file, budget) { _, _, volume, _ in
    volume.pages.move(fromOffsets: [size - 1], toOffset: 0)
    return volume.pages.first?.number
  }
}

/// A page with any number comes into a list that is sorted by numbers.
func insertSorted(_ size: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  try measurePages(size, file, budget) { call, context, volume, _ in
    let page = Page(context: context)
    page.number = Int64(call * 104_729 % size)
    page.atlas = volume
    return volume.plates.first?.number
  }
}

/// A page of a list that is sorted by numbers gets another number.
func changeSorted(_ size: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  try measurePages(size, file, budget) { call, _, volume, pages in
    pages[call * 7919 % size].number = Int64(call * 104_729 % size)
    return volume.plates.first?.number
  }
}

/// A child of a list that has been read becomes a fault, and is read again.
func refreshMember(_ size: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let container = try open(file)
  try makeOneFamily(size, in: container)
  let context = container.makeContext()
  let parent = try loadedParent(in: context)
  let children = Array(parent.children)
  var sum = Checksum()
  var measured = try budget.measure { call in
    // Neighbors in the file: a row that is far away costs the database more.
    let child = children[call * 7919 % min(size, 1000)]
    try context.refresh(child, mergeChanges: false)
    sum.add(child.count, of: call)
  }
  measured.checksum = sum.value
  return withExtendedLifetime((context, children)) { measured }
}

/// Deletes one parent and so its children, which nobody has read.
func cascadeOne(_ size: Int, _ file: String) throws -> GrowthMeasurement {
  let container = try open(file)
  try makeOneFamily(size, in: container)
  let context = container.makeContext()
  return try measure(size) {
    for parent in try context.fetch(Parent.self) { context.delete(parent) }
    try context.save()
    return (size, try context.count(Child.self))
  }
}

/// Deletes the first folder of a chain in which each has the next, and so all. Nobody has read the
/// others.
func cascadeChain(_ size: Int, _ file: String) throws -> GrowthMeasurement {
  let container = try open(file)
  let writing = container.makeContext()
  var last: Folder?
  for number in 0..<size {
    let folder = Folder(context: writing)
    folder.name = "\(number)"
    folder.parent = last
    last = folder
  }
  try writing.save()
  let context = container.makeContext()
  return try measure(size) {
    for folder in try context.fetch(Folder.self, where: { $0.parent == nil as Folder? }) {
      context.delete(folder)
    }
    try context.save()
    return (size, try context.count(Folder.self))
  }
}
