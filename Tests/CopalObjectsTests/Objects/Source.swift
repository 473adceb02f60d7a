import Copal

/// The class of the entity `Source`, as a program has it that used Core Data.
final class Source: ManagedObject {
  /// A required URL that is not Optional: the model cannot say so, because a stored text may be
  /// unreadable.
  var sourceURL: URL {
    get { primitiveSourceURL ?? URL(filePath: "/") }
    set {
      primitiveSourceURL = newValue
      didChangeValue(forKey: PropertyNames.sourceURL)
    }
  }

  /// The apps in their order, as an array.
  var apps: [App] {
    get { primitiveApps.sorted { $0.bundleIdentifier < $1.bundleIdentifier } }
    set {
      primitiveApps = ToMany(newValue)
      didChangeValue(forKey: PropertyNames.apps)
    }
  }
}

extension App {
  /// The source. A beta has none.
  var source: Source? {
    get { primitiveSource }
    set { primitiveSource = self is Beta ? nil : newValue }
  }
}
