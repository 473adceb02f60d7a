// https://developer.apple.com/documentation/corefoundation

/// https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject

/// https://developer.apple.com/documentation/corefoundation/cfstring
public final class CFString {
  private init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public final class CFDictionary {
  private init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfequal(_:_:)
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool { cf1 === cf2 }
