import Copal
import CopalTestSupport

extension ErrorSentence {
  /// What transformers find wrong with values, stored forms and samples.
  static let transformers: [Self] = [
    Self(
      """
      the value was encoded by version 1 of the transformer, and version 3 does not decode it; \
      implement decode(_:version:) [transformer.olderVersion]
      """
    ) { _ in
      PersistenceError(.transformerOlderVersion, found: "1", expected: "3")
    },
    Self(
      """
      the value was encoded by version 4 of the transformer, and this program has version 3; update \
      the program [transformer.newerVersion]
      """
    ) { _ in
      PersistenceError(.transformerNewerVersion, found: "4", expected: "3")
    },
    Self(
      """
      Pigment.color is versioned, but its transformer 'InkTransformer' has no version; implement \
      version, or remove "versioned" from the model [transformer.notVersioned]
      """
    ) { _ in
      PersistenceError(
        .transformerNotVersioned, entity: "Pigment", property: "color", found: "InkTransformer")
    },
    Self(
      """
      Pigment.color uses the transformer 'InkTransformer', which has a version, but the store does not \
      keep it, so older values cannot be distinguished from new ones; write "versioned": true in the model \
      [transformer.versionNotKept]
      """
    ) { _ in
      PersistenceError(
        .transformerVersionNotKept, entity: "Pigment", property: "color", found: "InkTransformer")
    },
    Self(
      """
      Pigment.origin of Pigment p1 is the absolute URL of a file, which is wrong when its folder moves; \
      store it with RelativeURLTransformer where that can happen [object.absoluteFileURL]
      """
    ) { _ in
      PersistenceError(.absoluteFileURL, property: "origin", objectID: pigment(1))
    },
    Self(
      """
      Pigment.name is not a stored transformable attribute, so it has no transformer; name a \
      transformable attribute [request.notTransformable]
      """
    ) { _ in
      PersistenceError(.notTransformable, entity: "Pigment", property: "name")
    },
    Self(
      """
      Pigment.color of Pigment p1 cannot be saved, because its transformer 'InkReader' only decodes; \
      nothing was written; do not set it, or implement encode(_:) [transformer.readOnly]
      """
    ) { _ in
      PersistenceError(
        .transformerReadOnly, property: "color", objectID: pigment(1), found: "InkReader")
    },
    Self(
      """
      the transformer 'InkTransformer' failed the test of its sample 0; correct the transformer, or its \
      samples [transformer.selfTestFailed]
        - too young
      """
    ) { _ in
      PersistenceError(
        .transformerSelfTestFailed, entity: "Pigment", property: "color", found: "InkTransformer",
        expected: "0", causes: [TooYoung()])
    },
    Self(
      """
      the transformer 'InkTransformer' stores its sample 0 in another form when it was read before; encode \
      the decoded value to the same form [transformer.notIdempotent]
      """
    ) { _ in
      PersistenceError(
        .transformerNotIdempotent, entity: "Pigment", property: "color", found: "InkTransformer",
        expected: "0")
    },
    Self(
      """
      Pigment.color uses the transformer 'InkTransformer', which is not secure: stored bytes decide which \
      classes it makes objects of; use SecureUnarchiveTransformer with the classes that you allow, or let \
      isSecure return true if it checks the classes itself [transformer.notSecure]
      """
    ) { _ in
      PersistenceError(
        .transformerNotSecure, entity: "Pigment", property: "color", found: "InkTransformer")
    },
    Self(
      """
      Pigment.color must have a value, but its transformer 'InkReader' only decodes, so that no new object \
      of Pigment can be saved; make the attribute optional, or implement encode(_:) \
      [transformer.readOnlyRequired]
      """
    ) { _ in
      PersistenceError(
        .transformerReadOnlyRequired, entity: "Pigment", property: "color", found: "InkReader")
    },
    Self(
      """
      the stored raw value is not one of Finish; a newer version of the program may have written it; add \
      the case, or update the program [transformer.unknownRawValue]
      """
    ) { _ in
      PersistenceError(.unknownRawValue, expected: "Finish")
    },
    Self(
      """
      the stored text is not a text of VersionNumber; check whether another transformer wrote it \
      [transformer.invalidText]
      """
    ) { _ in
      PersistenceError(.invalidText, expected: "VersionNumber")
    },
    Self(
      """
      the stored property list has a text, but the transformer stores Int64; check whether another \
      transformer wrote it [transformer.collectionForm]
      """
    ) { _ in
      PersistenceError(.collectionForm, found: "a text", expected: "Int64")
    },
    Self(
      """
      the element at index 2 could not be encoded; correct the value or the transformer of the elements \
      [transformer.encodedElement]
        - too young
      """
    ) { _ in
      PersistenceError(.encodedElement, found: "index 2", causes: [TooYoung()])
    },
    Self(
      """
      the element at index 2 could not be decoded; the stored value is kept unchanged; correct the \
      transformer of the elements [transformer.decodedElement]
        - too young
      """
    ) { _ in
      PersistenceError(.decodedElement, found: "index 2", causes: [TooYoung()])
    },
    Self(
      """
      two keys of the dictionary have the same text, at index 1 in the order of the keys, so one of their \
      values would be lost; give the keys of Initial different descriptions [transformer.equalKeys]
      """
    ) { _ in
      PersistenceError(.equalKeys, found: "index 1 in the order of the keys", expected: "Initial")
    },
    Self(
      """
      the transformer 'InkTransformer' is plugged in backwards: its forward function decodes; write \
      forward: .decodes [transformer.wrongDirection]
      """
    ) { _ in
      PersistenceError(.wrongDirection, found: "InkTransformer", expected: "decodes")
    },
    Self(
      """
      the transformer returned nil, but Data is expected; correct its functions [transformer.noResult]
      """
    ) { _ in
      PersistenceError(.noResult, found: "nil", expected: "Data")
    },
    Self(
      """
      the transformer 'PhotoURLTransformer' has no base now, so that file URLs can be neither read nor \
      saved; give it the URL of the folder first; the stored value is kept unchanged \
      [transformer.missingBase]
      """
    ) { _ in
      PersistenceError(.missingBase, found: "PhotoURLTransformer")
    },
    Self(
      """
      the base of the transformer 'PhotoURLTransformer' is not the file URL of a folder; make it with \
      URL(filePath:) [transformer.invalidBase]
      """
    ) { _ in
      PersistenceError(.invalidBase, found: "PhotoURLTransformer")
    },
    Self(
      """
      the stored relative URL could lead out of its base, because it has the component '..'; the stored \
      value is kept unchanged; correct it in the store, or set the attribute [transformer.outsideBase]
      """
    ) { _ in
      PersistenceError(.outsideBase, found: "the component '..'")
    },
    Self(
      """
      the URL has no scheme, so that it could not be distinguished from a URL relative to the base of \
      'PhotoURLTransformer'; make file URLs with URL(filePath:) [transformer.missingScheme]
      """
    ) { _ in
      PersistenceError(.missingScheme, expected: "the base of 'PhotoURLTransformer'")
    },
    Self(
      """
      a coordinate or length of the PlanePoint is NaN, which equals no value; set numbers, or nil for no \
      value [transformer.notANumber]
      """
    ) { _ in
      PersistenceError(.transformerNotANumber, expected: "PlanePoint")
    },
  ]
}
