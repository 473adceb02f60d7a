import Copal
import CopalTestSupport

extension ErrorSentence {
  /// What transformers find wrong with values, stored forms and samples.
  static let transformers: [Self] = [
    made(.transformerOlderVersion, found: "1", expected: "3"),
    made(.transformerNewerVersion, found: "4", expected: "3"),
    made(.transformerNotVersioned, entity: "Pigment", property: "color", found: "InkTransformer"),
    made(.transformerVersionNotKept, entity: "Pigment", property: "color", found: "InkTransformer"),
    made(
      .transformerUnknownProjection, entity: "Pigment", property: "color.lightnes",
      found: "InkTransformer", expected: "hue, lightness", suggestion: "lightness"),
    made(
      .transformerWrongProjection, entity: "Pigment", property: "color.hue",
      found: "InkTransformer makes \"double\"", expected: "integer"),
    made(.absoluteFileURL, property: "origin", objectID: pigment(1)),
    made(.notTransformable, entity: "Pigment", property: "name"),
    made(.transformerReadOnly, property: "color", objectID: pigment(1), found: "InkReader"),
    made(
      .transformerSelfTestFailed, entity: "Pigment", property: "color", found: "InkTransformer",
      expected: "0", causes: [TooYoung()]),
    made(
      .transformerNotIdempotent, entity: "Pigment", property: "color", found: "InkTransformer",
      expected: "0"),
    made(.transformerNotSecure, entity: "Pigment", property: "color", found: "InkTransformer"),
    made(.transformerReadOnlyRequired, entity: "Pigment", property: "color", found: "InkReader"),
    made(.unknownRawValue, expected: "Finish"),
    made(.invalidText, expected: "VersionNumber"),
    made(.collectionForm, found: "a text", expected: "Int64"),
    made(.encodedElement, found: "index 2", causes: [TooYoung()]),
    made(.decodedElement, found: "index 2", causes: [TooYoung()]),
    made(.equalKeys, found: "index 1 in the order of the keys", expected: "Initial"),
    made(.wrongDirection, found: "InkTransformer", expected: "decodes"),
    made(.noResult, found: "nil", expected: "Data"),
    made(.missingBase, found: "PhotoURLTransformer"),
    made(.invalidBase, found: "PhotoURLTransformer"),
    made(.outsideBase, found: "the component '..'"),
    made(.missingScheme, expected: "the base of 'PhotoURLTransformer'"),
    made(.transformerNotANumber, expected: "PlanePoint"),
  ]
}
