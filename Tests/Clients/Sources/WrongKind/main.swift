import Copal

let context = try PersistentContainer(model: .archive, store: .inMemory).makeContext()
print(try context.count(Sheet.self) { $0.isKind(of: Letter.self) })
// No sheet is a painter: painters have no common ancestor with sheets.
print(try context.count(Sheet.self) { $0.isKind(of: Painter.self) })
