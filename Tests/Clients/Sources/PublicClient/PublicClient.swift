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
    guard let plan = URL(string: "https://example.com/1") else { return }
    let room = Room(context: rooms, id: "north", plan: plan)
    print("room:", room.id, identity(of: room), room.isOpen)
    room.enter(from: Room(context: rooms))
    room.isOpen = false
    room.neighbors.insert(Room(context: rooms))
    print("visits:", room.visits, room.next?.plan.absoluteString ?? "none", room.neighbors.count)
    print("known:", try rooms.count(Room.self) { $0.visits == 1 && $0.plan == plan })
    print(GalleryModel.EntityNames.picture, Picture.PropertyNames.title)
    try useFamily()
  }

  /// A family of classes that are generated, written by hand, and missing.
  static func useFamily() throws {
    let context = try PersistentContainer(model: .archive, store: .inMemory).makeContext()
    _ = Letter(context: context, title: "To Ida", text: "Come soon.")
    _ = Etching(context: context, title: "Bridge", width: 20, edition: 3, ink: "black")
    let proof = Proof(context: context, title: "Mill", width: 2000, edition: 1, ink: "red")
    print("awake:", proof.notes ?? "")
    refused("by the parent's class", try context.save())
    proof.width = 30
    refused("by the class itself", try context.save())
    proof.state = 2
    proof.title = ""
    refused("by the root's rules", try context.save())
    proof.title = "Mill"
    try context.save()

    let sheets = try context.fetch(Sheet.self, sortedBy: \.title.ascending)
    print("kinds:", sheets.map { "\(type(of: $0))" }, sheets[1] is Plate)
    let found = try context.fetch(Sheet.self) {
      $0.isKind(of: Letter.self) || $0.as(Etching.self).edition == 1
    }
    print("found:", found.map(\.title).sorted())
    print("plates:", try context.count(Plate.self) { $0.as(Proof.self).state == 2 })
    print(Proof.PropertyNames.edition, Proof.entityName, Sheet.entityName)
  }

  static func refused<R>(_ rule: String, _ save: @autoclosure () throws -> R) {
    do {
      _ = try save()
      print("saved, not refused", rule)
    } catch {
      print("refused", rule + ":", "\(error)".replacing(/\bt[0-9]+/, with: ""))
    }
  }

  static func identity<T: Identifiable>(of thing: T) -> T.ID { thing.id }
}
