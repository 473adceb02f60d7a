import BenchKit

// Work with relationships: beside other programs, at several sizes, and the reads of properties. A
// program of its own, so that `Benchmarks/compare` can build the others with commits that had no
// relationships.
let name = CommandLine.arguments.dropFirst().first ?? ""
if name == "accessors" {
  try measureAccessors()
} else if RelationshipWorkload(rawValue: name) != nil {
  relationshipProgram(work)
} else {
  sizedProgram(fill: fill) { (workload: RelationshipGrowth, size, file, budget) in
    switch workload {
    case .insertChildren: try insertChildren(size, file)
    case .readList: try readList(file, budget)
    case .saveIntoList: try saveIntoList(size, file, budget)
    case .removeFirst: try removeFirst(size, file, budget)
    case .moveToFront: try moveToFront(size, file, budget)
    case .insertSorted: try insertSorted(size, file, budget)
    case .changeSorted: try changeSorted(size, file, budget)
    case .refreshMember: try refreshMember(size, file, budget)
    case .cascadeOne: try cascadeOne(size, file)
    case .cascadeChain: try cascadeChain(size, file)
    }
  }
}
