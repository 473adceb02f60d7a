#if Command
  import CopalColor
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalStore

  /// What the program that runs the command has given it.
  struct CommandSetup: Sendable {
    /// The transformers by which transformables are read.
    var transformers: [any AttributeTransformer]
    /// Models that can be named in place of a file.
    var models: [ModelBinding]
    /// The stores that have an address in place of a path.
    var stores: [AddressedStores]

    // Written once, before the command runs.
    static let current = Locked(CommandSetup(transformers: standard, models: [], stores: []))

    /// The transformers of colors. Those of a program come before them.
    static let standard: [any AttributeTransformer] = [
      SerializableColorTransformer(), ColorArrayTransformer(), RGBColorArrayTransformer(),
      SerializableColorArchiveTransformer(), ColorArrayArchiveTransformer(),
      PlatformColorArchiveTransformer(), PlatformColorArrayArchiveTransformer(),
    ]

    init(
      transformers: [any AttributeTransformer], models: [ModelBinding], stores: [AddressedStores]
    ) {
      self.transformers = transformers
      self.models = models
      self.stores = stores
    }

    /// The setup of a program.
    init(
      _ types: [any RegistrableTransformer.Type], _ models: [ModelBinding],
      _ stores: [AddressedStores]
    ) {
      func make<T: RegistrableTransformer>(_ type: T.Type) -> any AttributeTransformer { T() }
      let own = types.map { make($0) }
      let names = Set(own.map(\.name))
      transformers = own + Self.standard.filter { !names.contains($0.name) }
      self.models = models
      self.stores = stores
    }
  }

  extension ValueStyle {
    /// Colors by their hex, with a swatch; everything else by its description.
    static let colors = ValueStyle(
      show: { value in
        switch value {
        case let color as SerializableColor: shown([color])
        case let colors as [SerializableColor]: shown(colors)
        default: nil
        }
      },
      read: { text, type in
        if type == SerializableColor.self { return color(text) }
        guard type == [SerializableColor].self else { return nil }
        let parts = text.split(separator: " ")
        let colors = parts.compactMap { color(String($0)) }
        return colors.count == parts.count ? colors : nil
      },
      form: { type in
        if type == SerializableColor.self { return "a color such as #1E90FF or rgb(30 144 255)" }
        if type == [SerializableColor].self { return "colors such as #1E90FF #FFD700" }
        return nil
      })

    private static func color(_ text: String) -> SerializableColor? {
      (try? SerializableColor(hex: text)) ?? (try? SerializableColor(css: text))
    }

    private static func shown(_ colors: [SerializableColor]) -> ShownValue {
      let texts = colors.map { (try? $0.hex) ?? $0.css }
      return ShownValue(texts.joined(separator: " "), swatches: texts.compactMap(components))
    }

    private static func components(_ hex: String) -> [UInt8]? {
      guard hex.hasPrefix("#"), let number = Int(hex.dropFirst().prefix(6), radix: 16) else {
        return nil
      }
      return [UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }
  }
#endif
