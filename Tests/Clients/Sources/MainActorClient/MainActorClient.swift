import Copal
import CopalColor

// Everything here is on the main actor unless it says otherwise; generated code says so.
@main
struct MainActorClient {
  static func main() async throws {
    try SerializableColorTransformer.register()
    let container = try PersistentContainer(model: .shelf, store: .inMemory)
    let context = container.viewContext
    let jar = Jar(context: context, label: "Orpiment")
    jar.color = .yellow
    try context.save()
    let count = try await container.perform { context in
      try context.count(Jar.self) { $0.label == "Orpiment" }
    }
    print("seen from elsewhere:", count)
  }
}
