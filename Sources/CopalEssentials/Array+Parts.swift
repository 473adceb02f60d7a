extension Array {
  /// The elements in their order, in parts of at most a number of them.
  @inlinable
  package func parts(of count: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: self.count, by: count).map {
      self[$0..<Swift.min($0 + count, self.count)]
    }
  }
}
