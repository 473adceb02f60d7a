import CopalTestSupport

/// A store and contexts that merge and resolve conflicts, in dictionaries. It shares no code with
/// the library: it is written from the tables of the guides "Contexts" and "Saving".
struct PlainWorld {
  /// A row, with a number that no other row has ever had.
  struct Row: Equatable {
    var values: [String: Int] = [:]
    /// The name of the box of a card.
    var box: String?
    var version = 0

    func value(_ name: String) -> Int { values[name] ?? 0 }

    func isSame(as other: Row) -> Bool {
      box == other.box && ["a", "b"].allSatisfy { value($0) == other.value($0) }
    }
  }

  struct Link: Hashable, Codable {
    let card: String
    let tag: String

    func has(_ name: String) -> Bool { card == name || tag == name }
  }

  enum Policy: Int, CaseIterable, Codable {
    case error, storeTrump, objectTrump, overwrite, rollback, sum
  }

  /// What is stored, by the names that objects have in the test.
  struct Store {
    var rows: [String: Row] = [:]
    var links: Set<Link> = []
    private(set) var time = 0
    /// What each process has written last, and when; nil is a deletion.
    private(set) var writes: [Int: [String: (time: Int, row: Row?)]] = [:]

    mutating func begin() { time += 1 }

    /// Writes a row; nil deletes it, with its links.
    mutating func write(_ name: String, _ row: Row?, process: Int) {
      rows[name] = row
      rows[name]?.version = time
      writes[process, default: [:]][name] = (time, rows[name])
      if row == nil { links = links.filter { !$0.has(name) } }
    }
  }

  /// An object of a context that the test has read or inserted there.
  struct Object {
    var row = Row()
    /// What was set, also to the value of the row.
    var pending: [String: Int] = [:]
    /// The box that was set: the inner nil is none.
    var box: String??
    var isNew = false
    var isChanged = false
    var isDeleting = false
    /// Others have deleted it, and it has changes.
    var isMissing = false
    var isGone = false
    /// What a merge has found and could not take: the inner nil is a deletion.
    var newest: Row??

    var boxNow: String? { box ?? row.box }
    func value(_ name: String) -> Int { pending[name] ?? row.value(name) }

    /// The names of what the next save writes.
    var changes: Set<String> {
      var names = Set(pending.filter { $0.value != row.value($0.key) }.keys)
      if let box, box != row.box { names.insert("box") }
      return names
    }

    /// The row with the changes.
    var mine: Row {
      var mine = row
      for (name, value) in pending { mine.values[name] = value }
      mine.box = boxNow
      return mine
    }

    mutating func forget() { (pending, box, isChanged, isDeleting) = ([:], nil, false, false) }

    /// Forgets the changes, and takes what a merge could not take before.
    mutating func discardChanges() {
      forget()
      switch newest {
      case .some(.some(let row)): (self.row, isMissing) = (row, false)
      case .some(.none): leave()
      case .none: break
      }
      newest = nil
    }

    mutating func leave() {
      (isGone, isMissing) = (true, true)
      forget()
    }
  }

  struct Context {
    var objects: [String: Object] = [:]
    var added: Set<Link> = []
    var removed: Set<Link> = []
    /// The unsaved links of objects that have left.
    var left: [String: Set<Link>] = [:]
    var policy = Policy.error
    var process = 0
    /// The time of the last merge.
    var merged = 0

    /// Without objects that only count as changed because their lists were.
    var hasOwnChanges: Bool {
      !added.isEmpty || !removed.isEmpty
        || objects.values.contains {
          !$0.isGone && ($0.isNew || $0.isDeleting || !$0.changes.isEmpty)
        }
    }

    func isDeleting(_ name: String) -> Bool { objects[name]?.isDeleting == true }
  }

  var store = Store()
  var contexts: [Context]

  /// - Parameter process: that of the last context; the others are in process 0.
  init(_ policies: [Policy], lastProcess: Int = 0) {
    contexts = policies.map {
      var context = Context()
      context.policy = $0
      return context
    }
    contexts[policies.count - 1].process = lastProcess
  }

  /// The tags of a card, as a context shows them that has just merged.
  func tags(of card: String, in context: Context) -> Set<String> {
    let links = store.links.union(context.added).subtracting(context.removed)
    return Set(links.filter { $0.card == card && !context.isDeleting($0.tag) }.map(\.tag))
  }
}
