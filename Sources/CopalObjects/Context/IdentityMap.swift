import CopalModel
import CopalStore

/// The objects of one entity in one context, by key: one instance for each.
///
/// Pages of 16 strong references, because keys ascend: a lookup costs two loads, and a few objects here
/// and there take few lines of the processor's cache. References are strong, and `sweep` lets go of the
/// objects that nobody else holds: no object's deinit touches the map, for it may run on any thread.
final class IdentityMap {
  private typealias Page = UnsafeMutablePointer<ManagedObject?>

  private static let pageShift: Int64 = 4
  private static let pageSize = 1 << 4

  /// The array of pages grows to a page in step with the pages that are used; what lies further out is
  /// found in a dictionary, so that one great key does not cost an array up to it. A negative key, which
  /// no store of ours gives, is found there too. The array costs half a byte a key and does not shrink.
  private static let denseStart: Int64 = 1 << 12
  private static let denseLimit: Int64 = 1 << 21

  /// How many objects a map has, at least, before it looks for those that nobody holds: few, so that
  /// the next ones take memory that the processor still has at hand.
  private static let leastSweep = 256

  /// How many pages are made at a time.
  private static let slabSize = 32

  // @exclusivity(unchecked): a context is confined to one isolation and no method calls out while it
  // changes these; the dynamic checks cost more than the lookup.
  @exclusivity(unchecked) private var dense: UnsafeMutablePointer<Page?>?
  @exclusivity(unchecked) private var denseCount: Int64 = 0
  /// A bit for each dense page that is there, so that a sweep need not look at the others.
  @exclusivity(unchecked) private var used: ContiguousArray<UInt64> = []
  @exclusivity(unchecked) private var sparse: [Int64: Page] = [:]
  /// Pages without an object, to be taken next; every page comes back here when it is empty.
  @exclusivity(unchecked) private var spare: ContiguousArray<Page> = []
  @exclusivity(unchecked) private var slabs: ContiguousArray<Page> = []
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var sweepThreshold = leastSweep

  /// What the ids of the map's objects have in common.
  let identity: EntityIdentity

  init(_ identity: EntityIdentity) { self.identity = identity }

  // Nobody can reach the map any more: no order to keep, and no list of what it had to be made.
  deinit { freeMemory() }

  /// The object of a key, which is positive.
  @inline(__always)
  func object(_ key: Int64) -> ManagedObject? { page(key)?[Self.position(key)] }

  /// The object of a key, if it is a positive one that is not far out.
  @inline(__always)
  func denseObject(_ key: Int64) -> ManagedObject? {
    // As in `page(_:)`, without the dictionary.
    let index = UInt64(bitPattern: key) &>> UInt64(bitPattern: Self.pageShift)
    guard index < UInt64(bitPattern: denseCount), let dense else { return nil }
    return dense[Int(truncatingIfNeeded: index)]?[Self.position(key)]
  }

  /// Sets the object of a key.
  @inline(__always)
  func set(_ key: Int64, _ object: ManagedObject) {
    let slot = (page(key) ?? makePage(key)) + Self.position(key)
    if slot.pointee == nil { count &+= 1 }
    slot.pointee = object
  }

  /// Lets go of the object of a key.
  func remove(_ key: Int64) {
    guard let page = page(key), let former = page[Self.position(key)] else { return }
    page[Self.position(key)] = nil
    count &-= 1
    // As many may come now before the next sweep as there are left.
    sweepThreshold = max(Self.leastSweep, min(sweepThreshold, 2 &* count))
    if (0..<Self.pageSize).allSatisfy({ page[$0] == nil }) {
      giveBack(page, key >> Self.pageShift)
      freePagesIfEmpty()
    }
    // Released last, when the map is in order.
    withExtendedLifetime(former) {}
  }

  @inline(__always)
  private static func position(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: key) & (pageSize &- 1)
  }

  @inline(__always)
  private func page(_ key: Int64) -> Page? {
    // Compared without its sign: a negative key must not be looked for before the array.
    let index = UInt64(bitPattern: key) &>> UInt64(bitPattern: Self.pageShift)
    if _fastPath(index < UInt64(bitPattern: denseCount)), let dense {
      return dense[Int(truncatingIfNeeded: index)]
    }
    return sparse.isEmpty ? nil : sparse[key &>> Self.pageShift]
  }

  // MARK: Pages

  private func makePage(_ key: Int64) -> Page {
    let index = key >> Self.pageShift
    let page = takePage()
    if index >= denseCount, index < min(max(Self.denseStart, 2 * denseCount), Self.denseLimit) {
      growDense(toHold: index)
    }
    if index >= 0, index < denseCount {
      setDense(Int(index), page)
    } else {
      sparse[index] = page
    }
    return page
  }

  /// Takes back a page that has no object any more.
  private func giveBack(_ page: Page, _ index: Int64) {
    if index >= 0, index < denseCount {
      setDense(Int(index), nil)
    } else {
      sparse[index] = nil
    }
    spare.append(page)
  }

  private func takePage() -> Page {
    if let page = spare.popLast() { return page }
    let slab = Page.allocate(capacity: Self.slabSize * Self.pageSize)
    slab.initialize(repeating: nil, count: Self.slabSize * Self.pageSize)
    slabs.append(slab)
    for number in (1..<Self.slabSize).reversed() { spare.append(slab + number * Self.pageSize) }
    return slab
  }

  private func setDense(_ index: Int, _ page: Page?) {
    dense?[index] = page
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: index & 63)
    if page == nil { used[index >> 6] &= ~bit } else { used[index >> 6] |= bit }
  }

  private func growDense(toHold index: Int64) {
    let grown = max(index + 1, min(denseCount * 2, Self.denseLimit), 64)
    let larger = UnsafeMutablePointer<Page?>.allocate(capacity: Int(grown))
    larger.initialize(repeating: nil, count: Int(grown))
    if let dense {
      larger.update(from: dense, count: Int(denseCount))
      dense.deallocate()
    }
    dense = larger
    denseCount = grown
    used.append(contentsOf: repeatElement(0, count: Int(grown + 63) / 64 - used.count))
    for (index, page) in sparse where index >= 0 && index < grown {
      setDense(Int(index), page)
      sparse[index] = nil
    }
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
    forEachDense { index, page in
      if empties(page, &unheld) { giveBack(page, Int64(index)) }
    }
    for (index, page) in sparse where empties(page, &unheld) { giveBack(page, index) }
    count -= unheld.count
    sweepThreshold = max(Self.leastSweep, 2 * count)
    freePagesIfEmpty()
  }

  /// Takes the objects that nobody else holds from a page.
  ///
  /// - Returns: whether it is empty now.
  @inline(__always)
  private func empties(_ page: Page, _ unheld: inout ContiguousArray<ManagedObject>) -> Bool {
    var isEmpty = true
    for position in 0..<Self.pageSize where page[position] != nil {
      guard isKnownUniquelyReferenced(&page[position]) else {
        isEmpty = false
        continue
      }
      if let object = (page + position).move() { unheld.append(object) }
      (page + position).initialize(to: nil)
    }
    return isEmpty
  }

  /// Every object, in no particular order.
  func forEach(_ body: (ManagedObject) -> Void) {
    // Gathered first: the body may call anything.
    var objects: ContiguousArray<ManagedObject> = []
    objects.reserveCapacity(count)
    forEachPage { page in
      for position in 0..<Self.pageSize {
        if let object = page[position] { objects.append(object) }
      }
    }
    for object in objects { body(object) }
  }

  private func forEachPage(_ body: (Page) -> Void) {
    forEachDense { _, page in body(page) }
    for page in sparse.values { body(page) }
  }

  private func forEachDense(_ body: (Int, Page) -> Void) {
    guard let dense else { return }
    for word in used.indices {
      var rest = used[word]
      while rest != 0 {
        let index = word &<< 6 &+ rest.trailingZeroBitCount
        rest &= rest &- 1
        if let page = dense[index] { body(index, page) }
      }
    }
  }

  // MARK: Memory

  /// The number of pages that hold an object.
  var pageCount: Int { slabs.count * Self.slabSize - spare.count }

  /// The number of pages that there is memory for.
  var pageCapacity: Int { slabs.count * Self.slabSize }

  /// Gives the memory of pages back when no object is left, but for what a few objects need.
  private func freePagesIfEmpty() {
    guard count == 0, slabs.count > 1 else { return }
    freePages()
    (slabs, spare, sparse) = ([], [], [:])
  }

  private func freePages() {
    for slab in slabs { slab.deinitialize(count: Self.slabSize * Self.pageSize).deallocate() }
  }

  private func freeMemory() {
    freePages()
    dense?.deallocate()
  }

  /// Lets go of everything.
  ///
  /// - Returns: the objects that it had. Whoever takes them releases them when all is in order.
  func removeAll() -> ContiguousArray<ManagedObject> {
    var objects: ContiguousArray<ManagedObject> = []
    objects.reserveCapacity(count)
    forEachPage { page in
      for position in 0..<Self.pageSize {
        if let object = (page + position).move() { objects.append(object) }
        (page + position).initialize(to: nil)
      }
    }
    freeMemory()
    (dense, denseCount, used, sparse) = (nil, 0, [], [:])
    (slabs, spare, count, sweepThreshold) = ([], [], 0, Self.leastSweep)
    return objects
  }
}
