import CopalModel
import CopalStore

/// The objects of one root entity and its subentities in one context, by key: one instance per key.
///
/// There is no row cache as in Core Data's coordinator: each object keeps its own row
/// (`PackedRow`), and a fault reads the store.
///
/// Pages of 16 strong references, because keys are consecutive: a look-up costs two loads, and
/// scattered objects use few cache lines. References are strong, and `sweep` releases the objects
/// that are not referenced elsewhere. So no object's deinit accesses the map: a deinit may run on
/// any thread.
final class IdentityMap {
  private typealias Page = UnsafeMutablePointer<ManagedObject?>

  private static let pageShift: Int64 = 4
  private static let pageSize = 1 << 4

  /// The array of pages grows in proportion to the used pages. Pages beyond it are in a dictionary,
  /// so that one large key does not need an array up to it. Negative keys, which Copal's stores do
  /// not assign, are also there. The array costs half a byte per key and does not shrink.
  private static let denseStart: Int64 = 1 << 12
  private static let denseLimit: Int64 = 1 << 21

  /// The number of objects below which a map is not swept. It is small, so that new objects reuse
  /// memory that is still in the processor's cache.
  private static let leastSweep = 256

  /// The number of pages that are allocated at a time.
  private static let slabSize = 32

  /// The number of allocations that an empty map keeps, 40 KB. Before its first sweep, a map with
  /// scattered keys has a page for each object.
  private static let keptSlabs = leastSweep / slabSize + 2

  private var dense: UnsafeMutablePointer<Page?>?
  private var denseCount: Int64 = 0
  // @exclusivity(unchecked), here and below: with the inlining of the look-ups, this saves 3 % of
  // the instructions of a get by key. A context is confined to one isolation, and no other code
  // runs while these change.
  /// A bit for each existing dense page, so that a sweep skips the others.
  @exclusivity(unchecked) private var used: ContiguousArray<UInt64> = []
  private var sparse: [Int64: Page] = [:]
  /// Empty pages, which are used next.
  @exclusivity(unchecked) private var spare: ContiguousArray<Page> = []
  @exclusivity(unchecked) private var slabs: ContiguousArray<Page> = []
  private(set) var count = 0
  private var sweepThreshold = leastSweep
  /// The changes of the objects after which they are sorted again.
  var orderChanges = OrderChanges()

  /// The common part of the ids of the map's objects.
  let family: EntityFamily

  init(_ family: EntityFamily) { self.family = family }

  // The map is not reachable any more: just free the memory.
  deinit { freeMemory() }

  // Inlined, here and below: a row of a fetch needs a look-up and an insertion.
  /// The object of a positive key.
  @inline(__always)
  func object(_ key: Int64) -> ManagedObject? { page(key)?[Self.position(key)] }

  /// Whether the map has the object of a key.
  func contains(_ key: Int64) -> Bool { page(key)?[Self.position(key)] != nil }

  /// The object of a key that is positive and within the array of pages.
  func denseObject(_ key: Int64) -> ManagedObject? {
    // As in `page(_:)`, without the dictionary.
    let index = UInt64(bitPattern: key) &>> UInt64(bitPattern: Self.pageShift)
    guard index < UInt64(bitPattern: denseCount), let dense else { return nil }
    return dense[Int(truncatingIfNeeded: index)]?[Self.position(key)]
  }

  /// Appends the object of a key.
  ///
  /// - Returns: whether the map has it.
  // For loops: an object that is returned is counted twice.
  @inline(__always)
  func append(_ key: Int64, to objects: inout [ManagedObject]) -> Bool {
    guard let slot = page(key).map({ $0 + Self.position(key) }), slot.pointee != nil else {
      return false
    }
    slot.withMemoryRebound(to: ManagedObject.self, capacity: 1) { objects.append($0.pointee) }
    return true
  }

  /// Sets the object of a key.
  @inline(__always)
  func set(_ key: Int64, _ object: consuming ManagedObject) {
    let slot = (page(key) ?? makePage(key)) + Self.position(key)
    guard slot.pointee == nil else {
      slot.pointee = object
      return
    }
    count &+= 1
    slot.initialize(to: object)
  }

  /// Removes the object of a key.
  func remove(_ key: Int64) {
    guard let page = page(key), let former = page[Self.position(key)] else { return }
    page[Self.position(key)] = nil
    count &-= 1
    // The next sweep is due when the number of objects has doubled.
    sweepThreshold = max(Self.leastSweep, min(sweepThreshold, 2 &* count))
    if (0..<Self.pageSize).allSatisfy({ page[$0] == nil }) {
      giveBack(page, key >> Self.pageShift)
      freePagesIfEmpty()
    }
    // Released last, when the map is consistent.
    withExtendedLifetime(former) {}
  }

  /// The object of a key, unless nothing else references it: then the map releases it.
  ///
  /// - Parameter released: receives the object, whose deinit may call anything.
  func heldObject(_ key: Int64, _ released: inout ContiguousArray<ManagedObject>) -> ManagedObject?
  {
    guard let page = page(key), page[Self.position(key)] != nil else { return nil }
    if !isKnownUniquelyReferenced(&page[Self.position(key)]) { return page[Self.position(key)] }
    if let object = page[Self.position(key)] {
      released.append(object)
      // As in a sweep: an order that has the key must be made again.
      if object.flags.contains(.sorted) { orderChanges.noteAll() }
    }
    remove(key)
    return nil
  }

  private static func position(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: key) & (pageSize &- 1)
  }

  @inline(__always)
  private func page(_ key: Int64) -> Page? {
    // Compared as unsigned, so that a negative key does not read memory before the array.
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

  /// Keeps an empty page for the next use.
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

  /// Whether as many objects were added since the last sweep as stayed after it.
  ///
  /// So the cost of sweeping per added object is constant.
  var isSweepDue: Bool { count >= sweepThreshold }

  /// Releases every object that is not referenced elsewhere.
  ///
  /// - Parameter visit: is called for each of the others. It must not call other code: the map is
  ///   being changed.
  func sweep(_ visit: (ManagedObject) -> Void = { _ in }) {
    // Released when the map is consistent again: the deinit of a class may call anything.
    var unheld: ContiguousArray<ManagedObject> = []
    forEachDense { index, page in
      if empties(page, &unheld, visit) { giveBack(page, Int64(index)) }
    }
    for (index, page) in sparse where empties(page, &unheld, visit) { giveBack(page, index) }
    count -= unheld.count
    if !unheld.isEmpty { orderChanges.noteAll() }
    sweepThreshold = max(Self.leastSweep, 2 * count)
    freePagesIfEmpty()
  }

  /// Removes the objects that are not referenced elsewhere from a page.
  ///
  /// - Returns: whether the page is empty now.
  private func empties(
    _ page: Page, _ unheld: inout ContiguousArray<ManagedObject>,
    _ visit: (ManagedObject) -> Void
  ) -> Bool {
    var isEmpty = true
    for position in 0..<Self.pageSize where page[position] != nil {
      guard isKnownUniquelyReferenced(&page[position]) else {
        isEmpty = false
        // Without counting references: the map has the object, and the visit does not change it.
        UnsafeRawPointer(page + position).load(as: Unmanaged<ManagedObject>.self)
          ._withUnsafeGuaranteedRef(visit)
        continue
      }
      if let object = (page + position).move() { unheld.append(object) }
      (page + position).initialize(to: nil)
    }
    return isEmpty
  }

  /// Every object, in no particular order.
  func forEach(_ body: (ManagedObject) -> Void) {
    // Collected first, because the body may call anything.
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

  /// The number of allocated pages.
  var pageCapacity: Int { slabs.count * Self.slabSize }

  /// Frees the memory of pages when no object is left, except for those of the next objects.
  private func freePagesIfEmpty() {
    guard count == 0, slabs.count > Self.keptSlabs else { return }
    // No page has an object, so there is nothing to release in them.
    for slab in slabs[Self.keptSlabs...] { slab.deallocate() }
    slabs.removeLast(slabs.count - Self.keptSlabs)
    spare = []
    for slab in slabs {
      for number in 0..<Self.slabSize { spare.append(slab + number * Self.pageSize) }
    }
    sparse = [:]
  }

  private func freePages() {
    for slab in slabs {
      // One by one: the runtime's function for many takes a sixth longer.
      for position in 0..<Self.slabSize * Self.pageSize where slab[position] != nil {
        _ = (slab + position).move()
      }
      slab.deallocate()
    }
  }

  private func freeMemory() {
    freePages()
    dense?.deallocate()
  }

  /// Removes all objects.
  ///
  /// - Returns: the objects. The caller releases them when its state is consistent.
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
    orderChanges.noteAll()
    return objects
  }
}
