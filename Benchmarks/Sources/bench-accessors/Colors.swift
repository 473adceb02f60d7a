import BenchModel
import Copal
import CopalColor
import Foundation

/// Transformable attributes: what a color costs that is stored through a transformer.
extension Accessors {
  static func colors(_ other: PersistentContainer) throws {
    let container = try PersistentContainer(
      model: .swatches, store: .inMemory, transformers: [SerializableColorTransformer()])
    try fillSwatches(container)
    let context = container.makeContext()
    let swatches = try context.fetch(Swatch.self)
    // Each round reads the rows again, so that the objects have no decoded values.
    best("color, the first time", accesses: swatches.count, before: { context.refresh(swatches) }) {
      for swatch in swatches { blackHole &+= UInt64(swatch.color?.red.bitPattern ?? 0) }
    }
    best("color, again", accesses: swatches.count) {
      for swatch in swatches { blackHole &+= UInt64(swatch.color?.red.bitPattern ?? 0) }
    }
    let transformer = SerializableColorTransformer()
    let color = SerializableColor(red: 0.25, green: 0.5, blue: 1, alpha: 1)
    best("encode a color", accesses: 1000) {
      for _ in 0..<1000 { blackHole &+= UInt64(transformer.encode(color).count) }
    }
  }

  private static func fillSwatches(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    for number in 0..<10_000 {
      let swatch = Swatch(context: context)
      swatch.number = Int64(number)
      swatch.color = SerializableColor(red: Float(number) / 10_000, green: 0.5, blue: 1, alpha: 1)
    }
    try context.save()
  }
}

extension ManagedObjectContext {
  /// Reads the rows of objects again.
  fileprivate func refresh(_ swatches: [Swatch]) {
    refreshAllObjects()
    try? fulfill(swatches)
  }
}
