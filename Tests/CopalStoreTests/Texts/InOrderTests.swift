import CopalEssentials
import Testing

@Suite("One sort for all types of elements")
struct InOrderTests {
  @Test("equal elements stay in their order, also many of them")
  func isStable() {
    let pairs = [("b", 1), ("a", 2), ("b", 3), ("a", 4), ("", 5), ("b", 6)]
    #expect(pairs.inOrder { $0.0 < $1.0 }.map(\.1) == [5, 2, 4, 1, 3, 6])
    // 1,000 numbers by their last digit: 0, 10, 20 and so on, then 1, 11, 21.
    let numbers = (0..<1000).inOrder { $0 % 10 < $1 % 10 }
    #expect(numbers == (0..<10).flatMap { digit in (0..<100).map { $0 * 10 + digit } })
  }

  @Test("numbers and texts are sorted from the least to the greatest, from any sequence")
  func sortsNumbersAndTexts() {
    #expect([3, -1, 2, .min, 2].inOrder() == [.min, -1, 2, 2, 3])
    #expect(Set<Int64>([7, .max, 0]).inOrder() == [0, 7, .max])
    #expect(["b": 1, "": 2, "a": 3].keys.inOrder() == ["", "a", "b"])
    #expect([2.5, -0.5, 1].inOrder() == [-0.5, 1, 2.5])
    #expect([Int]().inOrder().isEmpty && [(1, 2)].inOrder { $0.0 < $1.0 }.count == 1)
  }
}
