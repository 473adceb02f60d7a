import Copal
import CopalColor

try SerializableColorTransformer.register()
let container = try PersistentContainer(name: "Studio", model: .studio)
let context = container.viewContext

let vermilion = Pigment(context: context, name: "Vermilion")
vermilion.color = try SerializableColor(hex: "#E34234")
try context.save()

let affordable = try context.fetch(Pigment.self) { $0.price < 20 }
for pigment in affordable {
  print(pigment.name, pigment.price, pigment.color?.css ?? "no color")
}
print("kept in \(container.storeName)")
