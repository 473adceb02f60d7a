import CopalArchive
import CopalColor
import CopalModel
import CopalStore
import Foundation

/// Archives of `NSColor` and `UIColor`, made from their fields.
///
/// Their form is that of genuine archives. Terminal profiles, for example, have one `NSColor` with
/// `NSColorSpace` 2 and an `NSRGB` such as `0.4235294118 0.6 0.7333333333`, which ends with a NUL.
enum PlatformArchives {
  typealias Fields = [String: ArchivedValue]

  static func text(_ text: String) -> ArchivedValue { .data(Array(text.utf8)) }

  static func object(_ classNames: [String], _ fields: Fields) -> ArchivedValue {
    .object(ArchivedObject(classNames: classNames + ["NSObject"], fields: fields))
  }

  static func nsColor(_ fields: Fields) -> ArchivedValue { object(["NSColor"], fields) }

  static func uiColor(_ fields: Fields) -> ArchivedValue { object(["UIColor"], fields) }

  /// A color with the `NSColorSpace` object that AppKit archives beside it. `NSRGB` has other
  /// components, so that a test notices when they are read.
  static func custom(_ space: Fields, _ components: String?, number: Int64 = 1) -> ArchivedValue {
    var fields: Fields = [
      "NSColorSpace": .integer(number), "NSRGB": text("0.111 0.222 0.333\0"),
      "NSWhite": text("0.444\0"), "NSCMYK": text("0.1 0.2 0.3 0.4\0"),
      "NSCustomColorSpace": object(["NSColorSpace"], space), "NSLinearExposure": text("1"),
    ]
    if let components { fields["NSComponents"] = text(components) }
    return nsColor(fields)
  }

  static func data(_ value: ArchivedValue) -> Data { Data(KeyedArchive.bytes(of: value)) }

  /// The code of the error that the body throws; nil if it throws none.
  static func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
    } catch let error as ColorError {
      return error.code.rawValue
    } catch let error as ArchiveError {
      return error.code.rawValue
    } catch {
      return "another error"
    }
    return nil
  }
}
