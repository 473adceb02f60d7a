/// The objects of one entity in one context, by key: one instance for each.
///
/// Dense pages of 512 strong references, because keys ascend; a lookup costs two loads. References are
/// strong, and `sweep` lets go of the objects that nobody else holds: no object's deinit touches the
/// map, for it may run on any thread.
final class IdentityMap {
  private typealias Page = UnsafeMutablePointer<ManagedObject?>

  private static let pageSize = 512
  /// Pages up to this index are found in an array, later ones in a dictionary.
  private static let denseLimit: Int64 = 1 << 16

  // @exclusivity(unchecked): a context is confined to one isolation and no method calls out while it
  // changes these; the dynamic checks cost more than the lookup.
  @exclusivity(unchecked) private var dense: UnsafeMutablePointer<Page?>?
  @exclusivity(unchecked) private var denseCount: Int64 = 0
  @exclusivity(unchecked) private var sparse: [Int64: Page] = [:]
  @exclusivity(unchecked) private(set) var count = 0

  deinit { removeAll() }

  /// The object of a key, which is positive.
  func object(_ key: Int64) -> ManagedObject? {
    page(key)?[Int(key & 511)]
  }

  /// Sets or removes the object of a key.
  func set(_ key: Int64, _ object: ManagedObject?) {
    guard let page = page(key) ?? (object == nil ? nil : makePage(key)) else { return }
    let place = page + Int(key & 511)
    if place.pointee != nil { count -= 1 }
    if object != nil { count += 1 }
    place.pointee = object
  }

  @inline(__always)
  private func page(_ key: Int64) -> Page? {
    let index = key &>> 9
    if _fastPath(index < denseCount), let dense { return dense[Int(truncatingIfNeeded: index)] }
    return index < Self.denseLimit ? nil : sparse[index]
  }

  private func makePage(_ key: Int64) -> Page {
    let page = Page.allocate(capacity: Self.pageSize)
    page.initialize(repeating: nil, count: Self.pageSize)
    let index = key >> 9
    if index < Self.denseLimit {
      growDense(toHold: index)
      dense?[Int(index)] = page
    } else {
      sparse[index] = page
    }
    return page
  }

  private func growDense(toHold index: Int64) {
    guard index >= denseCount else { return }
    let grown = max(index + 1, min(denseCount * 2, Self.denseLimit))
    let larger = UnsafeMutablePointer<Page?>.allocate(capacity: Int(grown))
    larger.initialize(repeating: nil, count: Int(grown))
    if let dense {
      larger.update(from: dense, count: Int(denseCount))
      dense.deinitialize(count: Int(denseCount)).deallocate()
    }
    dense = larger
    denseCount = grown
  }

  private static func free(_ page: Page?) {
    page?.deinitialize(count: pageSize).deallocate()
  }

  /// Lets go of every object that nobody else holds.
  func sweep() {
    // Released after the map is in order again: the deinit of a person's class may call anything.
    var unheld: ContiguousArray<ManagedObject> = []
    if let dense {
      for index in 0..<Int(denseCount) {
        guard let page = dense[index], sweep(page, &unheld) == 0 else { continue }
        Self.free(page)
        dense[index] = nil
      }
    }
    for (index, page) in sparse where sweep(page, &unheld) == 0 {
      Self.free(page)
      sparse[index] = nil
    }
  }

  /// - Returns: the number of objects that stay.
  private func sweep(_ page: Page, _ unheld: inout ContiguousArray<ManagedObject>) -> Int {
    var staying = 0
    for place in 0..<Self.pageSize where page[place] != nil {
      guard isKnownUniquelyReferenced(&page[place]) else {
        staying += 1
        continue
      }
      let object = (page + place).move()
      (page + place).initialize(to: nil)
      count -= 1
      if let object { unheld.append(object) }
    }
    return staying
  }

  /// Every object, in no particular order.
  func forEach(_ body: (ManagedObject) -> Void) {
    func visit(_ page: Page) {
      for place in 0..<Self.pageSize {
        if let object = page[place] { body(object) }
      }
    }
    if let dense {
      for index in 0..<Int(denseCount) { if let page = dense[index] { visit(page) } }
    }
    for page in sparse.values { visit(page) }
  }

  func removeAll() {
    let (pages, pageCount, others) = (dense, denseCount, sparse)
    dense = nil
    denseCount = 0
    sparse = [:]
    count = 0
    if let pages {
      for index in 0..<Int(pageCount) { Self.free(pages[index]) }
      pages.deinitialize(count: Int(pageCount)).deallocate()
    }
    for page in others.values { Self.free(page) }
  }
}
