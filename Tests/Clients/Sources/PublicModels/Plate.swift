import Copal

/// A class written by hand between two generated ones.
nonisolated public class Plate: Sheet {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    notes = "plate"
  }

  public override func validateForInsert() throws {
    try super.validateForInsert()
    if width > 1000 { throw PlateError.tooWide }
  }
}

public enum PlateError: Error {
  case tooWide
  case stateless
}
