import Copal
import Foundation

extension Document {
  /// The title, the first line of the text, and the size of the scan, in lines of the output.
  func card() throws -> String {
    guard let url else { return "  \(title)\n    without a text" }
    let text = try String(contentsOf: url, encoding: .utf8)
    let firstLine = text.split(separator: "\n").first ?? ""
    return """
        \(title)
          \(Library.path(of: url))
          "\(firstLine)"
          a scan of \(scan?.count ?? 0) bytes
      """
  }
}
