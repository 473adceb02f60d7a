/// The greatest lengths of names in a model, in bytes.
enum NameLimit {
  /// That of a name: file systems limit the name of a file to it.
  static let name = 255
  /// That of names joined by points: those of transformers and imports.
  static let path = 1000
}
