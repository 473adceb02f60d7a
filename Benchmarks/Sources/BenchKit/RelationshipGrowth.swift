/// Work with relationships whose cost must grow with the number of the related objects, and no
/// faster.
///
/// These are not cases of ``GrowthWorkload``, because the programs of older commits have no
/// relationships.
public enum RelationshipGrowth: String, CaseIterable, SizedWorkload {
  /// Insert children of one parent; one save at the end.
  case insertChildren
  /// Fetch one parent, read its children.
  case readList
  /// Save children one by one into the list of one parent, which has been read.
  case saveIntoList
  /// Remove children from the front of the list of one parent; one save at the end.
  case removeFirst
  /// Move the last object of an ordered list to its front.
  case moveToFront
  /// Insert an object into a sorted list, and read the first one.
  case insertSorted
  /// Change the value by which an object of a list is sorted, and read the first one.
  case changeSorted
  /// Refresh an object of a list that has been read, and read it again.
  case refreshMember
  /// Delete one parent and so its children.
  case cascadeOne
  /// Delete a folder that has a folder that has a folder, and so on.
  case cascadeChain

  public static let program = "bench-relationships"

  public var isMemory: Bool { false }

  public var sizeName: String {
    switch self {
    case .cascadeChain: "folders"
    case .moveToFront, .insertSorted, .changeSorted: "pages"
    default: "children"
    }
  }

  public var unit: String {
    switch self {
    case .insertChildren, .readList, .cascadeOne: "child"
    case .saveIntoList: "save"
    case .removeFirst: "removal"
    case .moveToFront: "move"
    case .insertSorted, .changeSorted: "change and read"
    case .refreshMember: "refresh and read"
    case .cascadeChain: "folder"
    }
  }

  public var sizes: [Int] {
    self == .readList ? [10_000, 100_000, 1_000_000] : [1000, 10_000, 100_000]
  }

  public var comparedSize: Int? {
    switch self {
    case .insertChildren, .readList, .cascadeOne: 20_000
    case .saveIntoList, .removeFirst, .cascadeChain, .moveToFront, .insertSorted, .changeSorted,
      .refreshMember:
      2000
    }
  }

  public var content: Content { self == .readList ? .oneFamily : .nothing }

  /// What stands in a file.
  public enum Content: String, Sendable {
    case nothing
    /// One parent with as many children as the size says.
    case oneFamily
  }

  public var contentName: String? { content == .nothing ? nil : content.rawValue }
}
