import CopalModel
public import CopalStore

/// What the transformers of this module find wrong with values and stored forms. These errors are
/// among the causes of `transformer.encodeFailed` and `transformer.decodeFailed`, which name the
/// entity, the attribute and the object.
extension PersistenceError.Code {
  /// The type of the attribute has no case for a stored raw value.
  public static let unknownRawValue = Self("transformer.unknownRawValue") {
    "the stored raw value is not one of \($0.expectedText); a newer version of the program may have written it; add the case, or update the program"
  }
  /// A type that is made from texts does not accept the stored text.
  public static let invalidText = Self("transformer.invalidText") {
    "the stored text is not a text of \($0.expectedText); check whether another transformer wrote it"
  }
  /// A stored collection, or an element in it, has a form that its transformer does not write.
  public static let collectionForm = Self("transformer.collectionForm") {
    "the stored property list has \($0.foundText), but the transformer stores \($0.expectedText); check whether another transformer wrote it"
  }
  /// The transformer of the elements of a collection could not encode one of them. Nothing was
  /// written.
  public static let encodedElement = Self("transformer.encodedElement") {
    "the element at \($0.foundText) could not be encoded; correct the value or the transformer of the elements"
  }
  /// The transformer of the elements of a collection could not decode one of them.
  public static let decodedElement = Self("transformer.decodedElement") {
    "the element at \($0.foundText) could not be decoded; the stored value is kept unchanged; correct the transformer of the elements"
  }
  /// Two keys of a dictionary have the same text.
  public static let equalKeys = Self("transformer.equalKeys") {
    "two keys of the dictionary have the same text, at \($0.foundText), so one of their values would be lost; give the keys of \($0.expectedText) different descriptions"
  }
  /// The forward function of a transformer that was written for Core Data works in the other
  /// direction.
  public static let wrongDirection = Self("transformer.wrongDirection") {
    "the transformer '\($0.foundText)' is plugged in backwards: its forward function \($0.expectedText); write forward: .\($0.expectedText)"
  }
  /// A function of a transformer that was written for Core Data returned nil, or a value of another
  /// type.
  public static let noResult = Self("transformer.noResult") {
    "the transformer returned \($0.foundText), but \($0.expectedText) is expected; correct its functions"
  }
}
