import CopalModel

/// Which names of an older model are which of a newer one.
///
/// A renaming applies if the older model does not have the new name and has a former one; of a list
/// of former names, the first that it has. So the names of old versions do no harm. A name that
/// another renaming has taken counts as one that the older model does not have: `a` can become `b`
/// and `c` become `a` at once. All other names mean the same in both models.
struct NamePairs: Sendable {
  /// The old name of each new one that has one.
  let oldByNew: [String: String]
  /// The new name of each old one that has one.
  let newByOld: [String: String]

  /// - Parameters:
  ///   - new: the names of the newer model, with their former names.
  ///   - old: the names of the older model.
  init(_ new: [(name: String, former: [String])], old: Set<String>) {
    var pairs: [String: String] = [:]
    var taken: Set<String> = []
    var waiting = new.filter { !$0.former.isEmpty }
    var isChanged = true
    while isChanged {
      isChanged = false
      for (place, thing) in waiting.enumerated().reversed() {
        if old.contains(thing.name), !taken.contains(thing.name) { continue }
        guard let former = thing.former.first(where: { old.contains($0) && !taken.contains($0) })
        else { continue }
        taken.insert(former)
        pairs[thing.name] = former
        waiting.remove(at: place)
        isChanged = true
      }
    }
    for (name, _) in new where pairs[name] == nil && old.contains(name) && !taken.contains(name) {
      pairs[name] = name
    }
    oldByNew = pairs
    newByOld = Dictionary(pairs.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
