public import Copal
import CopalColor

/// The transformers of the atelier.
public enum TestTransformers {
  public static var atelier: [any AttributeTransformer] {
    [SerializableColorTransformer(), ColorArrayTransformer()]
  }
}
