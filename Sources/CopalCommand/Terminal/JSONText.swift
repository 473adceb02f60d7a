#if Command
  import CopalExchange

  /// Texts of JSON.
  enum JSONText {
    /// A text in quotation marks.
    static func quoted(_ text: String) -> String {
      var bytes: [UInt8] = []
      bytes.addJSON(text)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
