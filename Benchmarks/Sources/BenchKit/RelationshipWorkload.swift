/// The work with relationships that the programs do: each parent has a hundred children.
///
/// The number of rows is that of the children. These are not cases of ``Workload``, because the
/// programs of older commits have no relationships.
public enum RelationshipWorkload: String, CaseIterable, ProgramWorkload {
  /// Make parents and children, set the relationship from either end in turn, save, into a fresh
  /// file.
  case insertGraph
  /// Fetch every parent with its children, touch every object.
  case children
  /// The same, with nothing said of the children before they are read.
  case childrenLazy
  /// Fetch every child with its parent, touch every object.
  case parents
  /// Fetch a tenth of the children in the order of an attribute, move them to one other parent,
  /// save.
  case move
  /// Fetch every parent with its children, delete the parents and so the children, save.
  case cascade
  /// Fetch the parents alone, delete them and so the children, save: nobody has the children in
  /// memory, and they have no hooks.
  case cascadeRows

  public static let maker = insertGraph
  public static let copalProgram = "bench-relationships"

  public var changesFile: Bool { self == .move || self == .cascade || self == .cascadeRows }

  public var repeats: Int { self == .insertGraph ? 2 : 4 }
}

/// The data of the work with relationships: the same for every program.
public struct Family {
  /// The attributes of each parent; its rank is its position.
  public var parents: [Row]
  /// The attributes of each child: a hundred of each parent, one parent after the other.
  public var children: [Row]

  public static let childrenPerParent = 100

  public static func make(_ children: Int) -> Family {
    let rows = Row.make(children)
    let count = (children + childrenPerParent - 1) / childrenPerParent
    return Family(parents: Array(rows.prefix(count)), children: rows)
  }

  /// The position of a child's parent.
  public static func parent(ofChild position: Int) -> Int { position / childrenPerParent }
}

extension Checksum {
  /// Adds a child and its parent, so that sums differ when a child has another parent.
  @inlinable @inline(__always)
  public mutating func add(child count: Int64, parent rank: Int64) { add(count &* (rank &+ 1)) }
}
