public import CopalEssentials
import CopalModel

// What generated code writes for values of the model that Swift has no literals for: defaults and
// placeholders. They are no members of a type, because a property may have the name of the type.

/// The URL of a text in a model.
///
/// - Precondition: the text is a URL. The reader of the model refuses another one.
public func _copalURL(_ text: String) -> URL { value(ValueText.url(text), text) }

/// The uuid of a text in a model.
///
/// - Precondition: the text is a uuid. The reader of the model refuses another one.
public func _copalUUID(_ text: String) -> UUID { value(ValueText.uuid(text), text) }

/// The decimal of a text in a model.
///
/// - Precondition: the text is a decimal. The reader of the model refuses another one.
public func _copalDecimal(_ text: String) -> Decimal { value(DecimalLiteral(text)?.decimal, text) }

/// The bytes of a text in a model.
///
/// - Precondition: the text is base64. The reader of the model refuses another one.
public func _copalData(_ text: String) -> Data { value(Data(base64Encoded: text), text) }

private func value<Value>(_ value: Value?, _ text: String) -> Value {
  guard let value else {
    misuse("'\(text)' of a model is no value of its attribute; let the plugin make the code again")
  }
  return value
}
