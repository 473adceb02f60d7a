public import CopalObjects

extension Projection<SerializableColor> {
  /// What a store can keep of a color: `lightness`, `chroma`, `hue` and `alpha`.
  ///
  /// - `lightness` is that of ``OKLab``: 0 is black, and 1 is white.
  /// - `chroma` is the distance from gray: 0 is gray.
  /// - `hue` is in degrees, from 0 to 360; nil below a chroma of 0.0001, because gray has no hue.
  /// - `alpha` is the opacity, from 0 to 1.
  ///
  /// All but `alpha` are nil for a color space that this version does not know.
  ///
  /// Source: Björn Ottosson, "A perceptual color space for image processing",
  /// <https://bottosson.github.io/posts/oklab/>.
  fileprivate static let all: [Projection<SerializableColor>] = [
    Projection("lightness") { (try? OKLab($0))?.lightness },
    Projection("chroma") { (try? OKLab($0))?.chroma },
    Projection("hue") { color in
      (try? OKLab(color)).flatMap { $0.chroma < 0.0001 ? nil : OKLCH($0).hue }
    },
    Projection("alpha") { Double($0.alpha) },
  ]
}

extension SerializableColorTransformer: ProjectingTransformer {
  /// `lightness` (0 is black, 1 is white), `chroma` (0 is gray), `hue` in degrees (nil for gray)
  /// and `alpha`: the numbers of ``OKLCH``. All are `"double"`, and all but `alpha` are nil for a
  /// color space that this version does not know.
  public var projections: [Projection<SerializableColor>] { Projection.all }
}

extension SerializableColorArchiveTransformer: ProjectingTransformer {
  /// Those of ``SerializableColorTransformer``.
  public var projections: [Projection<SerializableColor>] { Projection.all }
}

extension PlatformColorArchiveTransformer: ProjectingTransformer {
  /// Those of ``SerializableColorTransformer``.
  public var projections: [Projection<SerializableColor>] { Projection.all }
}
