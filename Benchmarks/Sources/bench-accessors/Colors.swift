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
    // Without reference counting of the objects, as in the loops of the other properties.
    let unmanaged = swatches.map(Unmanaged.passUnretained)
    @inline(__always)
    func readAll() {
      for swatch in unmanaged {
        blackHole &+= swatch._withUnsafeGuaranteedRef {
          UInt64($0.color?.red.bitPattern ?? 0)
        }
      }
    }
    // Each round reads the rows again, so that the objects have no decoded values.
    best("color, the first time", accesses: swatches.count, before: { context.refresh(swatches) }) {
      readAll()
    }
    best("color, again", accesses: swatches.count) { readAll() }
    let transformer = SerializableColorTransformer()
    let color = SerializableColor(red: 0.25, green: 0.5, blue: 1, alpha: 1)
    let stored = [UInt8](transformer.encode(color))
    try best("decode a color", accesses: 1000) {
      for _ in 0..<1000 {
        blackHole &+= UInt64(
          try stored.withUnsafeBytes { try transformer.decode(bytes: $0) }.red.bitPattern)
      }
    }
    best("encode a color", accesses: 1000) {
      for _ in 0..<1000 { blackHole &+= UInt64(transformer.encode(color).count) }
    }
    let archiver = SerializableColorArchiveTransformer()
    let archive = archiver.encode(color)
    try best("read the keyed archive of a color", accesses: 1000) {
      for _ in 0..<1000 { blackHole &+= UInt64(try archiver.decode(archive).red.bitPattern) }
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
