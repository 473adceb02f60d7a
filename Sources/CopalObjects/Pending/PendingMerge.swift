import CopalModel
import CopalStore

/// Takes the rows that a store finds, in order, and puts the objects with changes in between.
///
/// Only what lies within the request's offset and limit reaches the receiver; other rows touch no
/// object.
final class PendingMerge: RowReceiver {
  /// An object with changes that meets the condition, and its values of the sort keys.
  struct Element {
    var object: ManagedObject
    var values: [PropertyValue]
  }

  private let layout: EntityLayout
  private let map: IdentityMap
  private let sortKeys: [BoundSortKey]
  private let elements: [Element]
  private let receiver: any MergeReceiver
  private let start: Int
  private let end: Int
  /// The next of the elements.
  private var next = 0
  /// The place in the result of what comes next.
  private var position = 0
  private var current: Row = .leftOut
  /// How many rows of the page have come, and how many of them have an object with changes.
  private(set) var rowCount = 0
  private(set) var leftOutCount = 0

  /// What becomes of the row that has been announced.
  private enum Row {
    /// Its object has changes: the elements have it, if it meets the condition.
    case leftOut
    /// It is in the result at the position.
    case placed
    /// It must be compared with the next element first.
    case compared
  }

  init(
    _ state: ContextState, _ runtime: EntityRuntime, _ query: StoreQuery, _ elements: [Element],
    _ receiver: any MergeReceiver
  ) {
    layout = runtime.layout
    map = state.maps[runtime.index]
    sortKeys = query.sortKeys
    self.elements = elements
    self.receiver = receiver
    start = query.offset
    end = query.limit.map { $0 + query.offset } ?? Int.max
  }

  /// Whether the order is one of values, which rows must be read for.
  var comparesValues: Bool { !sortKeys.isEmpty && !elements.isEmpty }

  /// Whether the result has all that it can have.
  var isComplete: Bool { position >= end }

  /// The first row that the store must give. The rows before it lie before the offset, wherever the
  /// elements fall among them, unless some of them are left out.
  ///
  /// - Parameter savedCount: how many rows may be left out.
  func firstRow(savedCount: Int) -> Int {
    position = savedCount == 0 ? max(0, start - elements.count) : 0
    return position
  }

  func beginPage() { (rowCount, leftOutCount) = (0, 0) }

  // MARK: Rows

  func wantsRow(key: Int64, version: Int64) -> Bool {
    rowCount += 1
    if map.object(key)?.hasChanges == true {
      leftOutCount += 1
      current = .leftOut
      return false
    }
    if next < elements.count, !sortKeys.isEmpty {
      current = .compared
      return true
    }
    placeElements { Self.insertionOrder($0.object.key) < Self.insertionOrder(key) }
    current = .placed
    return isInResult && receiver.wantsRow(key: key, version: version)
  }

  func receive(key: Int64, row: consuming PackedRow) {
    if case .compared = current {
      let base = row.base
      let values = sortKeys.map { layout.value(base, $0.slot) }
      placeElements {
        sortKeys.order($0.values, values)
          ?? (Self.insertionOrder($0.object.key) < Self.insertionOrder(key))
      }
      guard isInResult, receiver.wantsRow(key: key, version: row.version) else {
        current = .placed
        return skip(key: key)
      }
    }
    receiver.receive(key: key, row: row)
    position += 1
  }

  func skip(key: Int64) {
    if case .leftOut = current { return }
    if isInResult { receiver.skip(key: key) }
    position += 1
  }

  /// A row without values to compare comes where the store has it.
  func receive(key: Int64, failure: PersistenceError) {
    rowCount += 1
    if map.object(key)?.hasChanges == true {
      leftOutCount += 1
      return
    }
    if sortKeys.isEmpty {
      placeElements { Self.insertionOrder($0.object.key) < Self.insertionOrder(key) }
    }
    if isInResult { receiver.receive(key: key, failure: failure) }
    position += 1
  }

  // MARK: Objects with changes

  /// Places the elements that come after the last row.
  func finish() { placeElements { _ in true } }

  private func placeElements(before isBefore: (Element) -> Bool) {
    while next < elements.count, isBefore(elements[next]) {
      if isInResult { receiver.append(elements[next].object) }
      position += 1
      next += 1
    }
  }

  private var isInResult: Bool { position >= start && position < end }

  /// Saved objects by key, then new ones in the order in which they were made.
  static func insertionOrder(_ key: Int64) -> (Int, Int64) { key > 0 ? (0, key) : (1, -key) }
}

/// Takes a result that is made of rows and of objects with changes.
protocol MergeReceiver: RowReceiver {
  /// Whether it needs rows, or only keys.
  var readsRows: Bool { get }
  /// Takes an object with changes.
  func append(_ object: ManagedObject)
}
