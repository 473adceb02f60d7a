import CopalModel
import Foundation
import Testing

@Suite("The sentence of a problem of a model")
struct WordingTests {
  /// Members of the entity `Pigment`, and the sentence of a problem.
  static let ofMembers: [(members: String, sentence: String)] = [
    (
      #""attributes": { "tags": "[string]" }"#,
      """
      '[string]' is a list, and an attribute stores one value; write the type \
      "transformable" with "class": "[String]" and a "transformer" [model.listType]
      """
    ),
    (
      #""attributes": { "tags": { "type": "[Tag]?" } }"#,
      """
      '[Tag]' is a list, and an attribute stores one value; write the type \
      "transformable" with "class": "[Tag]" and a "transformer" [model.listType]
      """
    ),
    (
      #""attributes": { "base": "Pigment?" }"#,
      """
      'Pigment' is an entity, and an attribute stores a value; move Pigment.base from \
      "attributes" to "relationships" [model.entityType]
      """
    ),
    (
      #""attributes": { "parts": "[Pigment]" }"#,
      """
      'Pigment' is an entity, and an attribute stores a value; move Pigment.parts from \
      "attributes" to "relationships" [model.entityType]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "unique": true } }"#,
      """
      "unique" is a key of the entity, not of an attribute; remove it from Pigment.name, \
      and write "unique": ["name"] in the entity, beside "attributes" [model.keyOfEntity]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "indexed": true } }"#,
      """
      "indexed" is a key of the entity, not of an attribute; remove it from Pigment.name, \
      and write "indexes": ["name"] in the entity, beside "attributes" [model.keyOfEntity]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "required": true } }"#,
      """
      "required" is not a key of an attribute; remove it: an attribute is required unless \
      its type ends in ?, such as "string?" [model.requiredKey]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "nullable": false } }"#,
      """
      "nullable" is not a key of an attribute; remove it: an attribute is required unless \
      its type ends in ?, such as "string?" [model.requiredKey]
      """
    ),
    (
      #""colour": 1"#,
      """
      unknown key 'colour' in Pigment; the keys are class, codegen, parent, abstract, \
      attributes, relationships, fetchRequests, fetchedProperties, unique, indexes, renamedFrom, \
      doc, userInfo \
      [model.unknownKey]
      """
    ),
    (
      #""atributes": {}"#,
      "unknown key 'atributes' in Pigment; did you mean 'attributes'? [model.unknownKey]"
    ),
    (
      #""attributes": { "name": { "default": "blue" } }"#,
      "the key 'type' is missing in Pigment.name; add it [model.missingKey]"
    ),
    (
      #""relationships": { "twin": { "ordered": true } }"#,
      "the key 'type' is missing in Pigment.twin; add it [model.missingKey]"
    ),
    (
      #""attributes": { "name": { "type": "string", "scale": 2 } }"#,
      """
      the key 'scale' does not apply to Pigment.name; it is only for attributes of type \
      decimal; remove it, or change the type [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "maximum": 2 } }"#,
      """
      the key 'maximum' does not apply to Pigment.name; it is only for attributes of type \
      integer16, integer32, integer64, integer, float, double, decimal, date; remove it, \
      or change the type [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "dependsOn": ["name"] } }"#,
      """
      the key 'dependsOn' does not apply to Pigment.name; it is only for transient \
      attributes; remove it, or make the attribute transient [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "mutable": true } }"#,
      """
      the key 'mutable' does not apply to Pigment.name; it is only for attributes of type \
      transformable; remove it, or make the attribute a transformable that is stored \
      [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "mood": { "type": "transformable?", "class": "Mood", "transient": true, "versioned": true } }"#,
      """
      the key 'versioned' does not apply to Pigment.mood; it is only for attributes that are \
      stored; remove it, or make the attribute a transformable that is stored \
      [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": [] } }"#,
      """
      "cases" of Pigment.form contains an empty list; name a case, or remove the list \
      [model.emptyList]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": "powder" } }"#,
      """
      "cases" of Pigment.form: found a string; expected an array of names, or an object \
      [model.wrongType]
      """
    ),
    (
      #""attributes": { "form": { "type": "integer", "cases": ["powder"] } }"#,
      """
      "cases" of Pigment.form: found an array; expected an object such as \
      { "low": 1, "high": 2 } [model.wrongType]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": ["powder", 5] } }"#,
      """
      "cases" of Pigment.form: found a number; expected the name of a case [model.wrongType]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": ["powder", "powder"] } }"#,
      #""cases" of Pigment.form lists 'powder' twice; remove one of them [model.repeatedName]"#
    ),
    (
      #""attributes": { "form": { "type": "integer", "cases": { "a": 1, "b": 2, "c": 1 } } }"#,
      """
      "cases" of Pigment.form has the raw value '1' twice, first for 'a'; give each case a \
      raw value of its own [model.repeatedRawValue]
      """
    ),
    (
      #""attributes": { "form": { "type": "integer16", "cases": { "a": 40000 } } }"#,
      """
      "cases" of Pigment.form: 40000 does not fit integer16 (-32768 to 32767); change the \
      value or the type [model.valueOutOfRange]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": ["in powder"] } }"#,
      """
      invalid name 'in powder'; expected letters, digits and _, with no digit first; write \
      an object such as { "inPowder": "in powder" } [model.invalidName]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": ["unrecognized"] } }"#,
      """
      the name 'unrecognized' is reserved: it is a member of the generated enum; choose \
      another name, such as 'unrecognizedCase' [model.reservedName]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": ["none"] } }"#,
      """
      the name 'none' is reserved: it is a case of Optional; choose another name, such as \
      'noneCase' [model.reservedName]
      """
    ),
    (
      #""attributes": { "type": { "type": "string", "cases": ["a"] } }"#,
      """
      the name 'Type' is reserved: generated code uses the type of this name, so the enum \
      needs another "enum"; choose another name, such as 'TypeKind' [model.reservedName]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": ["powder", "paste"], "default": "pwder" } }"#,
      """
      the default 'pwder' of Pigment.form is none of its cases; did you mean 'powder'? \
      [model.defaultIsNoCase]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "cases": ["a"], "pattern": "a" } }"#,
      """
      the key 'pattern' does not apply to Pigment.form, which has cases; remove it \
      [model.keyBesideCases]
      """
    ),
    (
      #""attributes": { "form": { "type": "string", "enum": "Form" } }"#,
      """
      the key 'enum' does not apply to Pigment.form; it is only for attributes with cases; \
      remove it, or add "cases" [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "form": { "type": "double", "cases": { "a": 1 } } }"#,
      """
      the key 'cases' does not apply to Pigment.form; it is only for attributes of type \
      integer16, integer32, integer64, integer, string; remove it, or change the type \
      [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "external": true } }"#,
      """
      the key 'external' does not apply to Pigment.name; it is only for attributes of type \
      binary, transformable; remove it, or change the type [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "mood": { "type": "transformable?", "class": "Mood", "transformer": "M", "storage": "text", "external": true } }"#,
      """
      the key 'external' does not apply to Pigment.mood; it is only for attributes that are \
      stored as BLOB; remove it, or change the type [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "scan": { "type": "binary", "external": "yes" } }"#,
      """
      "external" of Pigment.scan: found a string; expected true, false or a number of bytes \
      [model.wrongType]
      """
    ),
    (
      #""attributes": { "scan": { "type": "binary", "external": 0 } }"#,
      """
      "external" of Pigment.scan: 0 is out of range; expected a whole number of 1 or more \
      [model.outOfRange]
      """
    ),
    (
      #""attributes": { "scan": { "type": "binary?", "external": true } }, "indexes": [["scan"]]"#,
      """
      "indexes" of Pigment names 'scan', which is external, so a store cannot compare its \
      values; remove it from the list [model.unindexableAttribute]
      """
    ),
    (
      #""relationships": { "twin": { "type": "Pigment?", "inverse": "twin", "ordered": true } }"#,
      """
      the key 'ordered' does not apply to Pigment.twin; it is only for to-many \
      relationships; remove it, or change the type [model.misplacedKey]
      """
    ),
    (
      #""attributes": { "name": 5 }"#,
      """
      Pigment.name: found a number; expected a type such as "string", or an object \
      [model.wrongType]
      """
    ),
    (
      #""attributes": ["name"]"#,
      #""attributes" of Pigment: found an array; expected an object [model.wrongType]"#
    ),
    (
      #""abstract": "yes""#,
      #""abstract" of Pigment: found a string; expected true or false [model.wrongType]"#
    ),
    (
      #""class": 7"#,
      #""class" of Pigment: found a number; expected a string [model.wrongType]"#
    ),
    (
      #""indexes": "name""#,
      """
      "indexes" of Pigment: found a string; expected an array of attributes \
      [model.wrongType]
      """
    ),
    (
      #""indexes": [5]"#,
      """
      "indexes" of Pigment: found a number; expected an attribute or an array of \
      attributes [model.wrongType]
      """
    ),
    (
      #""attributes": { "price": { "type": "decimal", "scale": "2" } }"#,
      #""scale" of Pigment.price: found a string; expected a whole number [model.wrongType]"#
    ),
    (
      #""attributes": { "born": { "type": "date", "default": 7 } }"#,
      """
      "default" of Pigment.born: found a number; expected "now", or a date such as \
      "2024-05-17T09:30:00Z" [model.wrongType]
      """
    ),
    (
      #""relationships": { "twin": true }"#,
      """
      Pigment.twin: found true; expected a type such as "[Pigment]", or an object \
      [model.wrongType]
      """
    ),
    (
      #""codegen": "clas""#,
      """
      unknown keyword 'clas' for "codegen" of Pigment; did you mean 'class'? \
      [model.unknownKeyword]
      """
    ),
    (
      #""codegen": "struct""#,
      """
      unknown keyword 'struct' for "codegen" of Pigment; the keywords are class, \
      extension, none [model.unknownKeyword]
      """
    ),
    (
      #""attributes": { "price": { "type": "decimal", "scale": 19 } }"#,
      """
      "scale" of Pigment.price: 19 is out of range; expected a whole number from 0 to 18 \
      [model.outOfRange]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "minimumLength": -1 } }"#,
      """
      "minimumLength" of Pigment.name: -1 is out of range; expected a whole number of 0 or \
      more [model.outOfRange]
      """
    ),
    (
      #""unique": [[]]"#,
      """
      "unique" of Pigment contains an empty list; name an attribute, or remove the list \
      [model.emptyList]
      """
    ),
    (
      #""attributes": { "name": "string" }, "indexes": [["name", "name"]]"#,
      #""indexes" of Pigment lists 'name' twice; remove one of them [model.repeatedName]"#
    ),
    (
      #""attributes": { "2nd": "string" }"#,
      """
      invalid name '2nd'; expected letters, digits and _, with no digit first \
      [model.invalidName]
      """
    ),
    (
      #""attributes": { "cafe\u0301": "string" }"#,
      """
      invalid name 'café'; expected letters in Unicode normalization form C (NFC) \
      [model.invalidName]
      """
    ),
    (
      #""attributes": { "color": { "type": "transformable", "transformer": "My Color", "class": "Color" } }"#,
      """
      invalid name 'My Color'; expected a name such as ColorTransformer or \
      CoreUI.ColorTransformer [model.invalidName]
      """
    ),
    (
      #""attributes": { "value": "string" }"#,
      """
      the name 'value' is reserved: it is a member of ManagedObject or of generated \
      classes; choose another name, such as 'pigmentValue' [model.reservedName]
      """
    ),
    (
      #""attributes": { "RowID": "integer" }"#,
      """
      the name 'RowID' is reserved: it is SQLite's rowid; choose another name, such as \
      'pigmentRowID' [model.reservedName]
      """
    ),
    (
      #""attributes": { "_copalSlot": "integer" }"#,
      """
      the name '_copalSlot' is reserved: names that begin with '_copal' belong to \
      generated code; choose another name, such as 'pigment_copalSlot' \
      [model.reservedName]
      """
    ),
    (
      #""attributes": { "SQLite_stat": "integer" }"#,
      """
      the name 'SQLite_stat' is reserved: names that begin with 'sqlite_' belong to \
      SQLite; choose another name, such as 'pigmentSQLite_stat' [model.reservedName]
      """
    ),
    (
      #""attributes": { "copal_version": "integer" }"#,
      """
      the name 'copal_version' is reserved: names that begin with 'copal_' belong to \
      Copal; choose another name, such as 'pigmentCopal_version' [model.reservedName]
      """
    ),
    (
      #""attributes": { "self": "string" }"#,
      """
      the name 'self' is reserved: Swift does not allow it as a name, even in backquotes; \
      choose another name, such as 'pigmentSelf' [model.reservedName]
      """
    ),
    (
      #""class": "Type""#,
      """
      the name 'Type' is reserved: Swift does not allow it as a name, even in backquotes; \
      choose another name, such as 'TypeObject' [model.reservedName]
      """
    ),
    (
      #""attributes": { "name": "string", "Name": "string" }"#,
      """
      the name 'Name' is already used by 'name' on line 1; names are case-insensitive; \
      rename one of them [model.nameClash]
      """
    ),
    (
      #""class": "Any""#,
      """
      the class 'Any' would hide the type 'Any' that generated code uses; give Pigment \
      another "class", such as "AnyEntity" [model.hidingClass]
      """
    ),
    (
      #""class": "Set""#,
      """
      the class 'Set' would hide the type 'Set' that generated code uses; give Pigment \
      another "class", such as "SetObject" [model.hidingClass]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "renamedFrom": "name" } }"#,
      """
      Pigment.name cannot be renamed from 'name'; expected an old name that differs from \
      the new one [model.invalidRenaming]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "renamedFrom": "title" }, "label": { "type": "string", "renamedFrom": "title" } }"#,
      """
      Pigment.label cannot be renamed from 'title'; expected an old name that is used \
      once, and 'name' uses it too [model.invalidRenaming]
      """
    ),
    (
      #""attributes": { "name": "sting" }"#,
      "unknown attribute type 'sting'; did you mean 'string'? [model.unknownType]"
    ),
    (
      #""attributes": { "name": "bool" }"#,
      "unknown attribute type 'bool'; did you mean 'boolean'? [model.unknownType]"
    ),
    (
      #""attributes": { "name": "colour" }"#,
      """
      unknown attribute type 'colour'; the types are integer16, integer32, integer64, \
      integer, float, double, decimal, boolean, date, binary, string, uuid, uri, \
      transformable [model.unknownType]
      """
    ),
    (
      #""attributes": { "name": { "type": "string?", "optional": true } }"#,
      """
      Pigment.name has both the key "optional" and a ? in its type "string?"; remove the \
      key, or write the type "string" [model.optionalTwice]
      """
    ),
    (
      #""attributes": { "color": { "type": "transformable", "class": "Color" } }"#,
      """
      the transformable attribute Pigment.color has no "transformer"; add one, or make \
      the attribute transient [model.missingTransformer]
      """
    ),
    (
      #""attributes": { "color": { "type": "transformable", "transformer": "ColorTransformer" } }"#,
      """
      the transformable attribute Pigment.color has no "class"; add the Swift type of its \
      values [model.missingClass]
      """
    ),
    (
      #""attributes": { "color": { "type": "transformable", "class": "Color?", "transformer": "T" } }"#,
      """
      invalid "class" 'Color?' of Pigment.color; expected Color, and the ? on the \
      attribute's type: "transformable?" [model.invalidClass]
      """
    ),
    (
      #""attributes": { "color": { "type": "transformable", "class": "[Color", "transformer": "T" } }"#,
      """
      invalid "class" '[Color' of Pigment.color; expected a Swift type such as Color, \
      CoreUI.Color or [Color] [model.invalidClass]
      """
    ),
    (
      #""attributes": { "name": { "type": "string?", "default": null } }"#,
      #"the default of Pigment.name is null; remove the key "default" [model.nullDefault]"#
    ),
    (
      #""attributes": { "made": { "type": "date", "default": "today" } }"#,
      """
      "default" of Pigment.made: invalid value 'today'; expected "now", or an ISO 8601 \
      date with time and zone, such as "2024-05-17T09:30:00Z" [model.invalidValue]
      """
    ),
    (
      #""attributes": { "made": { "type": "date", "minimum": "now" } }"#,
      """
      "minimum" of Pigment.made: invalid value 'now'; expected an ISO 8601 date with time \
      and zone, such as "2024-05-17T09:30:00Z" [model.invalidValue]
      """
    ),
    (
      #""attributes": { "count": { "type": "integer", "default": 1.5 } }"#,
      """
      "default" of Pigment.count: invalid value '1.5'; expected a whole number without \
      decimal point or exponent [model.invalidValue]
      """
    ),
    (
      #""attributes": { "price": { "type": "decimal", "default": "12,50" } }"#,
      """
      "default" of Pigment.price: invalid value '12,50'; expected a decimal such as 12.50 \
      [model.invalidValue]
      """
    ),
    (
      #""attributes": { "data": { "type": "binary", "default": "?" } }"#,
      """
      "default" of Pigment.data: invalid value '?'; expected a base64 string \
      [model.invalidValue]
      """
    ),
    (
      #""attributes": { "code": { "type": "uuid", "default": "{1}" } }"#,
      """
      "default" of Pigment.code: invalid value '{1}'; expected "new", or a uuid such as \
      "E621E1F8-C36C-495A-93FC-0C247A3E6E5F" [model.invalidValue]
      """
    ),
    (
      #""attributes": { "origin": { "type": "uri", "default": "a b" } }"#,
      """
      "default" of Pigment.origin: invalid value 'a b'; expected a URL \
      [model.invalidValue]
      """
    ),
    (
      #""attributes": { "price": { "type": "integer16", "default": 40000 } }"#,
      """
      "default" of Pigment.price: 40000 does not fit integer16 (-32768 to 32767); change \
      the value or the type [model.valueOutOfRange]
      """
    ),
    (
      #""attributes": { "weight": { "type": "float", "default": 1e39 } }"#,
      """
      "default" of Pigment.weight: 1e39 does not fit float, because it is too large or \
      too near to zero; change the value or the type [model.valueOutOfRange]
      """
    ),
    (
      #""attributes": { "price": { "type": "decimal", "default": 1e200 } }"#,
      """
      "default" of Pigment.price: 1e200 does not fit decimal (at most 38 digits, and \
      powers of ten from -128 to 127); change the value or the type \
      [model.valueOutOfRange]
      """
    ),
    (
      #""attributes": { "price": { "type": "decimal", "scale": 2, "default": 12.345 } }"#,
      """
      "default" of Pigment.price: 12.345 does not fit a scale of 2: it has more than 2 \
      decimal places, or is too large for 64 bits; change the value or "scale" \
      [model.scaleMismatch]
      """
    ),
    (
      #""attributes": { "name": { "type": "string", "default": "", "minimumLength": 1 } }"#,
      """
      the default '' of Pigment.name breaks the attribute's own rule: minimumLength 1; \
      change one of them [model.defaultBreaksRule]
      """
    ),
    (
      #""attributes": { "weight": { "type": "double", "minimum": 1, "maximum": 0 } }"#,
      """
      the range of Pigment.weight is empty: minimum 1 is greater than maximum 0; exchange \
      them [model.emptyRange]
      """
    ),
    (
      #""attributes": { "code": { "type": "string", "pattern": "(\\d)\\1" } }"#,
      #"""
      invalid pattern of Pigment.code: found '\1'; expected a pattern without \#
      back-references, because they can take exponential time; compare the parts in a \#
      validation hook [model.invalidPattern]
      """#
    ),
    (
      #""attributes": { "code": { "type": "string", "pattern": "(a" } }"#,
      #"""
      invalid pattern of Pigment.code: found '('; expected a ) that closes this group; \#
      write \( for the character itself [model.invalidPattern]
      """#
    ),
    (
      #""unique": ["nmae"], "attributes": { "name": "string" }"#,
      """
      unknown attribute 'nmae' in "unique" of Pigment; did you mean 'name'? \
      [model.unknownAttribute]
      """
    ),
    (
      #""indexes": ["weight"], "attributes": { "name": "string" }"#,
      """
      unknown attribute 'weight' in "indexes" of Pigment; expected an attribute of the \
      entity [model.unknownAttribute]
      """
    ),
    (
      #""indexes": ["twin"], "relationships": { "twin": { "type": "Pigment?", "inverse": "twin" } }"#,
      """
      unknown attribute 'twin' in "indexes" of Pigment; expected an attribute, not a \
      relationship [model.unknownAttribute]
      """
    ),
    (
      #""attributes": { "name": "string", "label": { "type": "string?", "transient": true, "dependsOn": ["nam"] } }"#,
      """
      unknown attribute 'nam' in "dependsOn" of Pigment.label; did you mean 'name'? \
      [model.unknownAttribute]
      """
    ),
    (
      #""attributes": { "label": { "type": "string?", "transient": true, "dependsOn": ["title"] }, "title": { "type": "string?", "transient": true, "dependsOn": ["label"] } }"#,
      """
      attributes depend on themselves: label → title → label; remove the cycle \
      [model.dependencyCycle]
      """
    ),
    (
      #""attributes": { "label": { "type": "string?", "transient": true } }, "indexes": ["label"]"#,
      """
      "indexes" of Pigment names 'label', which is transient, so a store cannot compare \
      its values; remove it from the list [model.unindexableAttribute]
      """
    ),
    (
      #""attributes": { "color": { "type": "transformable", "class": "Color", "transformer": "T" } }, "unique": ["color"]"#,
      """
      "unique" of Pigment names 'color', which is transformable, so a store cannot \
      compare its values; remove it from the list [model.unindexableAttribute]
      """
    ),
    (
      #""attributes": { "name": "string", "code": "string" }, "unique": [["name", "code"], ["code", "name"]]"#,
      """
      "unique" of Pigment lists (code, name) twice, first on line 1; remove one of them \
      [model.repeatedIndex]
      """
    ),
    (
      #""attributes": { "name": "string" }, "fetchRequests": { "named": "name BEGINWITH $start" }"#,
      """
      the condition of Pigment.named cannot be read: unexpected 'BEGINWITH'; expected an operator, \
      such as ==, < or CONTAINS; did you mean 'BEGINSWITH'? (format.unexpected) \
      [model.invalidCondition]
      """
    ),
    (
      #""attributes": { "name": "string" }, "fetchRequests": { "named": "nmae == $name" }"#,
      """
      unknown name 'nmae' in "where" of Pigment.named: Pigment has no attribute and no relationship \
      of this name; did you mean 'name'? [model.unknownProperty]
      """
    ),
    (
      #""attributes": { "name": "string" }, "fetchRequests": { "named": { "sort": "weight" } }"#,
      """
      unknown name 'weight' in "sort" of Pigment.named: Pigment has no attribute and no relationship \
      of this name; add it there, or correct the name [model.unknownProperty]
      """
    ),
    (
      #""attributes": { "price": "decimal" }, "fetchRequests": { "cheap": "price < 'ten'" }"#,
      """
      "where" of Pigment.cheap: 'price' of the type decimal is compared with a value of the type \
      string; expected a decimal [model.conditionType]
      """
    ),
    (
      #""fetchRequests": { "cheap": "$a == $a" }"#,
      """
      the variable '$a' of Pigment.cheap is compared with nothing that has a type; compare it with \
      an attribute [model.variableType]
      """
    ),
    (
      #""attributes": { "price": "decimal", "name": "string" }, "fetchRequests": { "cheap": "price < $x OR name == $x" }"#,
      """
      the variable '$x' of Pigment.cheap is a string here, and a decimal before; use two variables \
      [model.variableType]
      """
    ),
    (
      #""relationships": { "twin": "[Pigment" }"#,
      """
      invalid relationship type '[Pigment'; expected "Pigment", "Pigment?" or "[Pigment]" \
      [model.invalidRelationshipType]
      """
    ),
    (
      #""relationships": { "twin": "Pigmnt?" }"#,
      """
      unknown entity 'Pigmnt' in the type of Pigment.twin; did you mean 'Pigment'? \
      [model.unknownDestination]
      """
    ),
    (
      #""relationships": { "sun": "Sun?" }"#,
      """
      unknown entity 'Sun' in the type of Pigment.sun; add the entity, or correct the \
      name [model.unknownDestination]
      """
    ),
    (
      #""relationships": { "base": "Pigment?", "mixes": { "type": "[Pigment]", "inverse": "base" } }"#,
      """
      Pigment.base has no inverse, but Pigment.mixes names it; write "inverse": "mixes" \
      [model.missingInverse]
      """
    ),
    (
      #""relationships": { "base": "Pigment?", "mixes": { "type": "[Pigment]", "inverse": "base" }, "inks": { "type": "[Pigment]", "inverse": "base" } }"#,
      """
      Pigment.base has no inverse, but Pigment.mixes and Pigment.inks name it; write the \
      name of one of them as "inverse" [model.missingInverse]
      """
    ),
    (
      #""relationships": { "mixes": { "type": "[Pigment]", "inverse": "mixes", "orphans": "delete" } }"#,
      """
      Pigment.mixes cannot delete orphans: its inverse 'mixes' is to-many, so an object can \
      have several owners; remove "orphans", or make the inverse to-one [model.notOwner]
      """
    ),
    (
      #""relationships": { "mixes": { "type": "[Pigment]", "orphans": "delete" } }"#,
      """
      Pigment.mixes cannot delete orphans: it has no inverse, so an object can have several \
      owners; remove "orphans", or add an inverse that is to-one [model.notOwner]
      """
    ),
    (
      #""relationships": { "lid": { "type": "Pigment?", "inverse": "jar", "orphans": "delete" }, "jar": { "type": "Pigment?", "inverse": "lid", "orphans": "delete" } }"#,
      """
      Pigment.lid cannot delete orphans: its inverse 'jar' deletes orphans too, and only one \
      end can be the owner; remove "orphans" from one of them [model.twoOwners]
      """
    ),
    (
      #""attributes": { "image": "binary" }, "relationships": { "mixes": { "type": "[Pigment]", "sort": ["-image"] } }"#,
      """
      "sort" of Pigment.mixes names 'image', which is binary, so it gives the objects no \
      order; remove it from the list [model.unsortableAttribute]
      """
    ),
    (
      #""attributes": { "name": "string" }, "relationships": { "mixes": { "type": "[Pigment]", "sort": ["-nmae"] } }"#,
      """
      unknown attribute 'nmae' in "sort" of Pigment.mixes; did you mean 'name'? \
      [model.unknownAttribute]
      """
    ),
    (
      #""relationships": { "mixes": { "type": "[Pigment]", "sort": ["weight"] } }"#,
      """
      unknown attribute 'weight' in "sort" of Pigment.mixes; expected an attribute of Pigment \
      [model.unknownAttribute]
      """
    ),
    (
      #""relationships": { "mixes": { "type": "[Pigment]", "optional": false, "minimum": 1 } }"#,
      """
      Pigment.mixes has both the keys "optional" and "minimum"; remove "optional": a minimum of \
      1 or more means that the relationship cannot be empty [model.optionalTwice]
      """
    ),
    (
      #""relationships": { "mixes": { "type": "[Pigment]", "optional": false, "minimum": 0 } }"#,
      """
      Pigment.mixes has "optional": false and "minimum": 0, which contradict each other; remove \
      both keys if the relationship may be empty, otherwise write only "minimum": 1 \
      [model.optionalTwice]
      """
    ),
    (
      #""relationships": { "mixes": { "type": "[Pigment]", "minimum": 2, "optional": true } }"#,
      """
      Pigment.mixes has "optional": true and "minimum": 2, which contradict each other; remove \
      both keys if the relationship may be empty, otherwise write only "minimum": 2 \
      [model.optionalTwice]
      """
    ),
    (
      #""attributes": { "name": "string" }, "relationships": { "mixes": { "type": "[Pigment]", "ordered": true, "sort": "name" } }"#,
      """
      Pigment.mixes has both "ordered" and "sort", which contradict each other: with "ordered" \
      the program decides the order, with "sort" the attributes do; remove one of them \
      [model.orderedAndSorted]
      """
    ),
    (
      #""attributes": { "name": "string" }, "relationships": { "base": { "type": "Pigment?", "sort": "name" } }"#,
      """
      the key 'sort' does not apply to Pigment.base; it is only for to-many relationships \
      without an order of their own; remove it, or change the relationship [model.misplacedKey]
      """
    ),
    (
      #""relationships": { "twin": { "type": "Pigment?", "inverse": "twn" } }"#,
      """
      unknown inverse 'twn' of Pigment.twin: Pigment has no relationship of this name; \
      did you mean 'twin'? [model.unknownInverse]
      """
    ),
    (
      #""relationships": { "twin": { "type": "Pigment?", "inverse": "Pigment.twin" } }"#,
      """
      unknown inverse 'Pigment.twin' of Pigment.twin: Pigment has no relationship of this name; \
      did you mean 'twin'? [model.unknownInverse]
      """
    ),
    (
      #""relationships": { "twin": { "type": "Pigment?", "inverse": "Pigment.twn" } }"#,
      """
      unknown inverse 'Pigment.twn' of Pigment.twin: Pigment has no relationship of this name; \
      did you mean 'twin'? [model.unknownInverse]
      """
    ),
    (
      #""relationships": { "twin": { "type": "Pigment?", "inverse": "brother" } }"#,
      """
      unknown inverse 'brother' of Pigment.twin: Pigment has no relationship of this \
      name; add it there, or correct the name [model.unknownInverse]
      """
    ),
    (
      #""relationships": { "a": { "type": "Pigment?", "inverse": "b" }, "b": { "type": "Pigment?", "inverse": "b" } }"#,
      """
      the inverse of Pigment.a must name 'a' as its own inverse; found Pigment.b, whose \
      inverse is 'b' (line 1); write "inverse": "a" there, or name another inverse for \
      Pigment.a [model.inverseNotMutual]
      """
    ),
    (
      #""relationships": { "mixes": { "type": "[Pigment]", "inverse": "base" }, "base": { "type": "Pigment?", "inverse": "mixes" }, "inks": { "type": "[Pigment]", "inverse": "base" } }"#,
      """
      the inverse of Pigment.inks must name 'inks' as its own inverse; found Pigment.base, \
      whose inverse is 'mixes' (line 1); name another inverse for Pigment.inks, or remove its \
      "inverse" [model.inverseNotMutual]
      """
    ),
    (
      #""parent": "Pigmnt""#,
      """
      unknown parent 'Pigmnt' of Pigment: the model has no entity of this name; did you \
      mean 'Pigment'? [model.unknownParent]
      """
    ),
    (
      #""parent": "Material""#,
      """
      unknown parent 'Material' of Pigment: the model has no entity of this name; add the \
      entity, or correct the name [model.unknownParent]
      """
    ),
    (
      #""parent": "Pigment""#,
      """
      entities inherit from themselves: Pigment → Pigment; remove the cycle \
      [model.inheritanceCycle]
      """
    ),
    (
      #""attributes": { "name": "a\#tb" }"#,
      #"""
      a string contains the control character U+0009; write \t instead \#
      [model.controlCharacter]
      """#
    ),
  ]

  /// Whole files, and the sentence of a problem.
  static let ofFiles: [(text: String, sentence: String)] = [
    (
      #"{ copal: 1 }"#,
      #"unexpected token 'copal'; expected "copal", in double quotes [model.syntax]"#
    ),
    (
      #"{ "copal": one }"#,
      "unexpected token 'one'; expected a value [model.syntax]"
    ),
    (
      #"{ "copal" 1 }"#,
      "unexpected token '1'; expected ':' [model.syntax]"
    ),
    (
      #"{ "copal": 1 "model": "A" }"#,
      #"unexpected token '"'; expected ',' [model.syntax]"#
    ),
    (
      #"{ "model": 'A' }"#,
      "unexpected single quote; expected double quotes [model.syntax]"
    ),
    (
      #"{ "copal": 1 ]"#,
      "unexpected token ']'; expected '}' that closes the bracket on line 1 [model.syntax]"
    ),
    (
      #"{ "copal": 1 } extra"#,
      "unexpected token 'extra'; expected the end of the file [model.syntax]"
    ),
    (
      #"{ "copal": 1,"#,
      """
      unexpected end of the file; expected '}' that closes the bracket on line 1 \
      [model.unexpectedEnd]
      """
    ),
    (
      #""#,
      "unexpected end of the file; expected a value [model.unexpectedEnd]"
    ),
    (
      #"{ "a": = { "b": [ }"#,
      "unexpected token '='; expected a value [model.syntax]"
    ),
    (
      #"{ "model": "Atelier }"#,
      #"""
      unterminated string: it does not end on its line; close it with ", and write \n for \#
      a line break [model.unterminatedString]
      """#
    ),
    (
      #"{ "copal": 1 } /* note"#,
      "unterminated comment; close it with */ [model.unterminatedComment]"
    ),
    (
      #"{ "model": "C:\pigments" }"#,
      """
      invalid name 'C:pigments'; expected letters, digits and _, with no digit first \
      [model.invalidName]
      """
    ),
    (
      #"{ "model": "\uD83D" }"#,
      """
      invalid name ''; expected letters, digits and _, with no digit first \
      [model.invalidName]
      """
    ),
    (
      #"{ "model": "\u12G4" }"#,
      #"""
      invalid escape sequence '\u12'; expected four hexadecimal digits after \u \#
      [model.invalidEscape]
      """#
    ),
    (
      #"{ "copal": 01 }"#,
      "invalid number '01'; expected a JSON number such as -12.5e3 [model.invalidNumber]"
    ),
    (
      #"{ "copal": 1, "copal": 1 }"#,
      """
      duplicate key 'copal', first used on line 1; remove or rename one of them \
      [model.duplicateKey]
      """
    ),
    (
      #"{ "copal": 2 }"#,
      """
      the model file has format 2, and this version of Copal reads formats up to 1; \
      update Copal [model.newerFormat]
      """
    ),
    (
      #"{ "copal": 0, "model": "A", "entities": {} }"#,
      #""copal" of the model: 0 is out of range; expected 1 [model.outOfRange]"#
    ),
    (
      #"{ "model": "A", "entities": {} }"#,
      "the key 'copal' is missing in the model; add it [model.missingKey]"
    ),
    (
      #"{ "copal": 1, "model": "A", "version": 0, "entities": {} }"#,
      """
      "version" of the model: 0 is out of range; expected a whole number of 1 or more \
      [model.outOfRange]
      """
    ),
    (
      #"{ "copal": 1, "model": "A", "access": "open", "entities": {} }"#,
      """
      unknown keyword 'open' for "access" of the model; the keywords are public, internal \
      [model.unknownKeyword]
      """
    ),
    (
      #"{ "copal": 1, "model": "A", "imports": "CopalColor", "entities": {} }"#,
      """
      "imports" of the model: found a string; expected an array of modules \
      [model.wrongType]
      """
    ),
    (
      #"{ "copal": 1, "model": "A", "imports": ["Core-Data"], "entities": {} }"#,
      """
      invalid import 'Core-Data'; expected the name of a module, or one declaration with \
      its kind, such as struct Foundation.Date [model.invalidImport]
      """
    ),
    (
      #"{ "copal": 1, "model": "A", "imports": ["Paint", "Paint"], "entities": {} }"#,
      #""imports" of the model lists 'Paint' twice; remove one of them [model.repeatedName]"#
    ),
    (
      #"{ "copal": 1, "model": "My Atelier", "entities": {} }"#,
      """
      invalid name 'My Atelier'; expected letters, digits and _, with no digit first \
      [model.invalidName]
      """
    ),
    (
      #"[]"#,
      "the model: found an array; expected an object [model.wrongType]"
    ),
    (
      #"{ "copal": 1, "model": "A", "entities": { "Ink": {}, "INK": {} } }"#,
      """
      the name 'INK' is already used by 'Ink' on line 1; names are case-insensitive; \
      rename one of them [model.nameClash]
      """
    ),
    (
      #"{ "copal": 1, "model": "A", "entities": { "Ink": { "class": "Paint" }, "Oil": { "class": "Paint" } } }"#,
      """
      the class 'Paint' is already the class of Ink; give Oil another "class" \
      [model.duplicateClass]
      """
    ),
    (
      #"{ "copal": 1, "model": "A", "entities": { "Ink": { "relationships": { "maker": { "type": "Maker?", "inverse": "boss" } } }, "Maker": { "relationships": { "boss": { "type": "Maker?", "inverse": "boss" } } } } }"#,
      """
      the inverse of Ink.maker must lead back to Ink; found Maker.boss, which leads to \
      Maker; name another inverse for Ink.maker, or remove its "inverse" \
      [model.inverseLeadsElsewhere]
      """
    ),
    (
      #"{ "copal": 1, "model": "A", "entities": { "Ink": { "parent": "Paint" }, "Paint": { "parent": "Ink" } } }"#,
      """
      entities inherit from themselves: Ink → Paint → Ink; remove the cycle \
      [model.inheritanceCycle]
      """
    ),
    (
      #"{ "copal": 1, "model": "A", "entities": { "Paint": { "attributes": { "name": "string" } }, "Oil": { "parent": "Paint", "attributes": { "Name": "string" } } } }"#,
      """
      'Name' of Oil is already declared by its ancestor Paint (line 1); names are \
      case-insensitive; remove it from Oil, or rename it [model.redeclaredProperty]
      """
    ),
  ]

  /// Problems of files that are too large, too many or not text, as other tests find them.
  static let ofHostileFiles: [(problem: ModelProblem, sentence: String)] = [
    (
      problem(.unreadable, found: "The file doesn’t exist."),
      "the model file cannot be read; check the path and the permissions: The file doesn’t exist. "
        + "[model.unreadable]"
    ),
    (
      problem(.tooLarge, found: "more than 4000000 values", expected: "4000000 values"),
      "the model file is too large: it has more than 4000000 values; the maximum is 4000000 values; "
        + "shorten it [model.tooLarge]"
    ),
    (
      problem(.invalidUTF8, found: "the byte 0xFF", expected: "UTF-8"),
      "the model file is not UTF-8 text: found the byte 0xFF; save it as UTF-8 [model.invalidUTF8]"
    ),
    (
      problem(.tooDeep, expected: "64 levels"),
      "arrays and objects are nested too deeply; the maximum is 64 levels; use fewer levels "
        + "[model.tooDeep]"
    ),
    (
      problem(.tooManyProblems, found: "more than 500"),
      "there are more than 500 problems; the others are not shown; correct these first "
        + "[model.tooManyProblems]"
    ),
    (
      problem(.nameTooLong, found: "256", expected: "255"),
      "the name is too long: it has 256 bytes; the maximum is 255; shorten it [model.nameTooLong]"
    ),
    (
      problem(.tooManyAttributes, subject: "Pigment", found: "1991", expected: "1990"),
      "Pigment, with its subentities, has 1991 stored attributes; the maximum is 1990; split the entity "
        + "[model.tooManyAttributes]"
    ),
    (
      problem(.inheritanceTooDeep, subject: "Pigment", expected: "32"),
      "Pigment has more than 32 ancestors; the maximum is 32; merge some of them "
        + "[model.inheritanceTooDeep]"
    ),
    (
      problem("cloud.noPlace", subject: "Pigment", found: "a", expected: "b", suggestion: "c"),
      "Pigment; found a; expected b; did you mean 'c'? [cloud.noPlace]"
    ),
  ]

  private static func problem(
    _ code: ModelError.Code, subject: String = "", found: String = "", expected: String = "",
    suggestion: String? = nil
  ) -> ModelProblem {
    let position = ModelProblem.Position(file: "Test.model.json", line: 1, column: 1)
    return ModelProblem(
      code, at: position, subject: subject, found: found, expected: expected,
      suggestion: suggestion)
  }

  @Test("says what was found in an entity and what to write", arguments: ofMembers)
  func members(members: String, sentence: String) throws {
    #expect(try sentences(of: pigmentModel(members)).contains(sentence))
  }

  @Test("says what was found in a file and what to write", arguments: ofFiles)
  func files(text: String, sentence: String) throws {
    #expect(try sentences(of: text).contains(sentence))
  }

  @Test("says what is wrong with a file that no person writes", arguments: ofHostileFiles)
  func hostileFiles(problem: ModelProblem, sentence: String) throws {
    #expect(try withoutPosition(problem.description) == sentence)
  }

  private func sentences(of json: String) throws -> [String] {
    try problems(in: Array(json.utf8)).map { try withoutPosition($0.description) }
  }

  private func withoutPosition(_ description: String) throws -> String {
    let mark = try #require(description.range(of: ": error: "))
    return String(description[mark.upperBound...])
  }

  @Test("is in the tables above for every code, and the guide to errors shows one of them")
  func everyCode() throws {
    let page = try Repository.text("Docs/Errors.md")
    let all =
      Self.ofMembers.map(\.sentence) + Self.ofFiles.map(\.sentence)
      + Self.ofHostileFiles.map(\.sentence)
    for code in ModelError.Code.all {
      let sentences = all.filter { $0.hasSuffix(" [\(code)]") }
        .map { $0.dropLast(" [\(code)]".count) }
      #expect(
        sentences.contains { page.contains("\n## \(code)\n\n> `\($0)`\n") },
        "\(code): no sentence, or not this one in the guide")
    }
  }

  @Test("stands after the position, as a compiler prints it")
  func position() {
    let problem = problems(in: Array(#"{ "copal": 2 }"#.utf8)).first
    #expect(
      problem?.description.hasPrefix("Test.model.json:1:12: error: the model file has format 2")
        == true)
  }

  @Test("has one line of limited length, whatever the file contains")
  func oneLine() throws {
    let name = "\\n\\u0007\\u202E" + String(repeating: "x", count: 100_000)
    let json = pigmentModel(#""\#(name)": 1"#)
    let sentence = try #require(problems(in: Array(json.utf8)).first?.description)
    #expect(sentence.count < 400)
    #expect(!sentence.contains { $0.isNewline })
    #expect(!sentence.unicodeScalars.contains("\u{202E}"))
  }
}
