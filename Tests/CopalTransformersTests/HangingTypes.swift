public import Copal
import CopalTestSupport
public import Foundation

#if !canImport(CoreGraphics)
  // The types of Foundation on Linux, conformed as the documentation says. In another package, it
  // is written `@retroactive PointValue`.
  extension CGPoint: PointValue {}
  extension CGSize: SizeValue {}
  extension CGRect: RectangleValue {}
#endif

extension TestStore {
  /// A container of the hangings whose photos have a transformer.
  func hangings(_ photos: RelativeURLTransformer) throws -> PersistentContainer {
    try container(
      .hangings,
      transformers: [
        photos,
        PointTransformer<PlanePoint>("NailTransformer"),
        SizeTransformer<PlaneSize>("FormatTransformer"),
        RectangleTransformer<PlaneRectangle>("FrameTransformer"),
        PointTransformer<CGPoint>("LightTransformer"),
      ])
  }

  /// A container of the hangings whose photos are relative to a folder.
  func hangings(in base: URL?) throws -> PersistentContainer {
    try hangings(RelativeURLTransformer("PhotoURLTransformer", base: base))
  }
}
