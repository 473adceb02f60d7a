import BenchKit
import Copal
import Foundation
import RelationshipModel

/// Measures the cost of one read of a relationship. Prints lines of name, tab, nanoseconds, as
/// bench-accessors does.
func measureAccessors() throws {
  let folder = FileManager.default.temporaryDirectory.appending(
    path: "copal-relationships-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appending(path: "accessors.sqlite").path(percentEncoded: false)
  let container = try open(file)
  let writing = container.makeContext()
  _ = makeObjects(Family.make(9900), in: writing)
  try writing.save()
  let context = container.makeContext()
  let parents = try context.fetch(Parent.fetchRequest().prefetching(\.children))
  // One child of each parent: few enough for the first-level cache, so that the access is measured
  // and not the memory.
  let children = parents.compactMap(\.children.first)
  precondition(children.count == 99, "a parent has no child")
  let passes = 1000
  let unmanaged = children.map(Unmanaged.passUnretained)
  var least = Double.infinity
  var found = 0
  for _ in 0..<30 {
    let start = ContinuousClock.now
    for _ in 0..<passes {
      for child in unmanaged {
        found &+= child._withUnsafeGuaranteedRef { $0.parent == nil ? 0 : 1 }
      }
    }
    let time = start.duration(to: .now).components
    least = min(least, Double(time.attoseconds) / 1e9 + Double(time.seconds) * 1e9)
  }
  precondition(found == 30 * passes * children.count, "a child has no parent")
  withExtendedLifetime((children, parents)) {}
  print("to-one in memory\t\(least / Double(passes * children.count))")
}
