import Copal
import CopalColor

try SerializableColorTransformer.register()
let container = try PersistentContainer(model: .shelf, store: .inMemory)
let context = container.makeContext()
let jar = Jar(context: context, label: "Smalt")
jar.color = .blue
try context.save()
print(try context.fetch(Jar.self) { $0.label == "Smalt" }.map { $0.color == .blue })
