import Copal
import CopalTestSupport

extension ErrorSentence {
  /// What transformers find wrong with values, stored forms and samples.
  static let transformers: [Self] = [
    Self { _ in
      PersistenceError(.transformerOlderVersion, found: "1", expected: "3")
    },
    Self { _ in
      PersistenceError(.transformerNewerVersion, found: "4", expected: "3")
    },
    Self { _ in
      PersistenceError(
        .transformerNotVersioned, entity: "Pigment", property: "color", found: "InkTransformer")
    },
    Self { _ in
      PersistenceError(
        .transformerVersionNotKept, entity: "Pigment", property: "color", found: "InkTransformer")
    },
    Self { _ in
      PersistenceError(.absoluteFileURL, property: "origin", objectID: pigment(1))
    },
    Self { _ in
      PersistenceError(.notTransformable, entity: "Pigment", property: "name")
    },
    Self { _ in
      PersistenceError(
        .transformerReadOnly, property: "color", objectID: pigment(1), found: "InkReader")
    },
    Self { _ in
      PersistenceError(
        .transformerSelfTestFailed, entity: "Pigment", property: "color", found: "InkTransformer",
        expected: "0", causes: [TooYoung()])
    },
    Self { _ in
      PersistenceError(
        .transformerNotIdempotent, entity: "Pigment", property: "color", found: "InkTransformer",
        expected: "0")
    },
    Self { _ in
      PersistenceError(
        .transformerNotSecure, entity: "Pigment", property: "color", found: "InkTransformer")
    },
    Self { _ in
      PersistenceError(
        .transformerReadOnlyRequired, entity: "Pigment", property: "color", found: "InkReader")
    },
    Self { _ in
      PersistenceError(.unknownRawValue, expected: "Finish")
    },
    Self { _ in
      PersistenceError(.invalidText, expected: "VersionNumber")
    },
    Self { _ in
      PersistenceError(.collectionForm, found: "a text", expected: "Int64")
    },
    Self { _ in
      PersistenceError(.encodedElement, found: "index 2", causes: [TooYoung()])
    },
    Self { _ in
      PersistenceError(.decodedElement, found: "index 2", causes: [TooYoung()])
    },
    Self { _ in
      PersistenceError(.equalKeys, found: "index 1 in the order of the keys", expected: "Initial")
    },
    Self { _ in
      PersistenceError(.wrongDirection, found: "InkTransformer", expected: "decodes")
    },
    Self { _ in
      PersistenceError(.noResult, found: "nil", expected: "Data")
    },
    Self { _ in
      PersistenceError(.missingBase, found: "PhotoURLTransformer")
    },
    Self { _ in
      PersistenceError(.invalidBase, found: "PhotoURLTransformer")
    },
    Self { _ in
      PersistenceError(.outsideBase, found: "the component '..'")
    },
    Self { _ in
      PersistenceError(.missingScheme, expected: "the base of 'PhotoURLTransformer'")
    },
    Self { _ in
      PersistenceError(.transformerNotANumber, expected: "PlanePoint")
    },
  ]
}
