import CopalModel

/// A color that can be stored: a color space and four 32-bit components, kept bit for bit.
///
/// Use it as the class of a transformable attribute, with ``SerializableColorTransformer``, or as
/// `[SerializableColor]` with ``ColorArrayTransformer``.
///
/// ```swift
/// let ultramarine = SerializableColor(red8: 18, green8: 10, blue8: 143)
/// let poppy = SerializableColor(red: 1, green: 0.2, blue: 0.1, colorSpace: .displayP3)
/// let madder = try SerializableColor(css: "rgb(227 38 54 / 0.5)")
/// print(try poppy.converted(to: .sRGB).css)
/// ```
///
/// Components of the color space may lie outside 0...1: that is how the extended spaces and the
/// system color pickers say "more than this space can show". No component is ever NaN or infinite: for numbers
/// that come from outside the program there is ``init(colorSpace:components:)``, which throws.
///
/// Two colors are equal when their spaces and the bits of all components are: what a store gives
/// back equals what was saved, and the same looks in two spaces are two colors. (`-0.0` and `0.0`
/// differ too; no conversion or parser makes `-0.0` unless the text says so.)
///
/// A struct, not a class: a color has no identity, an array of colors is one block of memory with
/// 20 bytes a color, and nobody can change a color behind its owner's back.
public struct SerializableColor: Sendable {
  public let red: Float
  public let green: Float
  public let blue: Float
  /// Opacity: 0 is transparent, 1 is opaque.
  public let alpha: Float
  public let colorSpace: ColorSpace

  /// Makes a color of components that are known to be finite.
  init(finite red: Float, _ green: Float, _ blue: Float, _ alpha: Float, _ space: ColorSpace) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
    colorSpace = space
  }

  /// Makes a color of four components.
  ///
  /// The components are kept as they are. Those outside 0...1 are of the extended form of the space, as with
  /// `UIColor` and SwiftUI's `Color`; ``clamped()`` cuts them.
  ///
  /// - Precondition: No component is NaN or infinite. For numbers from a file, a network or a person use
  ///   ``init(colorSpace:components:)``, which throws.
  public init(
    red: Float, green: Float, blue: Float, alpha: Float = 1, colorSpace: ColorSpace = .sRGB
  ) {
    self.init(finite: red, green, blue, alpha, colorSpace)
    require(
      isFinite,
      "\(notFinite); for numbers from outside, use SerializableColor(colorSpace:components:), which throws"
    )
  }

  /// Makes a color of four components, if they are finite.
  init(
    checking red: Float, _ green: Float, _ blue: Float, _ alpha: Float, _ space: ColorSpace
  ) throws(ColorError) {
    self.init(finite: red, green, blue, alpha, space)
    guard isFinite else { throw notFinite }
  }

  /// Makes an sRGB color of components between 0 and 255.
  public init(red8: UInt8, green8: UInt8, blue8: UInt8, alpha8: UInt8 = 255) {
    self.init(
      finite: Float(red8) / 255, Float(green8) / 255, Float(blue8) / 255, Float(alpha8) / 255,
      .sRGB)
  }

  /// Makes a gray of sRGB: 0 is black, 1 is white.
  ///
  /// - Precondition: Neither number is NaN or infinite. For numbers from outside the program use
  ///   ``init(colorSpace:components:)``, which throws.
  public init(white: Float, alpha: Float = 1) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  /// Makes a color of the components of a list, as color libraries hand them out and files hold them: white
  /// and alpha, or red, green, blue and alpha.
  ///
  /// The components are kept as they are, also those outside 0...1 and those of an unknown space.
  ///
  /// ```swift
  /// let tint = try SerializableColor(colorSpace: .sRGB, components: numbers)
  /// ```
  ///
  /// - Throws: ``ColorError`` with `color.componentCount` for any other number of components,
  ///   `color.unknownSpace` for a gray of an unknown space (whether equal components are gray there
  ///   is not known), `color.notFinite` when a component is NaN or infinite.
  public init(colorSpace: ColorSpace, components: [Float]) throws(ColorError) {
    switch components.count {
    case 2:
      guard colorSpace.isKnown else { throw .unknownSpace(colorSpace) }
      try self.init(
        checking: components[0], components[0], components[0], components[1], colorSpace)
    case 4:
      try self.init(
        checking: components[0], components[1], components[2], components[3], colorSpace)
    case let count:
      throw ColorError(.componentCount, found: "\(count)", expected: "2 or 4")
    }
  }

  /// Red, green, blue and alpha.
  public var components: [Float] { [red, green, blue, alpha] }
}

extension SerializableColor {
  @inline(__always)
  var isFinite: Bool { red.isFinite && green.isFinite && blue.isFinite && alpha.isFinite }

  /// The error that names the first component that is no number.
  var notFinite: ColorError {
    let named = [("red", red), ("green", green), ("blue", blue), ("alpha", alpha)]
    let culprit = named.first { !$0.1.isFinite }
    return ColorError(
      .notFinite, found: culprit.map { $0.1.isNaN ? "NaN" : "infinite" },
      expected: culprit?.0)
  }
}

extension SerializableColor: Hashable {
  public static func == (a: Self, b: Self) -> Bool {
    a.red.bitPattern == b.red.bitPattern && a.green.bitPattern == b.green.bitPattern
      && a.blue.bitPattern == b.blue.bitPattern && a.alpha.bitPattern == b.alpha.bitPattern
      && a.colorSpace == b.colorSpace
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(red.bitPattern)
    hasher.combine(green.bitPattern)
    hasher.combine(blue.bitPattern)
    hasher.combine(alpha.bitPattern)
    hasher.combine(colorSpace)
  }
}

extension SerializableColor: CustomStringConvertible {
  /// The ``css`` form.
  public var description: String { css }
}
