/// The keys of one result, in its order: what one of its objects lacks is read for its neighbors
/// too.
final class Cohort {
  let keys: [Int64]
  let size: Int
  /// What has made the objects; nil when it is not known.
  let origin: CohortOrigin?
  /// The position of each key. Built when keys are not read in the order of the result.
  private var positions: [Int64: Int] = [:]
  private var next = 0

  init(keys: [Int64], size: Int, origin: CohortOrigin? = nil) {
    self.keys = keys
    self.origin = origin
    self.size = max(1, size)
  }

  /// The group of keys that are fetched together with a key.
  ///
  /// The groups are fixed, so that reading in any order needs no more statements than reading from
  /// the front.
  func neighbors(of key: Int64) -> ArraySlice<Int64> {
    guard let position = position(of: key) else { return [key] }
    let start = position - position % size
    let end = start + min(size, keys.count - start)
    next = end
    return keys[start..<end]
  }

  private func position(of key: Int64) -> Int? {
    if next < keys.count, keys[next] == key { return next }
    if positions.isEmpty {
      positions = Dictionary(
        keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    return positions[key]
  }
}

/// The cohorts of a context, by their number. An object has the number of its own.
struct Cohorts {
  private var cohorts: [UInt32: Cohort] = [:]
  private var last: UInt32 = 0
  private var threshold = leastSweep

  private static let leastSweep = 64

  /// Adds a cohort.
  ///
  /// - Returns: its number.
  mutating func add(_ cohort: Cohort) -> UInt32 {
    let number = reserve()
    set(number, cohort)
    return number
  }

  /// A number for a cohort whose keys are not known yet.
  mutating func reserve() -> UInt32 {
    last &+= 1
    // 0 means none, after 4 billion cohorts.
    if last == 0 { last = 1 }
    return last
  }

  /// Sets the cohort of a number that was reserved.
  mutating func set(_ number: UInt32, _ cohort: Cohort) { cohorts[number] = cohort }

  /// The cohort of an object; nil when it has none.
  func cohort(of object: ManagedObject) -> Cohort? {
    object.cohort == 0 ? nil : cohorts[object.cohort]
  }

  /// Whether enough cohorts were added since the last sweep.
  var isSweepDue: Bool { cohorts.count >= threshold }

  /// Removes the cohorts that no object needs.
  mutating func sweep(_ maps: [IdentityMap]) {
    // A sweep looks at each object of the context, so the more there are, the more cohorts must
    // come before the next one.
    var objectCount = 0
    defer { threshold = max(Self.leastSweep, 2 * cohorts.count, objectCount / 16) }
    guard !cohorts.isEmpty else { return }
    var needed: Set<UInt32> = []
    for map in maps {
      objectCount += map.count
      map.forEach { if $0.needsCohort { needed.insert($0.cohort) } }
    }
    cohorts = cohorts.filter { needed.contains($0.key) }
  }

  mutating func removeAll() { cohorts = [:] }
}

extension ManagedObject {
  /// Whether the object may lack something that its cohort would be read with: its row, or related
  /// objects.
  final var needsCohort: Bool { cohort != 0 && (isFault || runtime.hasRelationships) }
}
