import Copal
import CopalColor
import Foundation

/// What the sample feels like; a transient takes any type.
struct Mood {
  var word: String
}

@main
struct InternalClient {
  static func main() throws {
    try SerializableColorTransformer.register()
    try ColorArrayTransformer.register()
    let container = try PersistentContainer(model: .studio, store: .inMemory)
    let context = container.makeContext()

    let sample = try insertSample(context)
    let unsaved = sample.id
    try context.save()
    print("the id is the same after the save:", sample.id == unsaved)

    let found = try context.fetch(
      Sample.fetchRequest().filter { $0.text == "linen" && $0.price < 20 && $0.colors == nil })
    print("found:", found.map(\.text), found.first?.price ?? 0, found.first?.color ?? .black)
    print("optional and empty:", found.first?.smallOrNot as Any, found.first?.linkOrNot as Any)

    let awkward = AwkwardNames(context: context, default: "d")
    awkward.in = "i"
    awkward.newValue = "n"
    awkward.flags = 1
    awkward.base = 2
    awkward.Größe = 3
    try context.save()
    let same = try context.fetch(AwkwardNames.self) { $0.default == "d" && $0.Größe == 3 }
    print("awkward:", same.map { [$0.default, $0.in ?? "", $0.newValue ?? ""] })

    _ = Nothing(context: context)
    let plain = try context.insert(StudioModel.EntityNames.byName)
    try plain.setValue("by name", forKey: "name")
    try context.save()
    print(Sample.entityName, AwkwardNames.entityName, Sample.PropertyNames.textOrNot)
    print(StudioModel.TransformerNames.colorArrayTransformer)
  }

  static func insertSample(_ context: ManagedObjectContext) throws -> Sample {
    let sample = Sample(
      context: context, small: 1, medium: 2, large: 3, plain: 4, single: 0.5, wide: 0.25,
      exact: 1.1, price: 12.5, flag: true, day: Date(timeIntervalSinceReferenceDate: 0),
      bytes: Data([1, 2]), text: "linen", code: UUID(), link: URL(filePath: "/linen"), color: .red)
    sample.mood = Mood(word: "calm")
    sample.note = "kept in memory"
    print("mood:", sample.mood?.word ?? "none")
    return sample
  }
}
