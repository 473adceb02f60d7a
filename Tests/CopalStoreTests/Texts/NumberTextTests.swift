import CopalEssentials
import Testing

@Suite("One parser of integers for all types of texts")
struct NumberTextTests {
  @Test(
    "a text is a whole number, with a sign or without",
    arguments: [
      ("0", 0), ("12", 12), ("-12", -12), ("+12", 12), ("007", 7), ("", nil), ("-", nil),
      ("1.5", nil), (" 1", nil), ("1 ", nil), ("1e3", nil), ("0x1F", nil), ("\u{0661}", nil),
      ("9223372036854775807", .max), ("9223372036854775808", nil),
      ("-9223372036854775808", .min), ("-9223372036854775809", nil),
    ] as [(String, Int64?)])
  func readsIntegers(_ text: String, _ number: Int64?) {
    #expect(Int64(written: text) == number)
    #expect(Int(written: text) == number.map(Int.init))
  }

  @Test("of another base, and beyond 64 bits")
  func readsOtherNumbers() {
    #expect(Int64(written: "-ff", radix: 16) == -255)
    #expect(Int64(written: "102", radix: 2) == nil)
    #expect(UInt64(hexadecimal: "7f00000010Ab") == 139_637_976_731_819)
    #expect(UInt64(hexadecimal: "ffffffffffffffff") == .max)
    #expect(UInt64(hexadecimal: "10000000000000000") == nil)
    #expect(UInt64(hexadecimal: "fg") == nil && UInt64(hexadecimal: "-1") == nil)
    #expect(UInt128(written: "340282366920938463463374607431768211455") == .max)
    #expect(UInt128(written: "340282366920938463463374607431768211456") == nil)
  }
}
