/// The objects of one entity in one context, by key: one instance for each.
///
/// Dense pages of 512 strong references, because keys ascend; a lookup costs two loads. References are
/// strong, and `sweep` lets go of the objects that nobody else holds: no object's deinit touches the
/// map, for it may run on any thread.
final class IdentityMap {
  private typealias Page = UnsafeMutablePointer<ManagedObject?>

  private static let pageSize = 512
  /// Pages up to this index are found in an array, later ones in a dictionary.
  private static let denseLimit = 1 << 16

  private var dense: ContiguousArray<Page?> = []
  private var sparse: [Int64: Page] = [:]
  private(set) var count = 0

  deinit {
    for page in dense { Self.free(page) }
    for page in sparse.values { Self.free(page) }
  }

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
    let index = key >> 9
    if index < Int64(dense.count) { return dense[Int(index)] }
    return index < Int64(Self.denseLimit) ? nil : sparse[index]
  }

  private func makePage(_ key: Int64) -> Page {
    let page = Page.allocate(capacity: Self.pageSize)
    page.initialize(repeating: nil, count: Self.pageSize)
    let index = key >> 9
    if index < Int64(Self.denseLimit) {
      while Int64(dense.count) <= index { dense.append(nil) }
      dense[Int(index)] = page
    } else {
      sparse[index] = page
    }
    return page
  }

  private static func free(_ page: Page?) {
    page?.deinitialize(count: pageSize).deallocate()
  }

  /// Lets go of every object that nobody else holds.
  func sweep() {
    for index in dense.indices {
      guard let page = dense[index], sweep(page) == 0 else { continue }
      Self.free(page)
      dense[index] = nil
    }
    for (index, page) in sparse where sweep(page) == 0 {
      Self.free(page)
      sparse[index] = nil
    }
  }

  /// - Returns: the number of objects that stay.
  private func sweep(_ page: Page) -> Int {
    var staying = 0
    for place in 0..<Self.pageSize where page[place] != nil {
      if isKnownUniquelyReferenced(&page[place]) {
        page[place] = nil
        count -= 1
      } else {
        staying += 1
      }
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
    for case .some(let page) in dense { visit(page) }
    for page in sparse.values { visit(page) }
  }

  func removeAll() {
    for page in dense { Self.free(page) }
    for page in sparse.values { Self.free(page) }
    dense = []
    sparse = [:]
    count = 0
  }
}
