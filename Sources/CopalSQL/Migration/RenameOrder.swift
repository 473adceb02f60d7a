/// The renamings of tables or columns, in an order in which each new name is free.
///
/// Names that differ only in case are the same name for a database.
struct RenameOrder {
  let steps: [Rename]

  /// - Parameters:
  ///   - renames: the old and the new names.
  ///   - names: all names that there are, with the old ones.
  ///   - temporary: what a temporary name begins with. No other name begins with it.
  init(_ renames: [Rename], among names: [String], temporary: String) {
    var taken = Set(names.map { $0.lowercased() })
    var waiting = renames.filter { $0.old != $0.new }
    var steps: [Rename] = []
    func add(_ old: String, _ new: String) {
      steps.append(Rename(old, to: new))
      taken.remove(old.lowercased())
      taken.insert(new.lowercased())
    }
    while let first = waiting.first {
      if let free = waiting.firstIndex(where: { !taken.contains($0.new.lowercased()) }) {
        let rename = waiting.remove(at: free)
        add(rename.old, rename.new)
      } else {
        // A ring, or another case of the same letters.
        let name = "\(temporary)\(steps.count)"
        add(first.old, name)
        waiting[0] = Rename(name, to: first.new)
      }
    }
    self.steps = steps
  }
}

/// The old name of a table or a column, and the new one.
public struct Rename: Sendable, Equatable {
  /// The name until now.
  public let old: String
  /// The name from now on.
  public let new: String

  package init(_ old: String, to new: String) {
    self.old = old
    self.new = new
  }
}
