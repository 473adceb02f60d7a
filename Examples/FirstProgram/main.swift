import Copal
import CopalColor

try SerializableColorTransformer.register()
let context = try PersistentContainer(name: "Studio", model: .studio).viewContext

let red = try SerializableColor(hex: "#C8234B")
let lake = Pigment(context: context, name: "Geranium lake", fades: true, color: red)
Painting(context: context, title: "The Bedroom").pigments = [lake]
try context.save()

let fading = try context.fetch(Painting.self) { $0.pigments.contains { $0.fades } }
for painting in fading {
  for pigment in painting.pigments { print(painting.title, pigment.name, pigment.color?.css ?? "") }
}
