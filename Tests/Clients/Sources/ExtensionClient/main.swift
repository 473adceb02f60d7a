import Copal

let container = try PersistentContainer(model: .garden, store: .inMemory)
let context = container.makeContext()
let plant = Plant(context: context, name: "Woad")
plant.heightText = 90
print("awake:", plant.wakings, plant.planted?.timeIntervalSinceReferenceDate ?? 0)
try context.save()
print("saved:", plant.heightText ?? 0, plant.primitiveHeightText ?? "")

plant.heightText = 91
print("changed:", plant.hasChanges)
try context.save()
print("found:", try context.count(Plant.self) { $0.heightText == "91" })

_ = Plant(context: context, name: "")
do {
  try context.save()
} catch {
  print("refused:", "\(error)".contains("nameless"))
}
