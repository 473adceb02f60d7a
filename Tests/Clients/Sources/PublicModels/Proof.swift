import Copal

/// A class written by hand below a generated one.
nonisolated public final class Proof: Etching {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    notes = (notes ?? "") + ", proof"
  }

  public override func validateForInsert() throws {
    try super.validateForInsert()
    if state == nil { throw PlateError.stateless }
  }
}
