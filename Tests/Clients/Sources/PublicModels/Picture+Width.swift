import Copal

extension Picture {
  /// The width, never negative.
  public var width: Int {
    get { primitiveWidth }
    set {
      primitiveWidth = max(0, newValue)
      didChangeValue(forKey: PropertyNames.width)
    }
  }
}
