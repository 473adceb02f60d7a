import Copal
import Foundation

/// Shows the rooms of a gallery, and follows what others change: another context, a task in the
/// background, and another process.
@main
struct GalleryExample {
  static func main() async {
    do {
      try await run(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("GalleryExample: \(error)\n".utf8))
      exit(1)
    }
  }

  static func run(_ arguments: Arguments) async throws {
    let container = try open(arguments.folder)
    switch arguments.command {
    case .hang(let title, let room): try await hang(title, in: room, container)
    case .show(let title):
      try await fill(container)
      try await Wall(container, until: title).show()
    }
  }

  static func open(_ folder: URL?) throws -> PersistentContainer {
    var options = SQLiteStore.Options()
    options.noticesOtherPrograms = .milliseconds(100)
    guard let folder else {
      return try PersistentContainer(
        model: .gallery, store: .sqlite(named: "Gallery", options: options))
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "Gallery.sqlite")
    return try PersistentContainer(model: .gallery, store: .sqlite(at: file, options: options))
  }

  /// Hangs the first paintings.
  static func fill(_ container: PersistentContainer) async throws {
    try await container.perform { context in
      if try context.count(Painting.self) > 0 { return }
      for (title, room) in [
        ("Sunflowers", "Room 1"), ("The Kiss", "Room 1"), ("Guernica", "Room 2"),
        ("Nighthawks", nil),
      ] {
        Painting(context: context, title: title).room = room
      }
      try context.save()
    }
  }

  /// Hangs a painting, which comes to the gallery if it is new.
  static func hang(_ title: String, in room: String?, _ container: PersistentContainer) async throws
  {
    try await container.perform { context in
      let found = try context.fetch(Painting.self) { $0.title == title }.first
      (found ?? Painting(context: context, title: title)).room = room
      try context.save()
    }
    print("\(title) hangs in \(room ?? "the cellar")")
  }
}

/// The list of all paintings, as it is shown.
@MainActor
final class Wall {
  private let container: PersistentContainer
  private let list: FetchedResultsController<Painting>
  private let screen = Screen()
  /// The painting that ends the program.
  private let lastTitle: String?
  private var subscription: ChangeSubscription?
  private var hasEnded = false

  init(_ container: PersistentContainer, until title: String?) throws {
    self.container = container
    lastTitle = title
    list = try FetchedResultsController(
      Painting.fetchRequest().sorted(by: \.room.ascending.nilsLast, \.title.ascending),
      sectionedBy: \.room, in: container.viewContext)
  }

  func show() async throws {
    try list.performFetch()
    draw("the gallery opens")
    subscription = list.onChange { [unowned self] change in draw(Self.words(change)) }

    // Another context on the main actor.
    let editor = container.makeViewContext()
    Painting(context: editor, title: "The Scream").room = "Room 2"
    try editor.save()
    await Task.yield()

    // A task in the background.
    let night = "Nighthawks"
    try await container.perform { context in
      for painting in try context.fetch(Painting.self, where: { $0.title == night }) {
        painting.room = "Room 3"
        painting.visitors += 1
      }
      try context.save()
    }

    // Another process: see `hang`.
    while !hasEnded { try await Task.sleep(for: .milliseconds(20)) }
  }

  private func draw(_ reason: String) {
    let rooms = list.sections.map { section in
      (section.name ?? "The cellar", section.objects.map { "\($0.title) (\($0.visitors))" })
    }
    screen.draw(rooms, reason)
    hasEnded = list.objects.contains { $0.title == lastTitle }
  }

  private static func words(_ change: ResultsChange) -> String {
    let counts: [(Int, String)] = [
      (change.inserted.count, "new"), (change.deleted.count, "gone"), (change.moves.count, "moved"),
      (change.updated.count, "changed"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? "all read again" : words.joined(separator: ", ")
  }
}
