import BenchKit
import Copal
import FamilyModel
import Foundation

extension Checksum {
  mutating func add(_ asset: Asset) {
    add(asset.name)
    add(asset.count)
    add(asset.ratio)
  }

  mutating func add(picture: Picture) {
    add(picture)
    add(picture.flag)
    add(bytes: picture.color.count, first: picture.color.first ?? 0)
    add(picture.price)
  }

  mutating func add(single: Single) {
    add(single.name)
    add(single.count)
    add(single.ratio)
    add(single.flag)
    add(bytes: single.color.count, first: single.color.first ?? 0)
    add(single.price)
  }
}

func insert(_ rows: [Row], _ file: String) throws -> UInt64 {
  let context = try open(file).makeContext()
  for (kind, position) in FamilyWorkload.kinds(rows.count) {
    let row = rows[position]
    let asset: Asset
    switch kind {
    case 0:
      let picture = Picture(context: context)
      (picture.flag, picture.price) = (row.flag, row.created)
      picture.color = Data(row.color)
      asset = picture
    case 1:
      let sound = Sound(context: context)
      sound.created = Date(timeIntervalSinceReferenceDate: row.created)
      asset = sound
    default:
      let memo = Memo(context: context)
      memo.note = row.note
      asset = memo
    }
    (asset.name, asset.count, asset.ratio) = (row.name, row.count, row.ratio)
  }
  for row in rows {
    let single = Single(context: context)
    (single.name, single.count, single.ratio) = (row.name, row.count, row.ratio)
    (single.flag, single.price) = (row.flag, row.created)
    single.color = Data(row.color)
  }
  try context.save()
  return UInt64(rows.count)
}

func open(_ file: String) throws -> PersistentContainer {
  try PersistentContainer(model: .families, store: .sqlite(at: URL(filePath: file)))
}

familyProgram { workload, rows, file in
  switch workload {
  case .insertKinds:
    let data = Row.make(rows)
    return { try insert(data, file) }
  case .kinds:
    let container = try open(file)
    return {
      var sum = Checksum()
      for asset in try container.makeContext().fetch(Asset.self) {
        switch asset {
        case let picture as Picture: sum.add(picture: picture)
        case let sound as Sound:
          sum.add(sound)
          sum.add(sound.created.timeIntervalSinceReferenceDate)
        case let memo as Memo:
          sum.add(memo)
          sum.add(memo.note)
        default: break
        }
      }
      return sum.value
    }
  case .oneKind:
    let container = try open(file)
    return {
      var sum = Checksum()
      for picture in try container.makeContext().fetch(Picture.self) { sum.add(picture: picture) }
      return sum.value
    }
  case .aloneKind:
    let container = try open(file)
    return {
      var sum = Checksum()
      for single in try container.makeContext().fetch(Single.self) { sum.add(single: single) }
      return sum.value
    }
  }
}
