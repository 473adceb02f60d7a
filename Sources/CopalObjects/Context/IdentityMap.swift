/// The objects of one entity in one context, by key: one instance for each.
///
/// Pages of 64 strong references with a bit for each that is taken, because keys ascend: a lookup costs
/// two loads, and a sweep visits only what is there. References are strong, and `sweep` lets go of the
/// objects that nobody else holds: no object's deinit touches the map, for it may run on any thread.
final class IdentityMap {
  private struct Page {
    var taken: UInt64 = 0
    let objects: Objects
  }

  private typealias Objects = UnsafeMutablePointer<ManagedObject?>

  private typealias Place = UnsafeMutablePointer<Page?>

  /// The array of pages grows to a page in step with the pages that are used; what lies further out is
  /// found in a dictionary, so that one great key does not cost an array up to it.
  private static let denseStart: Int64 = 1 << 10
  private static let denseLimit: Int64 = 1 << 20

  // @exclusivity(unchecked): a context is confined to one isolation and no method calls out while it
  // changes these; the dynamic checks cost more than the lookup.
  @exclusivity(unchecked) private var dense: Place?
  @exclusivity(unchecked) private var denseCount: Int64 = 0
  @exclusivity(unchecked) private var sparse: [Int64: Place] = [:]
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var sweepThreshold = 1024
  /// Pages that a sweep has emptied, to be taken again: queries that find a few objects here and there
  /// would else make and free a page for each.
  @exclusivity(unchecked) private var spare: ContiguousArray<Objects> = []

  deinit { removeAll() }

  /// The object of a key, which is positive.
  @inline(__always)
  func object(_ key: Int64) -> ManagedObject? {
    page(key)?.pointee?.objects[Int(truncatingIfNeeded: key & 63)]
  }

  /// Sets or removes the object of a key.
  func set(_ key: Int64, _ object: ManagedObject?) {
    guard let place = page(key) ?? (object == nil ? nil : makePlace(key)) else { return }
    if place.pointee == nil {
      if object == nil { return }
      place.pointee = Page(objects: takePage())
    }
    guard let objects = place.pointee?.objects else { return }
    let position = Int(truncatingIfNeeded: key & 63)
    let bit = 1 &<< UInt64(truncatingIfNeeded: position)
    let former = objects[position]
    if former != nil { count -= 1 }
    if object != nil {
      count += 1
      place.pointee?.taken |= bit
    } else {
      place.pointee?.taken &= ~bit
    }
    objects[position] = object
    // What was there is let go of last, when the map is in order.
    withExtendedLifetime(former) {}
  }

  @inline(__always)
  private func page(_ key: Int64) -> Place? {
    let index = key &>> 6
    if _fastPath(index < denseCount), let dense { return dense + Int(truncatingIfNeeded: index) }
    return sparse.isEmpty ? nil : sparse[index]
  }

  private func makePlace(_ key: Int64) -> Place {
    let index = key >> 6
    if index < min(max(Self.denseStart, 2 * denseCount), Self.denseLimit) {
      return denseGrown(toHold: index) + Int(index)
    }
    let place = Place.allocate(capacity: 1)
    place.initialize(to: nil)
    sparse[index] = place
    return place
  }

  private func takePage() -> Objects {
    if let page = spare.popLast() { return page }
    let page = Objects.allocate(capacity: 64)
    page.initialize(repeating: nil, count: 64)
    return page
  }

  private func denseGrown(toHold index: Int64) -> Place {
    let grown = max(index + 1, min(denseCount * 2, Self.denseLimit), 16)
    let larger = Place.allocate(capacity: Int(grown))
    larger.initialize(repeating: nil, count: Int(grown))
    if let dense {
      larger.update(from: dense, count: Int(denseCount))
      dense.deinitialize(count: Int(denseCount)).deallocate()
    }
    for (index, place) in sparse where index < grown {
      larger[Int(index)] = place.pointee
      place.deallocate()
      sparse[index] = nil
    }
    dense = larger
    denseCount = grown
    return larger
  }

  // MARK: Sweeping

  /// Whether as many objects have come since the last sweep as stayed then.
  ///
  /// So the cost of sweeping is constant for each object that comes.
  @inline(__always)
  var isSweepDue: Bool { count >= sweepThreshold }

  /// Lets go of every object that nobody else holds.
  func sweep() {
    // Released after the map is in order again: the deinit of a person's class may call anything.
    var unheld: ContiguousArray<ManagedObject> = []
    forEachPlace { place in
      guard let page = place.pointee else { return }
      var (rest, staying) = (page.taken, page.taken)
      while rest != 0 {
        let position = rest.trailingZeroBitCount
        rest &= rest &- 1
        guard isKnownUniquelyReferenced(&page.objects[position]) else { continue }
        if let object = (page.objects + position).move() { unheld.append(object) }
        (page.objects + position).initialize(to: nil)
        staying &= ~(1 &<< UInt64(truncatingIfNeeded: position))
        count -= 1
      }
      place.pointee?.taken = staying
      if staying == 0 {
        place.pointee = nil
        // Every place is nil, which needs no deinitializing.
        if spare.count < 1024 { spare.append(page.objects) } else { page.objects.deallocate() }
      }
    }
    for (index, place) in sparse where place.pointee == nil {
      place.deallocate()
      sparse[index] = nil
    }
    sweepThreshold = max(1024, 2 * count)
  }

  /// Every object, in no particular order.
  func forEach(_ body: (ManagedObject) -> Void) {
    var objects: ContiguousArray<ManagedObject> = []
    objects.reserveCapacity(count)
    forEachPlace { place in
      guard let page = place.pointee else { return }
      for position in 0..<64 { if let object = page.objects[position] { objects.append(object) } }
    }
    for object in objects { body(object) }
  }

  private func forEachPlace(_ body: (Place) -> Void) {
    if let dense { for index in 0..<Int(denseCount) { body(dense + index) } }
    for place in sparse.values { body(place) }
  }

  func removeAll() {
    let (pages, pageCount, others, empty) = (dense, denseCount, sparse, spare)
    spare = []
    dense = nil
    denseCount = 0
    sparse = [:]
    count = 0
    if let pages {
      for index in 0..<Int(pageCount) { free(pages[index]) }
      pages.deinitialize(count: Int(pageCount)).deallocate()
    }
    for place in others.values {
      free(place.pointee)
      place.deallocate()
    }
    for page in empty { page.deallocate() }
  }

  private func free(_ page: Page?) {
    guard let page else { return }
    var rest = page.taken
    while rest != 0 {
      page.objects[rest.trailingZeroBitCount] = nil
      rest &= rest &- 1
    }
    page.objects.deallocate()
  }
}
