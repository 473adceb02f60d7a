// error: 'sqlite' is unavailable: a SQLite store needs a file: write .sqlite(named: "Atelier") or .sqlite(at: url)

import Copal
import Foundation

func open(_ model: ModelBinding, _ url: URL) throws {
  _ = try PersistentContainer(model: model, store: .sqlite(at: url))
  _ = try PersistentContainer(model: model, store: .sqlite(named: "Atelier"))
  _ = try PersistentContainer(model: model, store: .sqlite)
}
