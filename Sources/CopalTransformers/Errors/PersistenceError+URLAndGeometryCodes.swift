import CopalModel
public import CopalStore

/// What ``RelativeURLTransformer`` and the transformers of points, sizes and rectangles find wrong.
extension PersistenceError.Code {
  /// The base of relative URLs is not known.
  public static let missingBase = Self("transformer.missingBase") {
    "the transformer '\($0.foundText)' has no base now, so that file URLs can be neither read nor saved; give it the URL of the folder first; the stored value is kept unchanged"
  }
  /// The base of relative URLs is not the file URL of a folder.
  public static let invalidBase = Self("transformer.invalidBase") {
    "the base of the transformer '\($0.foundText)' is not the file URL of a folder; make it with URL(filePath:)"
  }
  /// A stored relative URL could lead out of its base.
  public static let outsideBase = Self("transformer.outsideBase") {
    "the stored relative URL could lead out of its base, because it has \($0.foundText); the stored value is kept unchanged; correct it in the store, or set the attribute"
  }
  /// A URL that is to be saved has no scheme.
  public static let missingScheme = Self("transformer.missingScheme") {
    "the URL has no scheme, so that it could not be distinguished from a URL relative to \($0.expectedText); make file URLs with URL(filePath:)"
  }
  /// A coordinate that is to be saved is not a number.
  public static let transformerNotANumber = Self("transformer.notANumber") {
    "a coordinate or length of the \($0.expectedText) is NaN, which equals no value; set numbers, or nil for no value"
  }
}
