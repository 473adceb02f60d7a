// The sort of the standard library is long, and generic: the compiler makes one for each type of
// elements and each closure, 69 in CopalObjects and CopalStore alone, a twelfth of their code. The
// functions here share one. A sort of many elements with a short closure, where each nanosecond
// counts, uses the standard library's.

extension Range<Int> {
  /// The numbers in an order; equal ones stay in theirs. For the places of a list's elements.
  @usableFromInline
  package func inOrder(by isBefore: (Int, Int) throws -> Bool) rethrows -> [Int] {
    try sorted(by: isBefore)
  }
}

extension Sequence {
  /// The elements in an order; equal ones stay in theirs.
  @inlinable
  package func inOrder(by isBefore: (Element, Element) throws -> Bool) rethrows -> [Element] {
    let elements = Array(self)
    return try elements.indices.inOrder { try isBefore(elements[$0], elements[$1]) }
      .map { elements[$0] }
  }
}

extension Sequence where Element: Comparable {
  /// The elements from the least to the greatest.
  @inlinable
  package func inOrder() -> [Element] { inOrder(by: <) }
}

extension Sequence<Int> {
  /// The numbers from the least to the greatest.
  @inlinable
  package func inOrder() -> [Int] { Array(self).sortedNumbers }
}

extension Sequence<Int64> {
  /// The numbers from the least to the greatest.
  @inlinable
  package func inOrder() -> [Int64] { Array(self).sortedNumbers }
}

extension Sequence<String> {
  /// The texts in the order of `String`.
  @inlinable
  package func inOrder() -> [String] { Array(self).sortedTexts }
}

extension [Int] {
  @usableFromInline package var sortedNumbers: [Int] { sorted() }
}

extension [Int64] {
  @usableFromInline package var sortedNumbers: [Int64] { sorted() }
}

extension [String] {
  @usableFromInline package var sortedTexts: [String] { sorted() }
}
