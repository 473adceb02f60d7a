import Copal
import CopalColor
import CopalTestSupport
import Testing

/// Defects that random sequences have found, each as a shortest sequence.
@Suite("Cases that random sequences have found")
struct SequenceCaseTests {
  private func container(_ store: StoreKind) throws -> PersistentContainer {
    try PersistentContainer(
      model: try Stage(profile: .plain, store: store).binding,
      store: try TestStore(store == .sqlite ? .sqlite : .memory).configuration(),
      transformers: Stage.transformers)
  }

  @Test(
    "a refresh with merging makes an object that was only marked as changed unchanged",
    arguments: Stage.stores)
  func markedOnly(_ store: StoreKind) throws {
    let context = try container(store).makeContext()
    let drawer = Drawer(context: context)
    try context.save()
    drawer.didChangeValue(forKey: "label")
    try context.refresh(drawer, mergeChanges: true)
    #expect(!drawer.isUpdated && !context.hasChanges)
  }

  @Test(
    "a transformable is decoded again when its object gets a new row",
    arguments: Stage.stores)
  func decodedGoes(_ store: StoreKind) throws {
    let container = try container(store)
    let (mine, other) = (container.makeContext(), container.makeContext())
    let study = Study(context: mine, title: "Lilies")
    study.color = .red
    try mine.save()
    #expect(study.color == .red)
    let theirs = try other.existingObject(with: study.objectID, as: Study.self)
    for color in [SerializableColor.blue, nil, .red] {
      theirs.color = color
      try other.save()
      let before = study.color
      var request = Study.fetchRequest()
      _ = try mine.fetch(request)
      #expect(study.color == before)
      request.refreshesObjects = true
      _ = try mine.fetch(request)
      #expect(study.color == color)
    }
    theirs.color = .blue
    try other.save()
    study.rank = 2
    try mine.refresh(study, mergeChanges: true)
    #expect(study.color == .blue && study.rank == 2)
  }

  @Test(
    "a transformable that could not be decoded is decoded and reported again when its object gets a new row",
    arguments: Stage.stores)
  func failureGoes(_ store: StoreKind) throws {
    let container = try container(store)
    let (mine, other) = (container.makeContext(), container.makeContext())
    let study = Study(context: other, title: "Lilies")
    study.recipe = Recipe(text: "unreadable")
    try other.save()
    let mineStudy = try mine.existingObject(with: study.objectID, as: Study.self)
    var reported: [PersistenceError.Code] = []
    mine.readFailureHandler = { reported.append($0.code) }
    #expect(mineStudy.recipe == nil && mineStudy.recipe == nil && reported == [.decodeFailed])
    try mine.refresh(mineStudy, mergeChanges: true)
    #expect(mineStudy.recipe == nil && reported == [.decodeFailed, .decodeFailed])
    study.recipe = Recipe(text: "oil")
    try other.save()
    try mine.refresh(mineStudy, mergeChanges: true)
    #expect(mineStudy.recipe == Recipe(text: "oil") && reported.count == 2)
    #expect(try mineStudy.value(of: "recipe", as: Recipe.self) == Recipe(text: "oil"))
  }
}
