import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("Mutated model files")
struct MutationTests {
  private static let seed: UInt64 = 20_240_517
  /// The number of mutations of each file; `COPAL_MUTATIONS` sets another one.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_MUTATIONS"].flatMap(Int.init) ?? 100

  @Test(
    "mutations of each model file give a model, or problems at positions inside the file",
    arguments: try Repository.goodModels())
  func mutations(path: String) throws {
    let original = Array(try Repository.text(path).utf8)
    var random = SplitMix(seed: Self.seed)
    for index in 0..<Self.count {
      var text = original
      for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&text, &random) }
      let lines = lineLengths(of: text)
      for problem in problems(in: text) {
        let place = problem.position
        let isInside =
          lines.indices.contains(place.line - 1)
          && (1...(lines[place.line - 1] + 1)).contains(place.column)
        #expect(isInside, "\(path), seed \(Self.seed), mutation \(index): \(problem)")
      }
    }
  }

  private func mutate(_ text: inout [UInt8], _ random: inout SplitMix) {
    guard let index = text.indices.randomElement(using: &random) else { return }
    let length = min(Int.random(in: 1...12, using: &random), text.count - index)
    switch Int.random(in: 0...5, using: &random) {
    case 0: text.removeSubrange(index..<index + length)
    case 1: text.insert(contentsOf: text[index..<index + length], at: index)
    case 2:
      if let other = text.indices.randomElement(using: &random) { text.swapAt(index, other) }
    case 3: text[index] = UInt8.random(in: 0...255, using: &random)
    case 4: text.insert(Array("{}[]\",:/*\\?".utf8).randomElement(using: &random) ?? 0, at: index)
    default: text.removeLast(length)
    }
  }

  /// The length in bytes of each line, as the reader counts lines.
  private func lineLengths(of text: [UInt8]) -> [Int] {
    var lengths = [0]
    for (index, byte) in text.enumerated() {
      let isLineFeed = byte == UInt8(ascii: "\n")
      if isLineFeed, index > 0, text[index - 1] == UInt8(ascii: "\r") { continue }
      if isLineFeed || byte == UInt8(ascii: "\r") {
        lengths.append(0)
      } else {
        lengths[lengths.count - 1] += 1
      }
    }
    return lengths
  }
}
