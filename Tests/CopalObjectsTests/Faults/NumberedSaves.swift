import Copal
import Foundation

/// Saves whose contents are known by their number: objects with small and large values, which are
/// changed, replaced and deleted.
enum NumberedSaves {
  static let count = 40

  /// The sizes and numbers of the values, by the titles of their objects.
  typealias Contents = [String: Value]

  struct Value: Equatable {
    let size: Int
    let number: UInt8
  }

  /// Does the save of a number.
  static func save(_ number: Int, _ context: ManagedObjectContext) throws {
    let before = contents(after: number - 1)
    let after = contents(after: number)
    for object in try context.fetch(Negative.self) where after[object.title] == nil {
      context.delete(object)
    }
    for (title, value) in after.sorted(by: { $0.key < $1.key }) where before[title] != value {
      let object =
        try context.first(Negative.self) { $0.title == title }
        ?? Negative(context: context, title: title)
      object.scan = bytes(value.size, value.number)
    }
    context.metadata["saves"] = .integer(Int64(number))
    try context.save()
  }

  static func contents(after last: Int) -> Contents {
    var contents: Contents = [:]
    for number in stride(from: 1, through: last, by: 1) {
      let value = Value(
        size: number.isMultiple(of: 2) ? 3000 + number : 40, number: UInt8(number))
      contents["\(number)"] = value
      // An older object gets another large value, and one goes.
      if number.isMultiple(of: 3) { contents["\(number - 1)"] = Value(size: 5000, number: 200) }
      if number.isMultiple(of: 5) { contents["\(number - 4)"] = nil }
    }
    return contents
  }

  /// What a store has.
  static func found(_ context: ManagedObjectContext) throws -> Contents {
    var contents: Contents = [:]
    for object in try context.fetch(Negative.self) {
      let scan = try object.value(of: "scan", as: Data.self) ?? Data()
      let number = UInt8(truncatingIfNeeded: scan.first ?? 0)
      let value = Value(size: scan.count, number: number)
      let isWhole = scan == bytes(scan.count, number)
      contents[object.title] = isWhole ? value : Value(size: -1, number: 0)
    }
    return contents
  }

  /// The number of the last save that a store has.
  static func last(_ context: ManagedObjectContext) throws -> Int {
    guard case .integer(let number)? = try context.metadata.value(of: "saves") else { return 0 }
    return Int(number)
  }

  /// The store in a folder.
  static func store(in folder: URL, isFull: Bool = true) -> StoreConfiguration {
    var options = SQLiteStore.Options()
    options.durability = isFull ? .full : .normal
    return .sqlite(at: folder.appending(path: "store.sqlite"), options: options)
  }

  static func container(in folder: URL, isFull: Bool = true) throws -> PersistentContainer {
    try container(store(in: folder, isFull: isFull))
  }

  static func container(_ store: StoreConfiguration) throws -> PersistentContainer {
    try PersistentContainer(model: .negatives, store: store, transformers: [NegativeNotes()])
  }
}
