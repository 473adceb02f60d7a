/// The sets of Foundation that do not have their elements in an array. The keys are those of its
/// open source:
/// <https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/Foundation/NSOrderedSet.swift>
/// and `NSSet.swift`.
extension FoundationForm {
  /// The elements of an `NSOrderedSet`: `NS.object.0`, `NS.object.1`, and so on.
  func orderedElements() throws(ArchiveError) -> [PropertyListValue] {
    var elements: [PropertyListValue] = []
    while let element = fields["NS.object.\(elements.count)"] { elements.append(element) }
    // Elements behind a gap are not lost silently.
    let count = fields.pairs.count { $0.key.hasPrefix("NS.object") }
    guard count == elements.count else {
      throw wrong("NS.object.\(elements.count)", "an element", "nothing")
    }
    return elements
  }

  /// The elements of an `NSCountedSet` and how often each is in it: `NS.object0` and `NS.count0`,
  /// and so on, `NS.count` times.
  func countedElements() throws(ArchiveError) -> [(value: PropertyListValue, count: Int)] {
    guard let count = fields["NS.count"]?.integer, count >= 0 else {
      throw wrong("NS.count", "a count", fields["NS.count"]?.kind ?? "nothing")
    }
    var elements: [(value: PropertyListValue, count: Int)] = []
    while elements.count < count {
      let number = elements.count
      let value = try field("NS.object\(number)")
      guard let times = fields["NS.count\(number)"]?.integer, times > 0,
        let times = Int(exactly: times)
      else {
        throw wrong(
          "NS.count\(number)", "an integer above 0",
          fields["NS.count\(number)"]?.kind ?? "nothing")
      }
      elements.append((value, times))
    }
    return elements
  }
}
