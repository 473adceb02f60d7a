import Copal

/// The behavior of a study's hooks, defined once for the objects of a context and of the plain
/// model.
///
/// Everything depends only on the object's own values, and not on the order in which hooks of
/// objects are called, which is not guaranteed.
enum StudyHooks {
  /// The titles that change what hooks do.
  static let titles = [
    "Restless", "Audited", "Teacher", "Editor", "Accountant", "Refused", "Farewell",
  ]

  /// The error that a validation hook throws.
  struct Refusal: Error {}

  static func awakeFromInsert(_ study: some HookedStudy) {
    study.hookSet("rank", .number(7))
    study.hookSet("mood", .text("eager"))
  }

  static func awakeFromFetch(_ study: some HookedStudy) {
    study.hookSetPrimitive("mood", .text("fresh"))
    if study.title == "Restless" { study.hookSet("rank", .number(1)) }
  }

  static func willSave(_ study: some HookedStudy) {
    switch study.title {
    case "Audited":
      study.hookSet("title", .text("Seen"))
      study.hookInsertDrawer()
    case "Teacher": study.friend?.hookSet("rank", .number(6))
    default: break
    }
    if study.rank == 13 { study.hookSet("rank", .number(14)) }
  }

  static func validate(_ study: some HookedStudy) throws {
    switch study.title {
    case "Refused": throw Refusal()
    case "Editor": study.friend?.hookSet("isSold", .flag(true))
    case "Accountant":
      study.hookSet("title", .text("Paid"))
      study.hookInsertDrawer()
    default: break
    }
  }

  static func didSave(_ study: some HookedStudy) {
    if study.rank == 21 { study.hookSet("rank", .number(22)) }
  }

  static func prepareForDeletion(_ study: some HookedStudy) {
    if study.title == "Farewell" { study.hookSet("rank", .number(9)) }
    if study.title == "Teacher" { study.friend?.hookSet("rank", .number(8)) }
  }

  static func didTurnIntoFault(_ study: some HookedStudy) {
    if let friend = study.friend, friend !== study { friend.hookSet("price", .none) }
  }
}

/// A study as its hooks see it.
protocol HookedStudy: AnyObject {
  associatedtype Friend: HookedStudy
  var friend: Friend? { get }
  func hookValue(_ name: String) -> PlainValue
  func hookSet(_ name: String, _ value: PlainValue)
  func hookSetPrimitive(_ name: String, _ value: PlainValue)
  func hookInsertDrawer()
}

extension HookedStudy {
  fileprivate var title: String {
    if case .text(let title) = hookValue("title") { title } else { "" }
  }

  fileprivate var rank: Int64 { if case .number(let rank) = hookValue("rank") { rank } else { 0 } }
}

extension HabitualStudy: HookedStudy {
  func hookValue(_ name: String) -> PlainValue { PlainValue(try? value(forKey: name)) }

  func hookSet(_ name: String, _ value: PlainValue) { try? setValue(value.any, forKey: name) }

  func hookSetPrimitive(_ name: String, _ value: PlainValue) {
    try? setPrimitiveValue(value.any, forKey: name)
  }

  func hookInsertDrawer() {
    guard let context = managedObjectContext else { return }
    drawers.append(Drawer(context: context))
  }
}

extension PlainObject: HookedStudy {
  func hookValue(_ name: String) -> PlainValue {
    if pending[name] == nil { context.fire(self) }
    return context.value(of: self, name)
  }

  func hookSet(_ name: String, _ value: PlainValue) { context.set(self, name, value) }

  func hookSetPrimitive(_ name: String, _ value: PlainValue) {
    context.set(self, name, value, isPrimitive: true)
  }

  func hookInsertDrawer() {
    // An object without a context has no context to insert into.
    guard !isGone else { return }
    drawers.append(context.insert("Drawer"))
  }
}
