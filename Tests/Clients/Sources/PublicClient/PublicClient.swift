import Copal
import CopalColor
import Foundation
import PublicModels

@main
struct PublicClient {
  static func main() throws {
    let gallery = try PersistentContainer(
      model: .gallery, store: .inMemory, transformers: [ColorArrayTransformer()])
    let context = gallery.makeContext()
    let picture = Picture(context: context, title: "Harbour", width: 40)
    picture.palette = [.blue, .white]
    try context.save()
    picture.width = -1
    print("changed:", picture.hasChanges, picture.width)
    try context.save()
    let found = try context.fetch(Picture.self) { $0.title == "Harbour" && $0.width == 0 }
    print("found:", found.map(\.title), found.first?.palette?.count ?? 0)
    print("hung:", found.first?.hung.timeIntervalSinceReferenceDate ?? -1)

    let rooms = try PersistentContainer(model: .rooms, store: .inMemory).makeContext()
    let room = Room(context: rooms, id: "north")
    print("room:", room.id, identity(of: room), room.isOpen)
    print(GalleryModel.EntityNames.picture, Picture.PropertyNames.title)
  }

  static func identity<T: Identifiable>(of thing: T) -> T.ID { thing.id }
}
