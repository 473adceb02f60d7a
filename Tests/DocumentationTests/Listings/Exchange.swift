import Copal
import CopalExchange

func exchange(_ container: PersistentContainer, _ text: String) throws {
  var reading = RecordImport(container, entity: "Pigment")
  reading.upsertKey = ["name"]
  let result = try reading.run(ByteInput(text: text))
  print(result.inserted, "new,", result.updated, "updated")

  var dump = RowDump(container, FetchRequest<ManagedObject>(entityName: "Pigment"))
  dump.format = .csv
  try dump.run(to: ByteOutput { print($0.count, "bytes") })

  try StoreExport(container).run(to: ByteOutput { print($0.count, "bytes") })
}
