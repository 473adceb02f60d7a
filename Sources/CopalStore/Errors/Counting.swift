extension Int {
  /// The number with a unit, for messages: `1 byte`, `2 bytes`.
  package func counted(_ unit: String) -> String { self == 1 ? "1 \(unit)" : "\(self) \(unit)s" }
}
