/// Work that is measured at several sizes: how does the cost of one unit grow from one size to the
/// next?
public protocol SizedWorkload: RawRepresentable, Sendable where RawValue == String {
  associatedtype Content: RawRepresentable where Content.RawValue == String

  /// The program that does the work.
  static var program: String { get }

  /// Whether memory is measured, not time.
  var isMemory: Bool { get }
  /// What the sizes count.
  var sizeName: String { get }
  /// What the cost is shared by: what it may grow with.
  var unit: String { get }
  var sizes: [Int] { get }
  /// The size at which `Benchmarks/compare` compares two commits; nil where nothing is timed. Small
  /// enough for a commit whose cost grows with the square.
  var comparedSize: Int? { get }
  /// The name of what the file must hold before the work begins; nil for a new file.
  var contentName: String? { get }
  /// Whether that depends on the size.
  var contentGrows: Bool { get }
  /// What the cost is set beside.
  var reference: GrowthWorkload.Reference? { get }
}

extension SizedWorkload {
  /// The sizes of a first look.
  public var quickSizes: [Int] { isMemory ? [100_000] : Array(sizes.dropLast()) }
  public var contentGrows: Bool { true }
  public var reference: GrowthWorkload.Reference? { nil }
}

/// Work whose cost must grow with its result and its changes, and with nothing else.
///
/// Each is measured at several sizes; what counts is how the cost of one unit grows from one size
/// to the next. It should not grow.
public enum GrowthWorkload: String, CaseIterable, SizedWorkload {
  /// Count a table while one object is not saved.
  case countPending
  /// Fetch all ids of a table while one object is not saved.
  case idsPending
  /// Fetch the first ten objects of an indexed order while one object is not saved.
  case limitPending
  /// Find a tag by its name, make it when it is absent; one save at the end.
  case findOrCreate
  /// Fetch ten objects while many of another entity are not saved.
  case besidePending
  /// Fetch the first object of an indexed order while many have a change that the fetch does not
  /// read.
  case limitBesideChanges
  /// Count objects with a value while many have a change that the count does not read.
  case countBesideChanges
  /// Update one object by a batch, and delete one, while the context has many.
  case batchBesideObjects
  /// Undo a transaction with one save while the context has many objects.
  case undoBesideObjects
  /// Save new objects of which each second one becomes a stored one.
  case becoming
  /// Read `id` after objects of two entities were inserted alternately.
  case idAfterTurns
  /// Fetch the last ten to twenty objects of an indexed attribute, without an order.
  case range
  /// Read the JSON of a model and open its store.
  case openModel
  /// Read the texts of conditions, of which no two are equal.
  case conditionTexts
  /// Insert and delete, never save: the memory at the end.
  case memoryUnsaved
  /// Insert, save, delete, save: the memory at the end.
  case memorySaved
  /// The same with two entities alternately.
  case memoryTurns

  public static let program = "bench-growth"

  public var isMemory: Bool {
    self == .memoryUnsaved || self == .memorySaved || self == .memoryTurns
  }

  public var sizeName: String {
    switch self {
    case .countPending, .idsPending, .limitPending, .range: "rows"
    case .findOrCreate: "questions"
    case .openModel: "entities"
    case .conditionTexts: "texts"
    case .besidePending: "pending objects"
    case .limitBesideChanges, .countBesideChanges: "changed objects"
    case .batchBesideObjects, .undoBesideObjects: "objects"
    case .idAfterTurns: "pairs"
    case .becoming: "new objects"
    case .memoryUnsaved, .memorySaved, .memoryTurns: "inserts and deletes"
    }
  }

  public var unit: String {
    switch self {
    case .countPending, .idsPending: "row"
    case .limitPending, .besidePending, .range, .limitBesideChanges: "fetch"
    case .countBesideChanges: "count"
    case .batchBesideObjects: "batch"
    case .undoBesideObjects: "transaction"
    case .findOrCreate: "question"
    case .openModel: "entity"
    case .conditionTexts: "text"
    case .idAfterTurns: "id"
    case .becoming: "new object"
    case .memoryUnsaved, .memorySaved, .memoryTurns: "insert and delete"
    }
  }

  public var sizes: [Int] {
    switch self {
    case .countPending, .idsPending, .limitPending, .range: [10_000, 100_000, 1_000_000]
    case .findOrCreate, .idAfterTurns, .limitBesideChanges, .countBesideChanges,
      .batchBesideObjects, .undoBesideObjects, .becoming:
      [1000, 10_000, 100_000]
    case .besidePending: [500, 5000, 50_000]
    case .openModel: [6, 60, 600]
    case .conditionTexts: [100, 1000, 10_000]
    case .memoryUnsaved, .memorySaved, .memoryTurns: [1_000_000]
    }
  }

  public var comparedSize: Int? {
    switch self {
    case .countPending, .idsPending, .limitPending: 20_000
    case .findOrCreate, .besidePending, .idAfterTurns, .limitBesideChanges, .countBesideChanges,
      .batchBesideObjects, .undoBesideObjects, .becoming:
      2000
    case .range: 20_000
    case .openModel: 60
    case .conditionTexts: 1000
    case .memoryUnsaved, .memorySaved, .memoryTurns: nil
    }
  }

  /// What the file must hold before the work begins.
  public var content: Content {
    switch self {
    case .countPending, .idsPending, .limitPending: .items
    case .range: .tags
    case .besidePending: .fewItems
    case .limitBesideChanges, .countBesideChanges, .batchBesideObjects, .undoBesideObjects: .tags
    case .findOrCreate, .idAfterTurns, .becoming, .openModel, .conditionTexts, .memoryUnsaved,
      .memorySaved, .memoryTurns:
      .nothing
    }
  }

  /// What stands in a file.
  public enum Content: String, Sendable {
    case nothing
    /// As many items as the size says.
    case items
    /// 10,000 items, for every size.
    case fewItems
    /// As many tags as the size says.
    case tags
  }

  public var contentName: String? { content == .nothing ? nil : content.rawValue }

  public var contentGrows: Bool { content != .fewItems }

  public var reference: Reference? {
    switch self {
    case .countPending, .idsPending, .limitPending, .besidePending: .nothingPending
    case .idAfterTurns: .oneEntity
    case .becoming: .noConflict
    case .findOrCreate, .range: .floor
    case .limitBesideChanges, .countBesideChanges, .batchBesideObjects, .undoBesideObjects,
      .openModel, .conditionTexts, .memoryUnsaved, .memorySaved, .memoryTurns:
      nil
    }
  }

  public enum Reference: Sendable {
    /// The same call with nothing unsaved, in the same process.
    case nothingPending
    /// The same call after one entity alone was inserted, in the same process.
    case oneEntity
    /// The same save without a conflict, in the same process.
    case noConflict
    /// The C program.
    case floor

    public var title: String {
      switch self {
      case .nothingPending: "nothing pending"
      case .oneEntity: "one entity alone"
      case .noConflict: "no conflict"
      case .floor: "the floor"
      }
    }
  }
}

extension GrowthWorkload {
  /// The names of tags: sixteen letters each.
  public static func names(_ count: Int) -> [String] {
    (0..<count).map { index in
      var random = SplitMix(seed: UInt64(index) &+ 0x7a6)
      return String(
        decoding: (0..<16).map { _ in UInt8(97 + random.next() % 26) }, as: UTF8.self)
    }
  }

  /// The name that the number-th question asks for: each tenth has been there before.
  public static func askedName(_ number: Int) -> Int {
    number % 10 == 9 ? number / 20 * 10 : number
  }

  /// The first rank of a call's range, which goes to the end.
  public static func rangeStart(_ call: Int, rows: Int) -> Int64 {
    Int64(rows - 20 + call % 11)
  }
}
