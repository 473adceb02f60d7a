import CopalModel
import CopalStore

/// Merges the rows of a store, in order, with the changed objects.
///
/// Only rows within the request's offset and limit reach the receiver; other rows make no object.
final class PendingMerge: RowReceiver {
  /// A changed object that matches the condition, with the sorted forms of its values of the sort
  /// keys.
  struct Element {
    var object: ManagedObject
    var values: [PropertyValue]
  }

  private let layout: EntityLayout
  private let schema: StoreSchema
  private let changes: ChangedRows
  private let sortKeys: [BoundSortKey]
  private let elements: [Element]
  private let receiver: any MergeReceiver
  private let start: Int
  private let end: Int
  /// The next of the elements.
  private var next = 0
  /// The position in the result of the next object.
  private var position = 0
  private var current: Row = .leftOut
  /// The number of rows of the page so far, and of those whose objects have changes.
  private(set) var rowCount = 0
  private(set) var leftOutCount = 0

  /// The handling of the current row.
  private enum Row {
    /// Its object has changes; it is one of the elements if it matches the condition.
    case leftOut
    /// The row is in the result at the position.
    case placed
    /// The row must first be compared with the next element.
    case compared
  }

  init(
    _ changes: ChangedRows, _ runtime: EntityRuntime, _ schema: StoreSchema, _ query: StoreQuery,
    elements: [Element], receiver: any MergeReceiver
  ) {
    layout = runtime.layout
    self.schema = schema
    self.changes = changes
    sortKeys = query.sortKeys
    self.elements = elements
    self.receiver = receiver
    start = query.offset
    end = query.limit.map { $0 + query.offset } ?? Int.max
  }

  /// Whether the order depends on values, so that rows must be read.
  var comparesValues: Bool { !sortKeys.isEmpty && !elements.isEmpty }

  /// Whether the result is complete.
  var isComplete: Bool { position >= end }

  /// The first row that the store must return. All rows before it are before the offset, wherever
  /// the elements are, unless some rows are left out.
  ///
  /// - Parameter savedCount: the number of rows that may be left out.
  func firstRow(savedCount: Int) -> Int {
    position = savedCount == 0 ? max(0, start - elements.count) : 0
    return position
  }

  func beginPage() { (rowCount, leftOutCount) = (0, 0) }

  // MARK: Rows

  func wantsRow(key: Int64, version: Int64) -> Bool {
    rowCount += 1
    if changes.contains(key) {
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
      let values = sortKeys.sortedForms { schema.value(base, $0, of: layout) }
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

  /// A row without readable values keeps the store's position.
  func receive(key: Int64, failure: PersistenceError) {
    rowCount += 1
    if changes.contains(key) {
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

  /// Adds the elements after the last row.
  func finish() { placeElements { _ in true } }

  private func placeElements(before isBefore: (Element) -> Bool) {
    while next < elements.count, isBefore(elements[next]) {
      if isInResult { receiver.append(elements[next].object) }
      position += 1
      next += 1
    }
  }

  private var isInResult: Bool { position >= start && position < end }

  /// Saved objects by key, then new objects in the order of their insertion.
  static func insertionOrder(_ key: Int64) -> (Int, Int64) { key > 0 ? (0, key) : (1, -key) }
}

/// The rows of an entity whose objects have changes that concern a query.
struct ChangedRows {
  private let map: IdentityMap
  private let runtime: EntityRuntime
  private let read: ReadSlots?

  /// - Parameter read: the slots that the query reads; nil when all changes concern it.
  init(_ state: ContextState, _ runtime: EntityRuntime, _ read: ReadSlots?) {
    map = state.maps[runtime.index]
    self.runtime = runtime
    self.read = read
  }

  /// Whether the object of a row has changes. The context may have it as an object of another
  /// entity, which is not that of the row any more.
  func contains(_ key: Int64) -> Bool {
    guard let object = map.object(key), object.hasChanges(in: read) else { return false }
    return !runtime.isInFamily || object.isObject(of: runtime.index)
  }
}
