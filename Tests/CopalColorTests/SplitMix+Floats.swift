import CopalTestTools

extension SplitMix {
  /// Any finite float: every exponent, subnormal numbers and both zeros included.
  mutating func finiteFloat() -> Float {
    while true {
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: next()))
      if float.isFinite { return float }
    }
  }
}
