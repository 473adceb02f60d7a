import Copal
import CopalStore
import Foundation

// The program of Docs/Saving.md: the listings are its parts, in their order.

/// In place of standard output, so that a test compares what the program prints.
private func print(_ items: Any..., separator: String = " ", terminator: String = "\n") { Printed.add(items) }

final class Draft: ManagedObject {
  override func awakeFromInsert() { print("awakeFromInsert") }
  override func awakeFromFetch() { print("awakeFromFetch") }
  override func willSave() { print("willSave") }
  override func didSave() { print("didSave") }
  override func prepareForDeletion() { print("prepareForDeletion") }
  override func didTurnIntoFault() { print("didTurnIntoFault") }
  override func validateForInsert() throws { print("validateForInsert") }
  override func validateForUpdate() throws { print("validateForUpdate") }
  override func validateForDelete() throws { print("validateForDelete") }
}

func savingGuide() throws {
  let container = try PersistentContainer(model: .billing, store: .inMemory)
  let context = container.makeContext()

  print("insert:")
  let draft = Draft(context: context, text: "Dear customer")
  print("save:")
  try context.save()
  print("change and save:")
  draft.text = "Dear Ada"
  try context.save()
  print("refresh and read:")
  try context.refresh(draft, mergeChanges: false)
  print(draft.text)
  print("delete:")
  context.delete(draft)
  print("save:")
  try context.save()

  try savingGuide(container, context)
}

struct Overpaid: Error {}
struct Unpaid: Error {}

final class Invoice: ManagedObject {
  override func willSave() {
    if !isDeleted, outstanding != amount - paid { outstanding = amount - paid }
  }

  override func validateForInsert() throws { try checkPayment() }
  override func validateForUpdate() throws { try checkPayment() }

  private func checkPayment() throws {
    if paid > amount { throw Overpaid() }
  }

  override func validateForDelete() throws {
    if paid < amount { throw Unpaid() }
  }
}

func savingGuide(_ container: PersistentContainer, _ context: ManagedObjectContext) throws {
  let invoice = Invoice(context: context, number: "0001", customer: "Ada", amount: 100)
  try context.save()
  print(invoice.outstanding)
  invoice.paid = 40
  try context.save()
  print(invoice.outstanding)

  let second = Invoice(context: context, number: "two", customer: "", amount: 5)
  invoice.paid = 140
  do {
    try context.save()
  } catch let error as PersistenceError {
    for case let cause as PersistenceError in error.causes {
      print(cause.code, cause.entity ?? "", cause.property ?? "the whole object")
    }
  }

  context.delete(second)
  invoice.paid = 60
  try context.save()
  print(invoice.paid, invoice.outstanding)

  invoice.paid = 80
  invoice.customer = "Ada"
  for change in invoice.changes {
    print(change.name, change.old ?? "nil", "→", change.new ?? "nil")
  }
  print(invoice.changedValues().keys.sorted())
  print(invoice.committedValues()["paid"] as? Decimal ?? 0)
  print(invoice.hasPersistentChangedValues, invoice.hasChanges)

  context.rollback()
  print(invoice.paid, context.hasChanges)

  invoice.customer = "Ada"
  print(invoice.hasPersistentChangedValues, invoice.hasChanges)
  context.rollback()

  let other = container.makeContext()
  let copy = try other.existingObject(with: invoice.objectID, as: Invoice.self)
  copy.customer = "Ada Lovelace"
  try other.save()

  invoice.paid = 100
  do {
    try context.save()
  } catch let error as PersistenceError where error.code == .saveFailed {
    for case let conflict as PersistenceError in error.causes where conflict.code == .conflict {
      guard let id = conflict.objectID else { continue }
      try context.refresh(context.object(with: id), mergeChanges: true)
    }
    try context.save()
  }
  print(invoice.customer, invoice.paid)

  copy.customer = "A. Lovelace"
  do {
    try other.save()
  } catch let error as PersistenceError {
    print(error.code, error.causes.count)
  }
  try other.refresh(copy, mergeChanges: false)
  print(copy.customer, copy.paid)

  context.delete(invoice)
  try context.save()
  copy.paid = 90
  do {
    try other.save()
  } catch let error as PersistenceError {
    print((error.causes.first as? PersistenceError)?.code ?? error.code)
  }
  try other.refresh(copy, mergeChanges: false)
  print(other.hasChanges)

  other.reset()
  print(other.registeredObjects.count)
}
