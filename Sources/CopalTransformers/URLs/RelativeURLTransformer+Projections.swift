public import CopalEssentials
public import CopalObjects

extension RelativeURLTransformer: ProjectingTransformer {
  /// `host` and `scheme`, in small letters. Both are `"string"`. `host` is nil for a URL without a
  /// host, such as that of a file; an address of IPv6 has no brackets.
  public var projections: [Projection<URL>] {
    [
      Projection("host") { $0.hostInSmallLetters },
      Projection("scheme") { $0.scheme?.lowercased() },
    ]
  }
}

extension URL {
  fileprivate var hostInSmallLetters: String? {
    guard var host = host()?.lowercased(), !host.isEmpty else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return host
  }
}
