import Copal
import CopalStoreConformance

for requirement in StoreConformance.requirements {
  try requirement.check(TableStore(StoreConformance.schema()))
}
let model = try ManagedObjectModel(
  json: #"{ "copal": 1, "model": "Notes", "entities": { "Note": { "attributes": { "text": "string" } } } }"#,
  file: "Notes.model.json")
let container = try PersistentContainer(model: ModelBinding(model), store: .tables())
let context = container.makeContext()
try context.insert("Note").setValue("kept in tables", forKey: "text")
try context.save()
for note in try context.fetch(FetchRequest<ManagedObject>(entityName: "Note")) {
  print(try note.value(of: "text", as: String.self) ?? "")
}
print("the store meets every requirement")
