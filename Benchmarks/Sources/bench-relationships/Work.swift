import BenchKit
import Copal
import RelationshipModel

/// The work that other programs do, too. Each has its own context, so that releasing everything is
/// part of the measurement, as in the other programs. It lives until the end of the work: without
/// their context, objects have no related objects.
func work(_ workload: RelationshipWorkload, _ rows: Int, _ file: String) throws -> () throws ->
  UInt64
{
  switch workload {
  case .insertGraph:
    let family = Family.make(rows)
    return {
      let context = try open(file).makeContext()
      let parents = makeObjects(family, in: context)
      try context.save()
      return try countOfChildren(of: parents.last, in: context)
    }
  case .children:
    let container = try open(file)
    return {
      let request = Parent.fetchRequest().prefetching(\.children)
      return try checksum(request, in: container.makeContext())
    }
  case .childrenLazy:
    let container = try open(file)
    return { try checksum(Parent.fetchRequest(), in: container.makeContext()) }
  case .parents:
    let container = try open(file)
    return {
      let context = container.makeContext()
      return try withExtendedLifetime(context) {
        var sum = Checksum()
        for child in try context.fetch(Child.fetchRequest().prefetching(\.parent)) {
          if let parent = child.parent { sum.add(child: child.count, parent: parent.rank) }
        }
        return sum.value
      }
    }
  case .move:
    let container = try open(file)
    return {
      let context = container.makeContext()
      let parents = try context.fetch(Parent.self)
      let former = parents.prefix(parents.count / 10)
      let children = try context.fetch(Child.self, sortedBy: \.ratio.ascending) {
        $0.parent.isIn(former)
      }
      for child in children { child.parent = parents.last }
      try context.save()
      return try countOfChildren(of: parents.last, in: context)
    }
  case .cascade:
    let container = try open(file)
    return {
      try delete(Parent.fetchRequest().prefetching(\.children), in: container.makeContext())
    }
  case .cascadeRows:
    let container = try open(file)
    return { try delete(Parent.fetchRequest(), in: container.makeContext()) }
  }
}

/// Reads every child of what a request finds.
private func checksum(_ request: FetchRequest<Parent>, in context: ManagedObjectContext) throws
  -> UInt64
{
  try withExtendedLifetime(context) {
    var sum = Checksum()
    for parent in try context.fetch(request) {
      let rank = parent.rank
      for child in parent.children { sum.add(child: child.count, parent: rank) }
    }
    return sum.value
  }
}

/// The number of all children and of those of one parent.
private func countOfChildren(of parent: Parent?, in context: ManagedObjectContext) throws -> UInt64
{
  let all = try context.count(Child.self)
  return UInt64(all * 1_000_000 + (try context.count(Child.self) { $0.parent == parent }))
}

/// Deletes what a request finds.
///
/// - Returns: how many objects there were, and how many there are.
private func delete(_ request: FetchRequest<Parent>, in context: ManagedObjectContext) throws
  -> UInt64
{
  let parents = try context.fetch(request)
  for parent in parents { context.delete(parent) }
  try context.save()
  let rest = try context.count(Parent.self) + context.count(Child.self)
  return UInt64(parents.count * 1_000_000 + rest)
}
