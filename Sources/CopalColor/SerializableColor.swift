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
/// Components can be outside 0...1. Extended color spaces and system color pickers use such
/// components for colors that the space itself cannot show. No component is NaN or infinite. For
/// numbers from outside the program use ``init(colorSpace:components:)``, which throws.
///
/// Two colors are equal when their spaces and the bits of all components are equal. A color that
/// was read from a store equals the color that was saved. Two colors that look the same in two
/// spaces are not equal. `-0.0` and `0.0` differ too; no conversion makes `-0.0`, and a parser
/// makes it only from a text that contains it.
///
/// It is a struct: an array of colors is one block of memory with 20 bytes for each color.
public struct SerializableColor: Sendable {
  /// The red component: 0 is none, 1 is the most that the color space can show.
  public let red: Float
  /// The green component: 0 is none, 1 is the most that the color space can show.
  public let green: Float
  /// The blue component: 0 is none, 1 is the most that the color space can show.
  public let blue: Float
  /// Opacity: 0 is transparent, 1 is opaque.
  public let alpha: Float
  /// The color space of the components.
  public let colorSpace: ColorSpace

  /// Makes a color of finite components.
  init(finite red: Float, _ green: Float, _ blue: Float, alpha: Float, _ space: ColorSpace) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
    colorSpace = space
  }

  /// Makes a color of four components.
  ///
  /// The components are not changed. Components outside 0...1 belong to the extended form of the
  /// space, as in `UIColor` and SwiftUI's `Color`. ``clamped()`` limits them.
  ///
  /// - Precondition: No component is NaN or infinite. For numbers from a file, a network or a
  ///   person use ``init(colorSpace:components:)``, which throws.
  public init(
    red: Float, green: Float, blue: Float, alpha: Float = 1, colorSpace: ColorSpace = .sRGB
  ) {
    self.init(finite: red, green, blue, alpha: alpha, colorSpace)
    require(
      isFinite,
      "\(notFinite); for numbers from outside, use SerializableColor(colorSpace:components:), which throws"
    )
  }

  /// Makes a color of four components; throws unless they are finite.
  init(
    checking red: Float, _ green: Float, _ blue: Float, alpha: Float, _ space: ColorSpace
  ) throws(ColorError) {
    self.init(finite: red, green, blue, alpha: alpha, space)
    guard isFinite else { throw notFinite }
  }

  /// Makes an sRGB color from components between 0 and 255.
  public init(red8: UInt8, green8: UInt8, blue8: UInt8, alpha8: UInt8 = 255) {
    self.init(
      finite: Float(red8) / 255, Float(green8) / 255, Float(blue8) / 255,
      alpha: Float(alpha8) / 255,
      .sRGB)
  }

  /// Makes an sRGB gray: 0 is black, 1 is white.
  ///
  /// - Precondition: Neither number is NaN or infinite. For numbers from outside the program use
  ///   ``init(colorSpace:components:)``, which throws.
  public init(white: Float, alpha: Float = 1) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  /// Makes a color from a list of components: white and alpha, or red, green, blue and alpha. Use
  /// it for numbers from files and color libraries.
  ///
  /// The components are not changed, also not those outside 0...1 or of an unknown space.
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
        checking: components[0], components[0], components[0], alpha: components[1], colorSpace)
    case 4:
      try self.init(
        checking: components[0], components[1], components[2], alpha: components[3], colorSpace)
    case let count:
      throw ColorError(.componentCount, found: "\(count)", expected: "2 or 4")
    }
  }

  /// Red, green, blue and alpha.
  public var components: [Float] { [red, green, blue, alpha] }
}

extension SerializableColor {
  var isFinite: Bool { red.isFinite && green.isFinite && blue.isFinite && alpha.isFinite }

  /// The error for the first component that is not finite.
  var notFinite: ColorError {
    let named = [("red", red), ("green", green), ("blue", blue), ("alpha", alpha)]
    let component = named.first { !$0.1.isFinite }
    return ColorError(
      .notFinite, found: component.map { $0.1.isNaN ? "NaN" : "infinite" },
      expected: component?.0)
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
