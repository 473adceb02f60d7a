import Copal
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("The members of a to-many relationship")
struct MembersTests {
  @Test("a saved member is added to the stored ones without a copy of the list")
  func inPlace() throws {
    let context = try TestStore(.memory).gallery().makeContext()
    let works = (0..<3).map { Work(context: context, title: "\($0)") }
    try context.save()
    var members = Members(isNew: true)
    members.load(Self.list(roomFor: 100))
    func address() -> UnsafePointer<Int64>? {
      members.stored?.withUnsafeBufferPointer { $0.baseAddress }
    }
    let before = address()
    for work in works { members.note(work, isStored: true, isMember: true) }
    #expect(members.stored == ContiguousArray(works.map(\.key)))
    members.note(works[1], isStored: false, isMember: false)
    #expect(members.stored == [works[0].key, works[2].key])
    #expect(address() == before)
  }

  private static func list(roomFor count: Int) -> ContiguousArray<Int64> {
    var list: ContiguousArray<Int64> = []
    list.reserveCapacity(count)
    return list
  }
}
