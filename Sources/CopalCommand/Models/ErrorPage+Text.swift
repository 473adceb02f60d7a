// Made by Scripts/make-error-page.
// swift-format-ignore-file
#if Command
  extension ErrorPage {
    /// The text of Docs/Errors.md.
    static let text = ###"""
      # Errors

      *Look up · for everyone who has an error · to search in, not to read*

      <!-- The sections of this page, written by Scripts/make-contents. -->

      | Section | Parts |
      |---|---|
      | [How to read a problem of a model](#how-to-read-a-problem-of-a-model) |  |
      | [Errors of the compiler](#errors-of-the-compiler) |  |
      | [Model files](#model-files) | [model.unreadable](#modelunreadable) · [model.tooLarge](#modeltoolarge) · [model.invalidUTF8](#modelinvalidutf8) · [model.syntax](#modelsyntax) · [model.unexpectedEnd](#modelunexpectedend) · [model.unterminatedString](#modelunterminatedstring) · [model.unterminatedComment](#modelunterminatedcomment) · [model.invalidEscape](#modelinvalidescape) · [model.controlCharacter](#modelcontrolcharacter) · [model.invalidNumber](#modelinvalidnumber) · [model.tooDeep](#modeltoodeep) · [model.duplicateKey](#modelduplicatekey) · [model.tooManyProblems](#modeltoomanyproblems) · [model.newerFormat](#modelnewerformat) · [model.unknownKey](#modelunknownkey) · [model.missingKey](#modelmissingkey) · [model.keyOfEntity](#modelkeyofentity) · [model.requiredKey](#modelrequiredkey) · [model.misplacedKey](#modelmisplacedkey) · [model.keyBesideCases](#modelkeybesidecases) · [model.orderedAndSorted](#modelorderedandsorted) · [model.wrongType](#modelwrongtype) · [model.unknownKeyword](#modelunknownkeyword) · [model.outOfRange](#modeloutofrange) · [model.emptyList](#modelemptylist) · [model.repeatedName](#modelrepeatedname) · [model.invalidName](#modelinvalidname) · [model.nameTooLong](#modelnametoolong) · [model.reservedName](#modelreservedname) · [model.nameClash](#modelnameclash) · [model.duplicateClass](#modelduplicateclass) · [model.hidingClass](#modelhidingclass) · [model.invalidImport](#modelinvalidimport) · [model.invalidRenaming](#modelinvalidrenaming) · [model.invalidRemoval](#modelinvalidremoval) · [model.invalidMerge](#modelinvalidmerge) · [model.unsupportedKey](#modelunsupportedkey) · [model.missingSearchForm](#modelmissingsearchform) · [model.invalidIgnoring](#modelinvalidignoring) · [model.invalidConversion](#modelinvalidconversion) · [model.invalidRenamedCase](#modelinvalidrenamedcase) · [model.unknownType](#modelunknowntype) · [model.entityType](#modelentitytype) · [model.listType](#modellisttype) · [model.optionalTwice](#modeloptionaltwice) · [model.missingTransformer](#modelmissingtransformer) · [model.missingClass](#modelmissingclass) · [model.invalidClass](#modelinvalidclass) · [model.nullDefault](#modelnulldefault) · [model.invalidValue](#modelinvalidvalue) · [model.valueOutOfRange](#modelvalueoutofrange) · [model.scaleMismatch](#modelscalemismatch) · [model.defaultBreaksRule](#modeldefaultbreaksrule) · [model.defaultIsNoCase](#modeldefaultisnocase) · [model.repeatedRawValue](#modelrepeatedrawvalue) · [model.emptyRange](#modelemptyrange) · [model.invalidPattern](#modelinvalidpattern) · [model.unknownAttribute](#modelunknownattribute) · [model.dependencyCycle](#modeldependencycycle) · [model.tooManyAttributes](#modeltoomanyattributes) · [model.unindexableAttribute](#modelunindexableattribute) · [model.repeatedIndex](#modelrepeatedindex) · [model.invalidCondition](#modelinvalidcondition) · [model.unknownProperty](#modelunknownproperty) · [model.conditionType](#modelconditiontype) · [model.variableType](#modelvariabletype) · [model.invalidRelationshipType](#modelinvalidrelationshiptype) · [model.unknownDestination](#modelunknowndestination) · [model.missingInverse](#modelmissinginverse) · [model.unknownInverse](#modelunknowninverse) · [model.inverseLeadsElsewhere](#modelinverseleadselsewhere) · [model.inverseNotMutual](#modelinversenotmutual) · [model.notOwner](#modelnotowner) · [model.twoOwners](#modeltwoowners) · [model.unsortableAttribute](#modelunsortableattribute) · [model.unknownParent](#modelunknownparent) · [model.inheritanceCycle](#modelinheritancecycle) · [model.inheritanceTooDeep](#modelinheritancetoodeep) · [model.redeclaredProperty](#modelredeclaredproperty) |
      | [Warnings of a model](#warnings-of-a-model) | [model.oneWay](#modeloneway) · [model.nullifiesRequired](#modelnullifiesrequired) · [model.cascadesBothWays](#modelcascadesbothways) · [model.insecureTransformer](#modelinsecuretransformer) |
      | [Generated code](#generated-code) | [codegen.nameClash](#codegennameclash) · [codegen.transformableID](#codegentransformableid) · [codegen.missingProduct](#codegenmissingproduct) · [codegen.duplicateModel](#codegenduplicatemodel) · [codegen.duplicateClass](#codegenduplicateclass) |
      | [Opening a store](#opening-a-store) | [store.folderMissing](#storefoldermissing) · [store.notWritable](#storenotwritable) · [store.notADatabase](#storenotadatabase) · [store.notACopalStore](#storenotacopalstore) · [store.notUTF8](#storenotutf8) · [store.newerFormat](#storenewerformat) · [store.modelDiffers](#storemodeldiffers) · [store.newerModel](#storenewermodel) · [store.notEmpty](#storenotempty) · [store.migrationNeeded](#storemigrationneeded) · [store.damagedMetadata](#storedamagedmetadata) · [store.damagedSchema](#storedamagedschema) · [store.backendTooOld](#storebackendtooold) · [store.cannotOpen](#storecannotopen) |
      | [Migration](#migration) | [migration.removed](#migrationremoved) · [migration.newRequired](#migrationnewrequired) · [migration.missingValues](#migrationmissingvalues) · [migration.inexact](#migrationinexact) · [migration.needsWord](#migrationneedsword) · [migration.needsStep](#migrationneedsstep) · [migration.duplicates](#migrationduplicates) · [migration.brokenRules](#migrationbrokenrules) · [migration.abstractWithObjects](#migrationabstractwithobjects) · [migration.severalObjects](#migrationseveralobjects) · [migration.wrongEntity](#migrationwrongentity) · [migration.missingObject](#migrationmissingobject) · [migration.missingFile](#migrationmissingfile) · [migration.otherProgram](#migrationotherprogram) |
      | [Reading and writing a store](#reading-and-writing-a-store) | [store.diskFull](#storediskfull) · [store.busy](#storebusy) · [store.tooManyFiles](#storetoomanyfiles) · [store.corrupt](#storecorrupt) · [store.inputOutput](#storeinputoutput) · [store.tooBig](#storetoobig) · [store.interrupted](#storeinterrupted) · [store.canceled](#storecanceled) · [store.backend](#storebackend) · [store.inUse](#storeinuse) · [store.noStore](#storenostore) · [store.pathTaken](#storepathtaken) · [store.noFile](#storenofile) · [store.noMetadata](#storenometadata) · [store.noBackup](#storenobackup) · [store.backupExists](#storebackupexists) · [store.noBatches](#storenobatches) · [store.noTransactions](#storenotransactions) · [store.transactionLost](#storetransactionlost) · [store.noSQL](#storenosql) · [sql.invalid](#sqlinvalid) · [sql.notAllowed](#sqlnotallowed) · [sql.severalStatements](#sqlseveralstatements) · [sql.failed](#sqlfailed) · [sql.wrongColumn](#sqlwrongcolumn) · [sql.noKey](#sqlnokey) · [store.fileReplaced](#storefilereplaced) · [store.forked](#storeforked) · [search.needsRebuild](#searchneedsrebuild) · [store.filesWithoutStore](#storefileswithoutstore) · [store.filesOfAnotherStore](#storefilesofanotherstore) · [store.keysExhausted](#storekeysexhausted) |
      | [Requests](#requests) | [request.unknownEntity](#requestunknownentity) · [request.abstractEntity](#requestabstractentity) · [request.unrelatedEntity](#requestunrelatedentity) · [request.unboundVariable](#requestunboundvariable) · [request.unknownTemplate](#requestunknowntemplate) · [request.missingVariable](#requestmissingvariable) · [request.unknownVariable](#requestunknownvariable) · [request.variableList](#requestvariablelist) · [request.invalidExpression](#requestinvalidexpression) · [request.valueOutOfRange](#requestvalueoutofrange) · [request.notDecodable](#requestnotdecodable) · [request.invalidCursor](#requestinvalidcursor) · [request.unknownProperty](#requestunknownproperty) · [request.notQueryable](#requestnotqueryable) · [request.predicateType](#requestpredicatetype) · [request.notText](#requestnottext) · [request.invalidPattern](#requestinvalidpattern) · [request.invalidLimit](#requestinvalidlimit) · [request.tooComplex](#requesttoocomplex) · [request.notTransformable](#requestnottransformable) · [request.wrongClass](#requestwrongclass) · [request.severalObjects](#requestseveralobjects) |
      | [Predicates as text](#predicates-as-text) | [format.unexpected](#formatunexpected) · [format.unexpectedEnd](#formatunexpectedend) · [format.unterminatedString](#formatunterminatedstring) · [format.invalidEscape](#formatinvalidescape) · [format.invalidNumber](#formatinvalidnumber) · [format.outOfRange](#formatoutofrange) · [format.invalidName](#formatinvalidname) · [format.invalidValue](#formatinvalidvalue) · [format.invalidOption](#formatinvalidoption) · [format.invalidPlaceholder](#formatinvalidplaceholder) · [format.missingArgument](#formatmissingargument) · [format.extraArgument](#formatextraargument) · [format.argumentKind](#formatargumentkind) · [format.unknownFunction](#formatunknownfunction) · [format.argumentCount](#formatargumentcount) · [format.unknownType](#formatunknowntype) · [format.unknownAggregate](#formatunknownaggregate) · [format.unsupported](#formatunsupported) · [format.misplacedList](#formatmisplacedlist) · [format.misplacedCondition](#formatmisplacedcondition) · [format.tooDeep](#formattoodeep) · [format.tooLong](#formattoolong) |
      | [Predicates of Foundation](#predicates-of-foundation) | [predicate.unsupported](#predicateunsupported) · [predicate.keyPath](#predicatekeypath) · [predicate.value](#predicatevalue) |
      | [Saving](#saving) | [save.failed](#savefailed) · [save.conflict](#saveconflict) · [save.deletedElsewhere](#savedeletedelsewhere) · [save.uniqueConflict](#saveuniqueconflict) · [batch.pendingChanges](#batchpendingchanges) · [batch.failed](#batchfailed) · [batch.notAssignable](#batchnotassignable) · [batch.missingObject](#batchmissingobject) · [batch.noConstraint](#batchnoconstraint) · [transaction.pendingChanges](#transactionpendingchanges) · [save.metadataName](#savemetadataname) · [save.metadataTooBig](#savemetadatatoobig) · [save.deletionDenied](#savedeletiondenied) · [save.tooFewObjects](#savetoofewobjects) · [save.tooManyObjects](#savetoomanyobjects) · [save.missingReference](#savemissingreference) · [save.stillReferenced](#savestillreferenced) · [save.notAssignable](#savenotassignable) · [save.required](#saverequired) · [save.belowMinimum](#savebelowminimum) · [save.aboveMaximum](#saveabovemaximum) · [save.tooShort](#savetooshort) · [save.tooLong](#savetoolong) · [save.patternMismatch](#savepatternmismatch) · [save.unrecognizedCase](#saveunrecognizedcase) · [save.notANumber](#savenotanumber) · [save.scaleExceeded](#savescaleexceeded) · [save.validationFailed](#savevalidationfailed) · [save.incompleteObject](#saveincompleteobject) · [save.endlessHooks](#saveendlesshooks) |
      | [Objects](#objects) | [object.missing](#objectmissing) · [object.unsaved](#objectunsaved) · [object.multipleFailures](#objectmultiplefailures) · [object.danglingReference](#objectdanglingreference) · [object.lazyLoads](#objectlazyloads) · [object.lazyLoad](#objectlazyload) · [request.sectionPath](#requestsectionpath) · [context.tooManyStatements](#contexttoomanystatements) · [context.statements](#contextstatements) · [object.changeLost](#objectchangelost) · [object.typeMismatch](#objecttypemismatch) · [object.externalFileMissing](#objectexternalfilemissing) · [object.externalFileUnreadable](#objectexternalfileunreadable) · [object.undecodable](#objectundecodable) · [object.absoluteFileURL](#objectabsolutefileurl) · [object.wrongValueType](#objectwrongvaluetype) · [object.outOfRange](#objectoutofrange) · [object.idOfAnotherStore](#objectidofanotherstore) |
      | [Transformers](#transformers) | [transformer.unregistered](#transformerunregistered) · [transformer.duplicate](#transformerduplicate) · [transformer.wrongClass](#transformerwrongclass) · [transformer.wrongStorage](#transformerwrongstorage) · [transformer.encodeFailed](#transformerencodefailed) · [transformer.decodeFailed](#transformerdecodefailed) · [transformer.readOnly](#transformerreadonly) · [transformer.selfTestFailed](#transformerselftestfailed) · [transformer.notIdempotent](#transformernotidempotent) · [transformer.notSecure](#transformernotsecure) · [transformer.readOnlyRequired](#transformerreadonlyrequired) · [transformer.olderVersion](#transformerolderversion) · [transformer.newerVersion](#transformernewerversion) · [transformer.notVersioned](#transformernotversioned) · [transformer.versionNotKept](#transformerversionnotkept) · [transformer.unknownProjection](#transformerunknownprojection) · [transformer.wrongProjection](#transformerwrongprojection) · [transformer.unknownRawValue](#transformerunknownrawvalue) · [transformer.invalidText](#transformerinvalidtext) · [transformer.collectionForm](#transformercollectionform) · [transformer.encodedElement](#transformerencodedelement) · [transformer.decodedElement](#transformerdecodedelement) · [transformer.equalKeys](#transformerequalkeys) · [transformer.wrongDirection](#transformerwrongdirection) · [transformer.noResult](#transformernoresult) · [transformer.missingBase](#transformermissingbase) · [transformer.invalidBase](#transformerinvalidbase) · [transformer.outsideBase](#transformeroutsidebase) · [transformer.missingScheme](#transformermissingscheme) · [transformer.notANumber](#transformernotanumber) |
      | [Import](#import) | [import.notCSV](#importnotcsv) · [import.notJSON](#importnotjson) · [import.notUTF8](#importnotutf8) · [import.tooLong](#importtoolong) · [import.templateMismatch](#importtemplatemismatch) · [import.header](#importheader) · [import.unknownProperty](#importunknownproperty) · [import.fieldCount](#importfieldcount) · [import.wrongValue](#importwrongvalue) · [import.brokenRule](#importbrokenrule) · [import.required](#importrequired) · [import.missingObject](#importmissingobject) · [import.notUnique](#importnotunique) · [import.refused](#importrefused) · [import.notAnExport](#importnotanexport) · [import.newerFormat](#importnewerformat) · [import.cutOff](#importcutoff) · [import.otherModel](#importothermodel) · [import.notEmpty](#importnotempty) |
      | [Containers](#containers) | [container.layoutDiffers](#containerlayoutdiffers) · [container.multipleProblems](#containermultipleproblems) |
      | [Colors](#colors) | [color.notFinite](#colornotfinite) · [color.componentCount](#colorcomponentcount) · [color.unknownSpace](#colorunknownspace) · [color.unconvertible](#colorunconvertible) · [color.translucentBackground](#colortranslucentbackground) · [color.hex](#colorhex) · [color.css](#colorcss) · [color.noBytes](#colornobytes) · [color.wrongKind](#colorwrongkind) · [color.newerVersion](#colornewerversion) · [color.truncated](#colortruncated) · [color.trailingBytes](#colortrailingbytes) · [color.invalidCount](#colorinvalidcount) · [color.notDivisible](#colornotdivisible) · [color.needsProfile](#colorneedsprofile) · [color.archivedSpace](#colorarchivedspace) · [color.archivedComponents](#colorarchivedcomponents) · [color.namedOnly](#colornamedonly) · [color.pattern](#colorpattern) |
      | [Property lists and archives](#property-lists-and-archives) | [archive.notPropertyList](#archivenotpropertylist) · [archive.truncated](#archivetruncated) · [archive.trailer](#archivetrailer) · [archive.reference](#archivereference) · [archive.cycle](#archivecycle) · [archive.overlap](#archiveoverlap) · [archive.valueKind](#archivevaluekind) · [archive.text](#archivetext) · [archive.key](#archivekey) · [archive.xml](#archivexml) · [archive.size](#archivesize) · [archive.count](#archivecount) · [archive.depth](#archivedepth) · [archive.notKeyedArchive](#archivenotkeyedarchive) · [archive.version](#archiveversion) · [archive.form](#archiveform) · [archive.missingKey](#archivemissingkey) · [archive.objectReference](#archiveobjectreference) · [archive.objectCycle](#archiveobjectcycle) · [archive.classNotAllowed](#archiveclassnotallowed) · [archive.fieldForm](#archivefieldform) · [archive.inexpressible](#archiveinexpressible) |

      <!-- The end of the sections. -->

      Every error of Copal has a code and a sentence. A code never changes its meaning. A sentence may change. This page has a
      heading for each code, with an example of its sentence, what it means, why it happens, and what to do. The examples are
      on one line here; some messages have several lines.

      No sentence has a value of an object, except [`save.uniqueConflict`](#saveuniqueconflict), which has the values that are there twice, unless
      they are private. Those of a condition's text, and of a pattern, show that text: write values as `%@`, and not into the text, if
      they are secrets. `description` of an object shows its values; those of attributes with `"private": true` are `‹private›`.

      # How to read a problem of a model

      ```
      Colors.model.json:7:18: error: unknown attribute type 'sting'; did you mean 'string'? [model.unknownType]
      ```

      The message has the file, the line and the column, then the sentence, then the code. Lines and columns are counted from
      1. A column is the position of a byte in the UTF-8 text of the line. `ModelError.problems` has the same as values: code,
      position, subject (such as `ColorLibrary.name`), key, what was found, what was expected, and a suggestion, which is the
      valid name that is most similar to the name found.

      Copal reports all problems of a file together, in the order of the file. One exception: after a mistake in the syntax,
      some names may be unknown. Problems that may only follow from this mistake are not reported until you correct it.

      Codes that begin with `model.` are for problems of model files. `Models/Broken` has an example file for almost every
      code. The two codes under [Warnings](#warnings-of-a-model) do not make a model invalid.

      # Errors of the compiler

      These are no codes of Copal. The compiler or the package manager says them about code that a model should have, or that came from
      another library.

      | Words | Why | What to do |
      |---|---|---|
      | `type 'ModelBinding' has no member 'studio'` | No code was made of `Studio.model.json`: the target has no plugin, or the file is not in the folder of the target. | Add `plugins: [.plugin(name: "CopalPlugin", package: "Copal")]` to the target in `Package.swift`. Move the model beside `main.swift`. |
      | `warning: 'studio': found 1 file(s) which are unhandled; explicitly declare them as resources or exclude from the target`, with `Studio.model.json` below it | The same: the target has no plugin. | The same. Do not declare the file as a resource. |
      | `cannot find type 'Plant' in scope`, at a line of a model with `"codegen": "extension"` | Nobody has written the class. It is the first of many errors: all code that uses the class has one. | Write the class that the comment in the shown line names: `nonisolated final class Plant: ManagedObject {}`. Or remove `"codegen"`; then the plugin writes the class. |
      | `invalid redeclaration of 'name'` | A class of Core Data was kept, with `@NSManaged var name`. The properties are generated. | Delete the lines with `@NSManaged`. The compiler says nothing about `@NSManaged` itself. |
      | `'NSPredicate' has been renamed to 'FetchPredicate'`, and other names of Core Data and Foundation | The name is one of Core Data. | Write what the rest of the message says. In a file that imports Foundation, `NSPredicate`, `NSSortDescriptor`, `NSSet` and `NSOrderedSet` are Foundation's. Copal takes none of them. |
      | `argument 'sortedBy' must precede argument 'where'` | The condition is the last argument, as a closure and as a value. | Let the compiler exchange them. |

      # Model files

      ## model.unreadable

      > `the model file cannot be read; check the path and the permissions: The file doesn’t exist.`

      In Swift: `ModelError.Code.unreadable`.

      The file cannot be opened or read.

      **Cause.** The file does not exist, is a folder, or may not be read. The message ends with the reason that the system
      gives.

      **Cure.** Correct the path or the permissions.

      ## model.tooLarge

      > `the model file is too large: it has more than 4000000 values; the maximum is 4000000 values; shorten it`

      In Swift: `ModelError.Code.tooLarge`.

      The file is larger than a model may be.

      **Cause.** The file has more than 64 MiB, or more than 4,000,000 JSON values. Or its canonical form, which is indented,
      has more than 64 MiB. Or a string has more than 1,000 accents or other combining marks in a row. Most likely the file is
      not a model file.

      **Cure.** Give Copal the model file. Move large notes out of `userInfo`.

      ## model.invalidUTF8

      > `the model file is not UTF-8 text: found the byte 0xFF; save it as UTF-8`

      In Swift: `ModelError.Code.invalidUTF8`.

      The file is not UTF-8 text.

      **Cause.** The file was saved in another encoding, such as UTF-16, or it is damaged. The position is that of the first
      invalid byte.

      **Cure.** Save the file as UTF-8. A byte-order mark is allowed.

      ## model.syntax

      > `unexpected token 'copal'; expected "copal", in double quotes`

      In Swift: `ModelError.Code.syntax`.

      JSON does not allow this token at this position.

      **Cause.** A comma, colon, bracket or quotation mark is missing, or there is one too many. Or a text has no quotation
      marks.

      **Cure.** Write what the message expects. Comments and trailing commas are allowed; everything else is plain JSON.

      ## model.unexpectedEnd

      > `unexpected end of the file; expected '}' that closes the bracket on line 1`

      In Swift: `ModelError.Code.unexpectedEnd`.

      The file ends inside an array or object, or is empty.

      **Cause.** A closing bracket is missing, or the end of the file is missing. The message names the line of the innermost open bracket.

      **Cure.** Close the bracket. The other problems of the file are reported once the brackets match.

      ## model.unterminatedString

      > `unterminated string: it does not end on its line; close it with ", and write \n for a line break`

      In Swift: `ModelError.Code.unterminatedString`.

      A string does not end on its line.

      **Cause.** Its closing quotation mark is missing.

      **Cure.** Close it. Write `\n` for a line break inside a string.

      ## model.unterminatedComment

      > `unterminated comment; close it with */`

      In Swift: `ModelError.Code.unterminatedComment`.

      A comment does not end.

      **Cause.** A `/*` has no `*/`.

      **Cure.** Close the comment.

      ## model.invalidEscape

      > `invalid escape sequence '\u12'; expected four hexadecimal digits after \u`

      In Swift: `ModelError.Code.invalidEscape`.

      A string contains an invalid escape sequence.

      **Cause.** JSON has only the escapes `\" \\ \/ \b \f \n \r \t` and `\uXXXX`. Or a `\uXXXX` is one half of a surrogate
      pair, without the other half.

      **Cure.** Write `\\` for a backslash. Write both halves of a surrogate pair, or the character itself.

      ## model.controlCharacter

      > `a string contains the control character U+0009; write \t instead`

      In Swift: `ModelError.Code.controlCharacter`.

      A string contains a control character that is not escaped.

      **Cause.** Often an editor has inserted a tab character.

      **Cure.** Write it as an escape, such as `\t`.

      ## model.invalidNumber

      > `invalid number '01'; expected a JSON number such as -12.5e3`

      In Swift: `ModelError.Code.invalidNumber`.

      A number does not have the syntax of JSON numbers.

      **Cause.** It has a leading zero or plus sign, no digit beside the decimal point, a `_` between digits, or more than 1,000 characters.

      **Cure.** Write it like `-12.5e3`.

      ## model.tooDeep

      > `arrays and objects are nested too deeply; the maximum is 64 levels; use fewer levels`

      In Swift: `ModelError.Code.tooDeep`.

      Arrays and objects are nested more than 64 levels deep.

      **Cause.** In a valid model, only `userInfo` can be nested so deeply.

      **Cure.** Use fewer levels.

      ## model.duplicateKey

      > `duplicate key 'copal', first used on line 1; remove or rename one of them`

      In Swift: `ModelError.Code.duplicateKey`.

      An object contains the same key twice.

      **Cause.** An entity, attribute or setting was copied and not renamed. The other checks of the file use the first of the
      two.

      **Cure.** Remove or rename one of them.

      ## model.tooManyProblems

      > `there are more than 500 problems; the others are not shown; correct these first`

      In Swift: `ModelError.Code.tooManyProblems`.

      There are more than 500 problems. The first 500 are reported.

      **Cause.** Often one mistake near the beginning of the file causes the others, or the file is not a model.

      **Cure.** Correct the first problems and run again.

      ## model.newerFormat

      > `the model file has format 2, and this version of Copal reads formats up to 1; update Copal`

      In Swift: `ModelError.Code.newerFormat`.

      The file has a newer format than this version of Copal can read.

      **Cause.** The value of `copal` is greater than the formats that this version reads. Nothing else in the file is checked.

      **Cure.** Update Copal.

      ## model.unknownKey

      > `unknown key 'colour' in Pigment; the keys are class, codegen, set, parent, abstract, observable, identity, attributes, relationships, fetchRequests, fetchedProperties, unique, indexes, renamedFrom, merges, removed, doc, userInfo`

      In Swift: `ModelError.Code.unknownKey`.

      The file has a key that this version of the format does not have.

      **Cause.** The key is misspelled, or it belongs to another level of the file.

      **Cure.** Use the key that the message suggests. Put your own data into `userInfo`.

      ## model.missingKey

      > `the key 'type' is missing in Pigment.name; add it`

      In Swift: `ModelError.Code.missingKey`.

      A required key is missing.

      **Cause.** A model needs `copal`, `model` and `entities`. An attribute or relationship that is written as an object needs `type`.

      **Cure.** Add the key.

      ## model.keyOfEntity

      > `"unique" is a key of the entity, not of an attribute; remove it from Pigment.name, and write "unique": ["name"] in the entity, beside "attributes"`

      In Swift: `ModelError.Code.keyOfEntity`.

      An attribute has a key that belongs to its entity, such as `"unique": true` or `"indexed": true`.

      **Cause.** In models of other libraries, the attribute says that its values are unique or indexed. In a model of Copal
      the entity says this, because a constraint or an index can have several attributes.

      **Cure.** Remove the key from the attribute. Write `"unique": ["name"]` or `"indexes": ["name"]` in the entity, beside
      `"attributes"`.

      ## model.requiredKey

      > `"required" is not a key of an attribute; remove it: an attribute is required unless its type ends in ?, such as "string?"`

      In Swift: `ModelError.Code.requiredKey`.

      An attribute has a key that says whether it is required or may be nil, such as `"required": true` or `"nullable": true`.

      **Cause.** Models of other libraries have such a key. In a model of Copal, the type says this.

      **Cure.** Remove the key. `"string"` is required, and `"string?"` is optional.

      ## model.misplacedKey

      > `the key 'scale' does not apply to Pigment.name; it is only for attributes of type decimal; remove it, or change the type`

      In Swift: `ModelError.Code.misplacedKey`.

      A key does not apply to this type of attribute or relationship.

      **Cause.** For example `scale` in a string attribute, `dependsOn` in a stored attribute, or `ordered` in a to-one
      relationship.

      **Cure.** Remove the key, or change the type.

      ## model.keyBesideCases

      > `the key 'pattern' does not apply to Pigment.form, which has cases; remove it`

      In Swift: `ModelError.Code.keyBesideCases`.

      A rule is beside `cases`.

      **Cause.** An attribute with cases takes only their values, so `minimum`, `maximum`, lengths and `pattern` have no meaning.

      **Cure.** Remove the rule, or the cases.

      ## model.orderedAndSorted

      > `Pigment.mixes has both "ordered" and "sort", which contradict each other: with "ordered" the program decides the order, with "sort" the attributes do; remove one of them`

      In Swift: `ModelError.Code.orderedAndSorted`.

      A relationship has two orders.

      **Cause.** Both `ordered` and `sort` are written.

      **Cure.** Remove one of them.

      ## model.wrongType

      > `Pigment.name: found a number; expected a type such as "string", or an object`

      In Swift: `ModelError.Code.wrongType`.

      A value does not have the JSON type that its key requires.

      **Cause.** For example a number in quotation marks, or a name where a list is expected.

      **Cure.** Write the type that the message expects.

      ## model.unknownKeyword

      > `unknown keyword 'clas' for "codegen" of Pigment; did you mean 'class'?`

      In Swift: `ModelError.Code.unknownKeyword`.

      The value of a key is not one of its keywords.

      **Cause.** `access`, `codegen`, `delete`, `storage`, `accessor` and `set` each take one of a few keywords. `set` cannot be `private` or `fileprivate`:
      the property is in a generated file, where no code of yours could set it.

      **Cure.** Use one of the keywords in the message.

      ## model.outOfRange

      > `"scale" of Pigment.price: 19 is out of range; expected a whole number from 0 to 18`

      In Swift: `ModelError.Code.outOfRange`.

      A number is outside the range of its key, or is not a whole number.

      **Cause.** For example a `version` of 0, a `scale` of 19, a negative length, a `maximum` of 0 objects, or a fraction.

      **Cure.** Write a whole number in the range that the message names.

      ## model.emptyList

      > `"unique" of Pigment contains an empty list; name an attribute, or remove the list`

      In Swift: `ModelError.Code.emptyList`.

      A list in `unique` or `indexes`, or the list `sort` of a relationship, names no attribute.

      **Cause.** The names were removed, but not the brackets.

      **Cure.** Name an attribute, or remove the list.

      ## model.repeatedName

      > `"indexes" of Pigment lists 'name' twice; remove one of them`

      In Swift: `ModelError.Code.repeatedName`.

      A list contains the same name twice.

      **Cause.** The list is `imports`, `dependsOn`, `sort`, or one index or constraint. In `sort`, `"name"` and `"-name"` are the same name.

      **Cure.** Remove one of them.

      ## model.invalidName

      > `invalid name '2nd'; expected letters, digits and _, with no digit first`

      In Swift: `ModelError.Code.invalidName`.

      A name is not a Swift identifier.

      **Cause.** The name contains a space, a dot or another sign, begins with a digit, or is empty. Or its accents are
      separate characters (it is not in Unicode normalization form C). Only the name of a transformer may contain dots.

      **Cure.** Use letters of any script, digits and `_`. If the accents are separate characters, type the letters again.

      ## model.nameTooLong

      > `the name is too long: it has 256 bytes; the maximum is 255; shorten it`

      In Swift: `ModelError.Code.nameTooLong`.

      A name has more than 255 bytes. The name of a transformer or an import has more than 1,000.

      **Cause.** Copal makes names of files and columns from these names, so their length is limited.

      **Cure.** Shorten the name.

      ## model.reservedName

      > `the name 'description' is reserved: it is a member of ManagedObject or of generated classes; choose another name, such as 'pigmentDescription'; after a rename, search the code for '.description', which may still compile and mean that member`

      In Swift: `ModelError.Code.reservedName`.

      A name is reserved.

      **Cause.** Copal reserves names that begin with `copal_` or `_copal`, and the members of `ManagedObject` and of generated classes. SQLite reserves
      names that begin with `sqlite_`, and `rowid`, `oid` and `_rowid_`. Swift reserves `self`, `Self`, `init`, `Type`, `Protocol` and `_`. Other
      keywords, such as `class`, are allowed.

      **Cure.** Choose another name, such as the one that the message suggests. [ModelFormat.md](ModelFormat.md#reserved-names) lists
      the reserved names.

      ## model.nameClash

      > `the name 'Name' is already used by 'name' on line 1; names are case-insensitive; rename one of them`

      In Swift: `ModelError.Code.nameClash`.

      Two entities, or two properties of one entity, have the same name, or names that differ only in upper and lower case.

      **Cause.** SQLite and many file systems do not distinguish upper and lower case.

      **Cure.** Rename one of them.

      ## model.duplicateClass

      > `the class 'Paint' is already the class of Ink; give Oil another "class"`

      In Swift: `ModelError.Code.duplicateClass`.

      Two entities have the same Swift class, or classes whose names differ only in upper and lower case.

      **Cause.** Two entities have the same `class`, or the `class` of one is the name of another.

      **Cure.** Give each entity its own class.

      ## model.hidingClass

      > `the class 'Any' would hide the type 'Any' that generated code uses; give Pigment another "class", such as "AnyEntity"`

      In Swift: `ModelError.Code.hidingClass`.

      A class would hide a type that generated code uses.

      **Cause.** For example, generated code would use a class `Date` of your module instead of Foundation's `Date`.

      **Cure.** Give the entity another `class`. The entity can keep its name.

      ## model.invalidImport

      > `invalid import 'Core-Data'; expected the name of a module, or one declaration with its kind, such as struct Foundation.Date`

      In Swift: `ModelError.Code.invalidImport`.

      Swift would not accept an item of `imports`.

      **Cause.** An item must be what follows Swift's keyword `import`: the name of a module, or the kind and the name of one
      declaration of a module.

      **Cure.** Write `CopalColor`, or `struct Foundation.Date` for a single type. The kinds are `typealias`, `struct`, `class`,
      `enum`, `protocol`, `let`, `var` and `func`.

      ## model.invalidRenaming

      > `Pigment.name cannot be renamed from 'name'; expected an old name that differs from the new one`

      In Swift: `ModelError.Code.invalidRenaming`.

      The value of `renamedFrom` is not possible.

      **Cause.** Something is renamed from its own name, two things are renamed from the same name, or two things from each other's
      name.

      **Cure.** Correct or remove one `renamedFrom`. To exchange two names, rename one to a third name, and in the next version to
      its name.

      ## model.invalidRemoval

      > `Pigment cannot list 'code' as removed: the model has a property of this name; remove it from the list`

      In Swift: `ModelError.Code.invalidRemoval`.

      A list `removed` has a name that the model has.

      **Cause.** The attribute or entity came back, or the list is that of another entity.

      **Cure.** Remove the name from the list.

      ## model.invalidMerge

      > `Pigment cannot merge 'Pigment': the model has an entity of this name; remove it from one of the two`

      In Swift: `ModelError.Code.invalidMerge`.

      A list `merges` has a name that the model has, or that another list of former entities has.

      **Cause.** `merges` names entities that are gone: their objects are those of the entity with the list.

      **Cure.** Remove the entity from the model, or its name from one of the lists.

      ## model.unsupportedKey

      > `the key 'reencode' in Pigment.tint is one of the format, and this version of Copal does not support it; remove it`

      In Swift: `ModelError.Code.unsupportedKey`.

      The format has this key, and this version of Copal does not support it.

      **Cause.** The model was written for a later version of Copal.

      **Cure.** Update Copal, or remove the key.

      ## model.missingSearchForm

      > `"search" of Pigment.name has 'case' without 'normalized', whose index finds the objects of every search; write ["normalized", "case"]`

      In Swift: `ModelError.Code.missingSearchForm`.

      The forms `case` and `substring` are in `search` without `normalized`.

      **Cause.** Conditions are answered by the index of the normalized form. The form `case` adds the order `caseInsensitive`, and `substring` the
      parts of the normalized form.

      **Cure.** Write `["normalized", "case"]`, or `["normalized", "substring"]`.

      ## model.invalidIgnoring

      > `"unique" of Pigment ignores case and diacritics of 'name': the store keeps no such form of the attribute; write "search": "normalized" at it`

      In Swift: `ModelError.Code.invalidIgnoring`.

      A unique constraint ignores something in an attribute, and the store cannot compare its values so.

      **Cause.** The store compares the forms of texts that it keeps for [searches](Searching.md): `normalized` for `["case", "diacritics"]`, `case` for
      `["case"]`. The attribute has no such form, or it is no string, or only diacritics are ignored.

      **Cure.** Add the form to `"search"` of the attribute, or write the name of the attribute alone.

      ## model.invalidConversion

      > `the conversion 'nearest' does not apply to Pigment.name; it is only for attributes with numbers`

      In Swift: `ModelError.Code.invalidConversion`.

      The attribute cannot have this `conversion`.

      **Cause.** `nearest` is for numbers, `nil` for optional attributes, `fill` for attributes with a `fill` or a `default`, and so on:
      [MigrationChanges.md](MigrationChanges.md#types).

      **Cure.** Choose another conversion, or remove the key.

      ## model.invalidRenamedCase

      > `"renamedCases" of Pigment.form: 'tempara' is the raw value of no case; the raw values are oil, tempera`

      In Swift: `ModelError.Code.invalidRenamedCase`.

      An entry of `renamedCases` does not lead from a former raw value to one of now.

      **Cause.** The old value is still that of a case, or the new one is misspelled.

      **Cure.** Correct the entry.

      ## model.unknownType

      > `unknown attribute type 'sting'; did you mean 'string'?`

      In Swift: `ModelError.Code.unknownType`.

      The type of an attribute is not one of Copal's types.

      **Cause.** The type is misspelled, or it is a type of another library.

      **Cure.** Use the type that the message suggests. [ModelFormat.md](ModelFormat.md) lists all types.

      ## model.entityType

      > `'Pigment' is an entity, and an attribute stores a value; move Pigment.base from "attributes" to "relationships"`

      In Swift: `ModelError.Code.entityType`.

      The type of an attribute is the name of an entity, such as `"owner": "Person"`, or a list of an entity's objects.

      **Cause.** An attribute stores a value. A link to other objects is a relationship.

      **Cure.** Move it from `"attributes"` to `"relationships"` of the entity, with an `"inverse"`.

      ## model.listType

      > `'[string]' is a list, and an attribute stores one value; write the type "transformable" with "class": "[String]" and a "transformer"`

      In Swift: `ModelError.Code.listType`.

      The type of an attribute is a list, such as `[string]`.

      **Cause.** An attribute stores one value. A transformer can store a list as one value.

      **Cure.** Write the type `"transformable"`, with `"class": "[String]"` and a `"transformer"`. A store cannot search
      in such a list: if you must find objects by its elements, make the elements objects of an entity.

      ## model.optionalTwice

      > `Pigment.name has both the key "optional" and a ? in its type "string?"; remove the key, or write the type "string"`

      In Swift: `ModelError.Code.optionalTwice`.

      The key `optional` is used together with a type that ends in a question mark, or, in a to-many relationship, together
      with `minimum`.

      **Cause.** Both have the same meaning. If you changed only one of them later, they would contradict each other. With
      `"optional": false` and `"minimum": 0`, they contradict each other already, and the message says so.

      **Cure.** Keep one of them.

      ## model.missingTransformer

      > `the transformable attribute Pigment.color has no "transformer"; add one, or make the attribute transient`

      In Swift: `ModelError.Code.missingTransformer`.

      A stored transformable attribute names no transformer.

      **Cause.** A store cannot keep a value of any Swift type. A transformer converts the value to bytes, a text or a number.

      **Cure.** Add `transformer`, or make the attribute `transient`.

      ## model.missingClass

      > `the transformable attribute Pigment.color has no "class"; add the Swift type of its values`

      In Swift: `ModelError.Code.missingClass`.

      A transformable attribute names no class.

      **Cause.** Without `class`, the Swift type of the property is unknown.

      **Cure.** Add `class`, such as `"class": "[SerializableColor]"`.

      ## model.invalidClass

      > `invalid "class" 'Color?' of Pigment.color; expected Color, and the ? on the attribute's type: "transformable?"`

      In Swift: `ModelError.Code.invalidClass`.

      A class is not written as a Swift type.

      **Cause.** A class may have names with dots, generic arguments, arrays and dictionaries. Tuples, functions, `any`,
      `some` and a `?` at the end are not allowed.

      **Cure.** Write `Color`, `CoreUI.Color`, `Set<Color>`, `[Color]` or `[String: Color?]`. For an optional attribute, write the `?` in its `type`.

      ## model.nullDefault

      > `the default of Pigment.name is null; remove the key "default"`

      In Swift: `ModelError.Code.nullDefault`.

      A default is `null`.

      **Cause.** An optional attribute without a default is already nil.

      **Cure.** Remove `default`.

      ## model.invalidValue

      > `"default" of Pigment.made: invalid value 'today'; expected "now", or an ISO 8601 date with time and zone, such as "2024-05-17T09:30:00Z"`

      In Swift: `ModelError.Code.invalidValue`.

      A default or limit is not a valid value of its type.

      **Cause.** For example a date without time or zone, a decimal with a comma, a UUID in braces, or text that is not base64.

      **Cure.** Write it in the form that the message shows.

      ## model.valueOutOfRange

      > `"default" of Pigment.price: 40000 does not fit integer16 (-32768 to 32767); change the value or the type`

      In Swift: `ModelError.Code.valueOutOfRange`.

      A default or limit does not fit its type.

      **Cause.** An integer is too large, a decimal has more than 38 digits, or a number is too large or too near to zero for a float or double.

      **Cure.** Choose a larger type or another value.

      ## model.scaleMismatch

      > `"default" of Pigment.price: 12.345 does not fit a scale of 2: it has more than 2 decimal places, or is too large for 64 bits; change the value or "scale"`

      In Swift: `ModelError.Code.scaleMismatch`.

      A decimal does not fit the `scale` of its attribute.

      **Cause.** It has more decimal places than the scale. Or it is too large: a store keeps it as a 64-bit integer without the decimal point.

      **Cure.** Write fewer decimal places or a smaller number, or change `scale`.

      ## model.defaultBreaksRule

      > `the default '' of Pigment.name breaks the attribute's own rule: minimumLength 1; change one of them`

      In Swift: `ModelError.Code.defaultBreaksRule`.

      A default breaks a rule of its own attribute.

      **Cause.** A new object could not be saved before the program sets the attribute.

      **Cure.** Change the default or the rule.

      ## model.defaultIsNoCase

      > `the default 'pwder' of Pigment.form is none of its cases; did you mean 'powder'?`

      In Swift: `ModelError.Code.defaultIsNoCase`.

      The default of an attribute with `cases` is not one of their raw values.

      **Cause.** A spelling mistake, or a default that is the name of a case and not its raw value.

      **Cure.** Write the raw value of a case.

      ## model.repeatedRawValue

      > `"cases" of Pigment.form has the raw value '1' twice, first for 'a'; give each case a raw value of its own`

      In Swift: `ModelError.Code.repeatedRawValue`.

      Two cases of an attribute have the same raw value, so a stored value would mean both.

      **Cause.** A copied line, or two names for one thing.

      **Cure.** Give each case a raw value of its own.

      ## model.emptyRange

      > `the range of Pigment.weight is empty: minimum 1 is greater than maximum 0; exchange them`

      In Swift: `ModelError.Code.emptyRange`.

      A minimum is greater than its maximum.

      **Cause.** Often the two values are in the wrong keys. No value could follow both rules.

      **Cure.** Exchange the two values.

      ## model.invalidPattern

      > `invalid pattern of Pigment.code: found '\1'; expected a pattern without back-references, because they can take exponential time; compare the parts in a validation hook`

      In Swift: `ModelError.Code.invalidPattern`.

      A pattern is not a regular expression, or uses a feature that [patterns](ModelFormat.md#patterns) do not have.

      **Cause.** A bracket is not closed, a repetition has nothing to repeat, or an escape is unknown. Or the pattern has a
      back-reference, a look-ahead, a word boundary or a possessive repetition. Or it has more than 1,000 bytes, 2,000
      positions or 50 levels of groups. The column of the error is the position of the mistake inside the pattern.

      **Cure.** Write what the message expects. In JSON, write `\\` for a backslash. If a pattern cannot express your rule,
      check the rule in `validateForInsert()` and `validateForUpdate()`.

      ## model.unknownAttribute

      > `unknown attribute 'nmae' in "unique" of Pigment; did you mean 'name'?`

      In Swift: `ModelError.Code.unknownAttribute`.

      A name in `unique`, `indexes` or `dependsOn` is not an attribute of the entity, or a name in the `sort` of a relationship is
      not an attribute of the destination.

      **Cause.** The name is misspelled, the attribute was removed, or it is a relationship. Inherited attributes are allowed.

      **Cure.** Use the name of an attribute.

      ## model.dependencyCycle

      > `attributes depend on themselves: label → title → label; remove the cycle`

      In Swift: `ModelError.Code.dependencyCycle`.

      Attributes depend on themselves.

      **Cause.** A transient attribute depends on itself, directly or through the `dependsOn` of other attributes.

      **Cure.** Remove the cycle. A transient attribute that depends on stored attributes only is never part of a cycle.

      ## model.tooManyAttributes

      > `Pigment, with its subentities, has 1991 columns of stored attributes and their searches; the maximum is 1990; split the entity`

      In Swift: `ModelError.Code.tooManyAttributes`.

      An entity without a parent and its subentities have more than 1,990 stored attributes together. Each form of a
      [`"search"`](Searching.md) counts as one more.

      **Cause.** An entity and its subentities have one table, and a table of SQLite has at most 2,000 columns.

      **Cure.** Split the entity. Or combine attributes that are rarely used into one transformable attribute.

      ## model.unindexableAttribute

      > `"indexes" of Pigment names 'label', which is transient, so a store cannot compare its values; remove it from the list`

      In Swift: `ModelError.Code.unindexableAttribute`.

      An index or constraint names an attribute that a store cannot compare.

      **Cause.** The attribute is transient, so it is not stored. Or it is transformable, so the order of its stored values has no meaning. Or it
      is [external](ExternalData.md), so its large values are not in the database.

      **Cure.** Remove it from the list. Or store the value that you search for in an attribute of its own.

      ## model.repeatedIndex

      > `"unique" of Pigment lists (code, name) twice, first on line 1; remove one of them`

      In Swift: `ModelError.Code.repeatedIndex`.

      The same index or constraint is listed twice.

      **Cause.** For two constraints, the order of the names makes no difference. For two indexes, it does.

      **Cure.** Remove one of them.

      ## model.invalidCondition

      > `the condition of Pigment.named cannot be read: unexpected 'BEGINWITH'; expected an operator, such as ==, < or CONTAINS; did you mean 'BEGINSWITH'? (format.unexpected)`

      In Swift: `ModelError.Code.invalidCondition`.

      The condition of a fetch request or of a fetched property is not in the language of conditions. The position is that of the
      mistake in the text. `found` is the code of the mistake: [the errors of a text](#formatunexpected) have a heading for each.

      **Cause.** Usually a typing mistake. A placeholder such as `%@` has no argument in a model.

      **Cure.** Correct the text. Write a variable such as `$limit` where a value is given later.

      ## model.unknownProperty

      > `unknown name 'nmae' in "where" of Pigment.named: Pigment has no attribute and no relationship of this name; did you mean 'name'?`

      In Swift: `ModelError.Code.unknownProperty`.

      A condition, or the key `sort` of a fetch request, has a name that the entity does not have. In a path, each name is one of the entity that the
      names before it lead to.

      **Cause.** Usually a typing mistake. In the condition of a SUBQUERY, a name without the variable is one of the entity that is fetched.

      **Cure.** Correct the name.

      ## model.conditionType

      > `"where" of Pigment.cheap: 'price' of the type decimal is compared with a value of the type string; expected a decimal`

      In Swift: `ModelError.Code.conditionType`.

      A condition, or the key `sort` of a fetch request, uses a value as it cannot be used.

      **Cause.** Values of two types are compared, an object is compared by an order, a function has values of another type, or the attribute
      is transient or transformable. A to-many relationship has no single value.

      **Cure.** Do what the sentence says. For a to-many relationship, write `ANY`, `SUBQUERY` or an aggregate.

      ## model.variableType

      > `the variable '$x' of Pigment.cheap is a string here, and a decimal before; use two variables`

      In Swift: `ModelError.Code.variableType`.

      A variable of a fetch request has no type, or two. The type of a variable is that of the attribute that it is compared with.

      **Cause.** The variable is compared with other variables only, with attributes of two types, or once after IN and once without it.

      **Cure.** Compare the variable with an attribute. Use two variables for two types.

      ## model.invalidRelationshipType

      > `invalid relationship type '[Pigment'; expected "Pigment", "Pigment?" or "[Pigment]"`

      In Swift: `ModelError.Code.invalidRelationshipType`.

      The type of a relationship is invalid.

      **Cause.** It is not `Painter`, `Painter?` or `[Painter]`. A to-many relationship must not have a `?`: it may always be
      empty, unless it has a `minimum`.

      **Cure.** Write one of the three.

      ## model.unknownDestination

      > `unknown entity 'Pigmnt' in the type of Pigment.twin; did you mean 'Pigment'?`

      In Swift: `ModelError.Code.unknownDestination`.

      A relationship leads to an entity that the model does not have.

      **Cause.** The name is misspelled, or the entity was renamed.

      **Cure.** Correct the name, or add the entity.

      ## model.missingInverse

      > `Pigment.base has no inverse, but Pigment.mixes names it; write "inverse": "mixes"`

      In Swift: `ModelError.Code.missingInverse`.

      Another relationship names this one as its inverse, and this one names no inverse.

      **Cause.** The two ends would disagree: a change at one end would change the other end, but not the reverse.

      **Cure.** Write the `inverse` that the message names. Or remove the `inverse` from the other relationship, so that
      [both are one-way](#modeloneway).

      ## model.unknownInverse

      > `unknown inverse 'twn' of Pigment.twin: Pigment has no relationship of this name; did you mean 'twin'?`

      In Swift: `ModelError.Code.unknownInverse`.

      The inverse is not a relationship of the destination.

      **Cause.** The name is misspelled, or the destination does not have the relationship. The name is that of the relationship
      alone: `"tags"`, not `"Recipe.tags"`.

      **Cure.** Correct the name, or add the relationship there.

      ## model.inverseLeadsElsewhere

      > `the inverse of Ink.maker must lead back to Ink; found Maker.boss, which leads to Maker; name another inverse for Ink.maker, or remove its "inverse"`

      In Swift: `ModelError.Code.inverseLeadsElsewhere`.

      The destination of the inverse is not the entity that declares the relationship.

      **Cause.** The type of the inverse must be this entity or one of its ancestors.

      **Cure.** Name another inverse, or correct the type of the inverse.

      ## model.inverseNotMutual

      > `the inverse of Pigment.a must name 'a' as its own inverse; found Pigment.b, whose inverse is 'b' (line 1); write "inverse": "a" there, or name another inverse for Pigment.a`

      In Swift: `ModelError.Code.inverseNotMutual`.

      The inverse names another relationship as its own inverse.

      **Cause.** One of the two names is wrong. Or two relationships name the same inverse.

      **Cure.** Change the line that the message names, or give each relationship its own inverse.

      ## model.notOwner

      > `Pigment.mixes cannot delete orphans: its inverse 'mixes' is to-many, so an object can have several owners; remove "orphans", or make the inverse to-one`

      In Swift: `ModelError.Code.notOwner`.

      A relationship with `"orphans": "delete"` does not own its objects.

      **Cause.** The inverse is to-many, or there is no inverse, so an object can have several owners.

      **Cure.** Remove `orphans`, or write it at the end of the owner, whose inverse is to-one.

      ## model.twoOwners

      > `Pigment.lid cannot delete orphans: its inverse 'jar' deletes orphans too, and only one end can be the owner; remove "orphans" from one of them`

      In Swift: `ModelError.Code.twoOwners`.

      Both ends of a relationship delete orphans.

      **Cause.** `"orphans": "delete"` is written at both ends.

      **Cure.** Remove it from one of them.

      ## model.unsortableAttribute

      > `"sort" of Pigment.mixes names 'image', which is binary, so it gives the objects no order; remove it from the list`

      In Swift: `ModelError.Code.unsortableAttribute`.

      An attribute in the `sort` of a relationship gives the objects no order.

      **Cause.** The attribute is transient, so the store does not have it. Or it is transformable or binary, so the order of its
      stored values has no meaning.

      **Cure.** Remove it from the list. Or store the value to sort by in an attribute of its own.

      ## model.unknownParent

      > `unknown parent 'Pigmnt' of Pigment: the model has no entity of this name; did you mean 'Pigment'?`

      In Swift: `ModelError.Code.unknownParent`.

      A parent is not an entity of the model.

      **Cause.** The name is misspelled, or the entity was renamed.

      **Cure.** Correct the name, or add the entity.

      ## model.inheritanceCycle

      > `entities inherit from themselves: Pigment → Pigment; remove the cycle`

      In Swift: `ModelError.Code.inheritanceCycle`.

      Entities inherit from themselves.

      **Cause.** A `parent` leads back to the entity. Each cycle is reported once, with all its names.

      **Cure.** Remove one `parent`.

      ## model.inheritanceTooDeep

      > `Pigment has more than 32 ancestors; the maximum is 32; merge some of them`

      In Swift: `ModelError.Code.inheritanceTooDeep`.

      An entity has more than 32 ancestors.

      **Cause.** The first entity that has too many ancestors is reported, not its descendants.

      **Cure.** Merge some of the ancestors.

      ## model.redeclaredProperty

      > `'Name' of Oil is already declared by its ancestor Paint (line 1); names are case-insensitive; remove it from Oil, or rename it`

      In Swift: `ModelError.Code.redeclaredProperty`.

      An entity declares a property that an ancestor already declares, or a property whose name differs only in upper and
      lower case.

      **Cause.** Both would be columns of the same table.

      **Cure.** Remove it from the entity, or rename it.

      # Warnings of a model

      A model with a warning is valid. The build prints the warning with its line in the model file, as it prints those of the
      compiler. `ManagedObjectModel.warnings` has the same as values.

      ## model.oneWay

      > `Ink.maker has no inverse: the deletion of its Maker searches for every Ink that refers to it, and sets its 'maker' to nil; add a relationship from Maker to Ink, and name each as the inverse of the other`

      In Swift: `ModelWarning.Code.oneWay`.

      A relationship has no inverse.

      **Cause.** The key `inverse` is missing. A one-way to-one relationship behaves as if it had a hidden inverse: when the
      destination is deleted, the relationship becomes nil if it is optional, else the deletion is denied. A one-way to-many
      relationship has a table of links in the store. In both cases, each deletion of the destination must search.

      **Cure.** Name the relationship that leads back as the `inverse`, at both ends, or add one. A relationship can be its own
      inverse, such as the friends of a person. If you do not need the way back, and few objects of the destination are deleted,
      you can ignore the warning.

      ## model.nullifiesRequired

      > `Maker.inks has the delete rule nullify, but its inverse Ink.maker is required, so the save of a deletion fails while there are related objects; write "delete": "cascade" to delete these with it, "delete": "deny" to refuse the deletion while there are any, or "type": "Maker?" for Ink.maker to keep them without it`

      In Swift: `ModelWarning.Code.nullifiesRequired`.

      A deletion would empty a required relationship.

      **Cause.** The delete rule is `nullify`, which is the default, and the inverse is a required to-one relationship. The
      related objects lose their required reference, and cannot be saved.

      **Cure.** Decide what the deletion of a maker does to its inks. With `"delete": "cascade"` they are deleted, too: most
      often right, because a required object is a part of its owner. With `"delete": "deny"` the save is refused while there are
      inks. With a `?` in the type of the inverse, the inks stay, and have no maker.

      ## model.cascadesBothWays

      > `Ink.maker and its inverse Maker.inks both have the delete rule cascade, so a deletion also deletes every object that the two relationships connect with the deleted one; usually only the owner deletes its objects: remove "delete" from Ink.maker`

      In Swift: `ModelWarning.Code.cascadesBothWays`.

      A relationship and its inverse both have `"delete": "cascade"`.

      **Cause.** A deletion spreads in both directions: the deletion of one ink deletes its maker, and so all inks of this maker. In
      a many-to-many relationship, it deletes every object that can be reached.

      **Cure.** Keep `"delete": "cascade"` at the end of the owner, and remove `delete` from the other end. If all objects really
      belong together, you can ignore the warning. A relationship that is its own inverse gets no warning.

      ## model.insecureTransformer

      > `Ink.color uses the transformer 'NSKeyedUnarchiveFromData', which is for archives of any class; write "transformer": "NSSecureUnarchiveFromData", and register a SecureUnarchiveTransformer of that name with the classes that you allow`

      In Swift: `ModelWarning.Code.insecureTransformer`.

      An attribute has a transformer of Core Data that makes an object of whatever class an archive names.

      **Cause.** The model was written for Core Data, which used this transformer when no other one was given.

      **Cure.** Write the name in the warning, and register a `SecureUnarchiveTransformer` under it, with the classes that the
      attribute may have. Archives that have other classes are then refused; their bytes stay in the store.

      # Generated code

      The build plugin finds these problems in a model file that is valid. Each problem is a `CodegenProblem`, with its line
      in the model file.

      ## codegen.nameClash

      > `AtelierModel: the generated code already contains the name 'AtelierModel'; rename one of them`

      Two things would have the same name in the generated code.

      **Cause.** The two things are one of these pairs: a class and the type with the model's constants (`AtelierModel`); a
      class and a member of `ModelBinding`; an attribute and the primitive value of another attribute (`primitiveOrigin`); the
      constants of two transformers; the class of a transformable and a type inside every generated class (`Properties`,
      `PropertyNames`).

      **Cure.** Rename one of them. Or write the class with its module, such as `Paint.Properties`.

      ## codegen.transformableID

      > `Pigment.id: a transformable attribute cannot be the identity of a class, because its values need not be Hashable; rename it`

      A transformable attribute has the name `id`, or `"identity"` names it.

      **Cause.** Every generated class is `Identifiable` by its property `id`. The values of a transformable need not be `Hashable`.

      **Cure.** Rename the attribute, or name another one as `"identity"`.

      ## codegen.missingProduct

      > `the model imports 'CopalColor', but the target 'Kitchen' does not depend on it; add .product(name: "CopalColor", package: "Copal") to the dependencies of the target in Package.swift`

      A model imports a library of Copal, and the target of the model does not depend on it.

      **Cause.** The library is missing in the dependencies of the target. When `Copal` itself is missing, the build plugin
      prints an error without a code.

      **Cure.** Add `.product(name: "CopalColor", package: "Copal")` to the dependencies of the target in `Package.swift`.

      ## codegen.duplicateModel

      > `another model of the target has the name 'Shelf' too: Old.model.json; give one of them another "model"`

      Two model files of one target have the same name of a model.

      **Cause.** Their `"model"` is the same, or differs only in a `Model` at the end. The generated constants would have the
      same names.

      **Cure.** Give one of them another `"model"`.

      ## codegen.duplicateClass

      > `Jar: another model of the target has a class 'Jar' too: Old.model.json; give one of them another "class"`

      Two models of one target have an entity with the same class.

      **Cause.** Two models have an entity with the same name, or an entity that was moved to another model is still in both.

      **Cure.** Give one of them another `"class"`, or put each model into its own target.

      # Opening a store

      Errors of stores, contexts, objects and containers have the type `PersistenceError`. Copal puts no values of your
      objects into them; errors that your own code throws may contain values. `causes` contains the errors that led to an
      error: each of several errors of one operation, or the error that a hook, a transformer or the system threw. If an
      operation has several errors, it throws one error with all of them in `causes`. If it has only one error, it throws this
      error directly. Only a save always throws `save.failed`, with its reasons in `causes`.

      A file that is refused is not changed. `inspect()` of a
      `StoreConfiguration` throws the same errors as opening. But it does not need the permission to write, and it throws
      neither `store.modelDiffers` nor `store.damagedSchema`.

      ## store.folderMissing

      > `'FOLDER/no/such/Atelier.sqlite' cannot be opened: its folder does not exist; create the folder first`

      In Swift: `PersistenceError.Code.folderMissing`.

      The folder of the store's file does not exist.

      **Cause.** Copal creates only the folder of a store that is opened with `.sqlite(named:)`. It does not create the folder
      of a URL that you give to `.sqlite(at:)`.

      **Cure.** Create the folder first, or use `.sqlite(named:)`.

      ## store.notWritable

      > `'a.sqlite' cannot be opened for writing: attempt to write a readonly database; check the permissions of the file and of its folder`

      In Swift: `PersistenceError.Code.notWritable`.

      The file or its folder does not allow writing. `found` says which.

      **Cause.** The permissions do not allow it, or the disk is read-only. SQLite needs to write to the folder too: it
      creates files with the endings `-wal` and `-shm` beside the store.

      **Cure.** Correct the permissions of the file and its folder, or choose another path.

      ## store.notADatabase

      > `'FOLDER/Atelier.sqlite' is not a SQLite database: file is not a database; choose another path, or restore the file from a backup`

      In Swift: `PersistenceError.Code.notADatabase`.

      The file is not a SQLite database.

      **Cause.** The path leads to another kind of file, or the first bytes of the file are damaged.

      **Cure.** Choose another path, or restore the file from a backup.

      ## store.notACopalStore

      > `'FOLDER/Atelier.sqlite' is a SQLite database, but not a Copal store: its application_id is 0, and must be 1131376748; choose another path; the file was not changed`

      In Swift: `PersistenceError.Code.notACopalStore`.

      The file is a SQLite database that another program created.

      **Cause.** Copal marks its stores with a number in SQLite's header, the `application_id`. This file has another number,
      which is in `found`, or it has tables but no number.

      **Cure.** Choose another path.

      ## store.notUTF8

      > `'FOLDER/Atelier.sqlite' has its texts in UTF-16le, and Copal needs UTF-8, because SQLite sorts and compares texts by the bytes of their encoding; copy the data into a database in UTF-8, or choose another path; the file was not changed`

      In Swift: `PersistenceError.Code.notUTF8`.

      The file is an empty SQLite database, or a Copal store, whose texts are in UTF-16. `found` is the encoding. In such a file, orders and
      comparisons of texts would have other results than in other stores.

      **Cause.** Another program has made the database with `PRAGMA encoding`, before Copal opened it or before a dump of a store was restored
      into it.

      **Cure.** Delete an empty database, or choose another path. Copy a store into a new file with the `sqlite3` tool. A dump does not contain
      the two numbers that mark a store:

      ```console
      $ sqlite3 Atelier.sqlite .dump | sqlite3 New.sqlite
      $ sqlite3 New.sqlite "PRAGMA application_id=1131376748; PRAGMA user_version=1"
      ```

      If the store has a folder with the ending `-files`, give it the name of the new file.

      ## store.newerFormat

      > `'FOLDER/Atelier.sqlite' was written by a newer version of Copal: it has store format 9, and this version reads up to 1; update Copal; the file was not changed`

      In Swift: `PersistenceError.Code.newerFormat`.

      A newer version of Copal wrote the file, in a format that this version does not know.

      **Cause.** The program was built with an older version of Copal than the program that wrote the file. `found` is the
      format of the file, and `expected` the newest format that this version reads. With [`"search"`](Searching.md#what-the-normalized-form-is),
      `found` can be the version of Unicode by which a newer program has made the forms of texts, also while this program has the store open.
      With [`"project"`](Searching.md#colors-and-other-values-of-transformers), it can be a projection with a newer version of its function; the
      sentence then speaks of a newer version of this program.

      **Cure.** Update the program.

      ## store.modelDiffers

      > `another program has migrated 'a.sqlite' to another model since this program opened it; nothing was written; open the store again with that model`

      In Swift: `PersistenceError.Code.modelDiffers`.

      A read, a save, a backup and `removeUnreferencedFiles()` throw this error with the sentence above. Opening a store throws it with this sentence:

      ```text
      'Atelier.sqlite' was written with another model, and its migration is refused for the reasons below; nothing was changed; during development you can erase the store with SQLiteStore.Options(erasesWhenModelDiffers: true) [store.modelDiffers]
        - Tool: removed; add "Tool" to "removed" of the model, or write "renamedFrom": "Tool" at the entity that it is now [migration.removed]
        - Pigment.density: integer64 to string?, and … [migration.inexact]
      ```

      When a store is opened, the error means: the store was written with another model, and cannot become a store of this one. Each
      reason is an error in `causes`, with a [code of its own](#migration). When a context reads or saves, the error means: another
      program has migrated the store in the meantime. Then `causes` is empty, and nothing was written or read.

      **Cause.** See the causes.

      **Cure.** Each cause has its remedy in `expected`: mostly a word in the model file ([Migration.md](Migration.md)). After a read or a
      save, open the store again with the new model. During development, when the data is not needed, open the store with
      `SQLiteStore.Options(erasesWhenModelDiffers: true)`.

      ## store.newerModel

      > `'a.sqlite' has a newer model than this program: version 3, and the program has version 2; the store was not changed; use a newer version of the program, or raise "version" if the program's model is the newer one`

      In Swift: `PersistenceError.Code.newerModel`.

      The store has a newer model than the program. `found` is the version of the store's model, and `expected` that of the program's.
      When they are equal, the store has had this program's model before, so the other one is newer.

      **Cause.** A newer version of the program has migrated the store, perhaps with a model that did not raise its `version`. Or, during
      development, a change of the model was undone: the store has had this model before.

      **Cure.** Use the newer program. If the model of the program is the newer one, raise its `version`. If it is another program, which has
      nothing to do with the old one, open a store with another name.

      ## store.notEmpty

      > `objects cannot be copied to 'a.sqlite', because it has objects already; copy into a new store`

      In Swift: `PersistenceError.Code.notEmpty`.

      `copyObjects(to:)` got a store that has objects.

      **Cause.** The path is that of another store, or an earlier copy has ended with an error.

      **Cure.** Choose another path, or delete what the earlier copy has left.

      ## store.migrationNeeded

      > `'a.sqlite' has an older model, version 1, and this container does not migrate stores; open it once with a container that does; nothing was changed`

      In Swift: `PersistenceError.Code.migrationNeeded`.

      The container was opened with `StoreMigration.never`, and the store has an older model.

      **Cause.** The program that migrates stores has not run yet.

      **Cure.** Open the store with a container that migrates it.

      ## store.damagedMetadata

      > `'FOLDER/Atelier.sqlite' is a Copal store, but its metadata is damaged: its identifier is missing; restore it from a backup`

      In Swift: `PersistenceError.Code.damagedMetadata`.

      The file is a Copal store, but its own tables (`copal_metadata`, `copal_keys`) or the records in them are missing or damaged. A save throws
      this error too, when the last key of an entity in `copal_keys` is not a whole number of 0 or more. `found` says what is damaged.

      **Cause.** Another program changed them, or the file is damaged.

      **Cure.** Restore the store from a backup. If only a last key is wrong, set it to the greatest `copal_id` that the
      entity has ever had, or to a greater number.

      ## store.damagedSchema

      > `'FOLDER/Atelier.sqlite' is a Copal store, but another program has changed its tables: the table Painter is missing Pigment has no column density undo the changes, or restore the store from a backup; no rows were changed`

      In Swift: `PersistenceError.Code.damagedSchema`.

      The message has several lines:

      ```text
      'Atelier.sqlite' is a Copal store, but another program has changed its tables:
        the table Painter is missing
        Pigment has no column density
      undo the changes, or restore the store from a backup; no rows were changed
      ```

      The file is a Copal store, but its tables or indexes are not those of the model. `found` names every difference on its
      own line. If the model has new entities, attributes or indexes, Copal may have added them to the file before this error.
      No rows were changed.

      **Cause.** Another program dropped a table or a column. Or it created a column again, as a generated column, with a
      type that changes the values, or with a collation such as NOCASE, by which different texts can be equal. Or it replaced
      a table by a view, or created a different index under a name of Copal. If only an index is missing, Copal creates it
      again when it opens the store. This fails only for a unique index, when two rows have the same values.

      **Cure.** Undo the change. Drop an index that differs: Copal creates it again. When rows have the same unique
      value, change all but one of them, or delete them. Otherwise restore the store from a backup.

      ## store.backendTooOld

      > `the SQLite of this system has version 3.22.0, and Copal needs 3.37.0 or later; update SQLite`

      In Swift: `PersistenceError.Code.backendTooOld`.

      The SQLite library of the system is older than Copal needs.

      **Cause.** `found` is the version of the library, and `expected` the oldest version that Copal supports.

      **Cure.** Update SQLite.

      ## store.cannotOpen

      > `'a.sqlite' cannot be opened: it is a folder; check the path`

      In Swift: `PersistenceError.Code.cannotOpen`.

      The file cannot be opened. The reason is in `found`.

      **Cause.** The path is empty, is a folder, is longer than SQLite allows, or contains a file instead of a folder. Or it
      ends in `-wal`, `-shm` or `-journal`, like the files that SQLite makes and deletes beside a database. Or the URL is not
      a file URL: use `URL(filePath:)`. Or the name given to `.sqlite(named:)` is not possible for a file. Or the file system
      does not support SQLite's write-ahead log. Or the system refuses to open the file.

      **Cure.** Correct the path or the name, or choose another one.

      # Migration

      These errors are causes of `store.modelDiffers`. [Migration.md](Migration.md) has every change of a model with what to write.
      `found` says what has changed and how many objects do not fit, `expected` the remedy. `objectID` is the first of these objects.

      ## migration.removed

      > `Pigment.title: removed; add "title" to "removed" of Pigment, or write "renamedFrom": "title" at the attribute that it is now; did you mean 'name'?`

      In Swift: `PersistenceError.Code.migrationRemoved`.

      The store has an entity or a property that the model does not have, and the model does not say so. An empty store is refused, too.
      A property that has moved to a subentity is refused only if objects of other entities have a value.

      **Cause.** It was renamed or removed, or its entity has left the one that declares it.

      **Cure.** Write `renamedFrom` where it is now, or its name in `removed`. `suggestion` is the only new one of the same type.

      ## migration.newRequired

      > `Pigment.origin: new and required, and 2 objects have no value; add "default", or "fill" with a value for these objects only`

      In Swift: `PersistenceError.Code.migrationNewRequired`.

      An attribute or a to-one relationship is new and required, and there are objects.

      **Cause.** Nothing says which value they get, or which object.

      **Cure.** Write `default` or `fill`, or make it optional. Make a relationship required in a later version, when each object has one.

      ## migration.missingValues

      > `Pigment.code: required, and 2 of 3 objects have no value (p2, p3); add "default", or "fill" with a value for these objects only`

      In Swift: `PersistenceError.Code.migrationMissingValues`.

      An optional attribute or to-one relationship is required now, and objects have nothing in it.

      **Cause.** They were saved while it was optional.

      **Cure.** Write `default` or `fill`. Give each object one for a relationship, with the old program.

      ## migration.inexact

      > `Pigment.weight: integer64 to integer16, and 1 value cannot be converted exactly (p2); write "conversion" with "nearest" or "fill" beside a "fill" or a "default", or change these values with the program that had the model`

      In Swift: `PersistenceError.Code.migrationInexact`.

      Values are none of the new type exactly.

      **Cause.** They are out of its range, would be rounded, or are texts of another form. Or another program has stored a value of a
      wrong type.

      **Cure.** Say with `conversion` what they become, or correct them with the old program.

      ## migration.needsWord

      > `Pigment.made: date to double; write "conversion" with "secondsSince1970", "secondsSince2001" or "millisecondsSince1970", so that the instant of the number 0 is known`

      In Swift: `PersistenceError.Code.migrationNeedsWord`.

      The model has to say how the values are converted, or that something is lost. An empty store is refused, too.

      **Cause.** A date became a number or a number a date, a transformable is not versioned any more, or a relationship is not ordered
      any more.

      **Cure.** Write the `conversion`.

      ## migration.needsStep

      > `Pigment.maker: led to Maker, and leads to Seller now; undo the change, or copy the objects into a new store`

      In Swift: `PersistenceError.Code.migrationNeedsStep`.

      A change that a model file cannot describe yet. An empty store is refused, too.

      **Cause.** A relationship leads to an entity that has nothing to do with the former one; an attribute became a relationship, or has
      a type that its values cannot become.

      **Cure.** Undo the change, give the new property another name, or copy the objects.

      ## migration.duplicates

      > `Pigment.code: unique, and 2 groups of objects have equal values (p1, p3; p4, p6 and 1 more); make the values different with the program that had the model, or remove the constraint`

      In Swift: `PersistenceError.Code.migrationDuplicates`.

      A unique constraint is new, or holds for the objects of families that become one, and objects have equal values. A group is shown by its first and its last object.

      **Cause.** The values were saved without the constraint.

      **Cure.** Make them different with the old program, or remove the constraint, open the store without it, delete what is there
      twice, and add it again. During development, [erase the store](Migration.md#in-development).

      ## migration.brokenRules

      > `Pigment.form: stored values are checked, and 2 values break the rules (p2, p4); remove "checkStored", or change these values with the program that had the model`

      In Swift: `PersistenceError.Code.migrationBrokenRules`.

      Stored values break the rules of an attribute with `"checkStored": true`.

      **Cause.** They were saved before the rules.

      **Cure.** Change them with the old program, add them to `renamedCases`, or remove `checkStored`.

      ## migration.abstractWithObjects

      > `Asset: abstract now, and the store has 3 objects of it that are of no subentity; remove "abstract", or delete these objects with the program that had the model`

      In Swift: `PersistenceError.Code.migrationAbstractWithObjects`.

      An entity is abstract now, and there are objects of exactly this entity.

      **Cause.** They were saved when it was not.

      **Cure.** Delete them with the old program, or do not make the entity abstract.

      ## migration.severalObjects

      > `Pigment.maker: to-many to to-one, and 1 object has several objects (p4); write "conversion": "first", or leave one object for each with the program that had the model`

      In Swift: `PersistenceError.Code.migrationSeveralObjects`.

      A relationship has one object now, and objects have several.

      **Cause.** It was to-many, or has its first inverse.

      **Cure.** Write `"conversion": "first"`, or take objects out with the old program.

      ## migration.wrongEntity

      > `Pigment.maker: Party to Maker, and 2 objects have an object of another entity (p1, p4); write "conversion": "nil", or take these objects out of the relationship with the program that had the model`

      In Swift: `PersistenceError.Code.migrationWrongEntity`.

      A relationship leads to a subentity now, or an entity has left the one to which it leads, and objects have one of another entity.

      **Cause.** They were saved while the relationship could have these objects.

      **Cure.** Write `"conversion": "nil"`, or take these objects out with the old program.

      ## migration.missingObject

      > `Pigment.maker: its objects must exist now, and 1 object has an object that does not exist (p4); write "conversion": "nil", or take these objects out of the relationship with the program that had the model`

      In Swift: `PersistenceError.Code.migrationMissingObject`.

      The inverse of a relationship had the delete rule `noAction`, and has another one; and an object of the relationship does not exist.
      Or the object of a required relationship is removed with its entity.

      **Cause.** It was deleted, and `noAction` has left the key; or `removed` of the model names its entity.

      **Cure.** Write `"conversion": "nil"`, make the relationship optional, or take these objects out with the old program.

      ## migration.missingFile

      > `Painting.scan: all values in their rows, and a file is missing (p4); put the files back, or write "conversion": "nil" at an optional attribute`

      In Swift: `PersistenceError.Code.migrationMissingFile`.

      An attribute is not external any more, and files of its values are missing.

      **Cause.** The files were deleted or moved without Copal.

      **Cure.** Put them back, or let the values become nil.

      ## migration.otherProgram

      > `another program has changed the tables of 'a.sqlite', and the database refuses to change them: error in view names after drop column: no such column: title; remove what the other program has made`

      In Swift: `PersistenceError.Code.migrationOtherProgram`.

      SQLite refuses a change because of something that another program has made.

      **Cause.** A view, a trigger or an index uses a column or a table that is removed, or a column that is
      [converted](MigrationChanges.md#what-other-programs-have-made). Or there is a column or table of the new name already.

      **Cure.** Remove the view, trigger, index, column or table. Make it again after the migration.

      # Reading and writing a store

      A save that throws one of these errors has written nothing. The context keeps every change, and the next save may
      succeed. `backendCode` is SQLite's own result code.

      ## store.diskFull

      > `'a.sqlite' could not be written: the disk or the quota is full; nothing was changed; make room and try again`

      In Swift: `PersistenceError.Code.diskFull`.

      The disk or a quota is full.

      **Cause.** The disk has no free space for the file or its log. Or a limit of the process (`ulimit -f`) does not allow a
      larger file. On Linux, Copal blocks the signal of this limit, SIGXFSZ, while it writes. On Apple's platforms, a program
      that sets such a limit must ignore the signal itself.

      **Cure.** Free some space and save again.

      ## store.busy

      > `the database is locked: another connection held its lock on 'a.sqlite' for longer than the busy timeout; nothing was changed; try again`

      In Swift: `PersistenceError.Code.busy`.

      The database is locked: another connection held its lock for longer than the busy timeout.

      **Cause.** Another process or context writes for a long time, or a tool has an open transaction on the file. Or another `copal import` is making
      the store.

      **Cure.** Try again. Save fewer changes at a time, or use a longer `SQLiteStore.Options.busyTimeoutSeconds`.

      ## store.tooManyFiles

      > `'a.sqlite' needs a file that cannot be opened, because the process has as many open as it may; nothing was changed; release contexts that are not used, close files, or raise the limit (ulimit -n)`

      In Swift: `PersistenceError.Code.tooManyFiles`.

      **Cause.** A process may have a limited number of files open, often 1,024. Each context that reads has a connection, which has up to three.

      **Cure.** Release contexts that are not used. A server shares `container.perform` among its requests, and does not make a context for each. Or raise
      the limit.

      ## store.corrupt

      > `'a.sqlite' is damaged: database disk image is malformed; restore it from a backup`

      In Swift: `PersistenceError.Code.corrupt`.

      SQLite found that the file is damaged.

      **Cause.** The disk is failing, another program wrote to the file, or only one of the three files of the store was
      copied while a program was writing.

      **Cure.** Restore the store from a backup. `PRAGMA integrity_check` on a copy shows the damage.

      ## store.inputOutput

      > `'a.sqlite' could not be read or written: disk I/O error; nothing was changed; check the disk and try again`

      In Swift: `PersistenceError.Code.inputOutput`.

      The system could not read or write the file.

      **Cause.** The disk is failing, the file is on a network file system, or the device was removed. Or a store of another
      library threw its own error while an object was read; then this error is in `causes`.

      **Cure.** Look at the system's log. Save again when the cause is removed.

      ## store.tooBig

      > `the value is too large for the store: one value and one row have at most a billion bytes; keep large contents in files`

      In Swift: `PersistenceError.Code.tooBig`.

      A value or an object is too large for the store.

      **Cause.** A string, binary or transformable value is very large. SQLite allows one billion bytes for one value and for
      one row, unless it was built with other limits.

      **Cure.** Keep large contents in files: a binary or transformable attribute with [`"external"`](ExternalData.md) does this.

      ## store.interrupted

      > `the work on 'a.sqlite' was interrupted; nothing was changed; try again`

      In Swift: `PersistenceError.Code.interrupted`.

      The work on the store was interrupted.

      **Cause.** The task of a [migration](Migration.md#plans) was canceled, or other code called `sqlite3_interrupt`.

      **Cure.** Try again.

      ## store.canceled

      > `the task of the context was canceled, so its objects are not read any more; end the work`

      In Swift: `PersistenceError.Code.canceled`.

      A property was read in the body of [`perform(endsWhenCanceled: true)`](Concurrency.md#a-canceled-task) after its task was canceled. The handler of read
      failures gets the error; its cause is a `CancellationError`.

      **Cause.** The task was canceled, and the body goes on.

      **Cure.** End the body: the next call of the context throws `CancellationError`.

      ## store.backend

      > `the database refused a statement on 'a.sqlite': no such table: Pigment; check whether another program has changed its tables`

      In Swift: `PersistenceError.Code.backend`.

      SQLite refused a statement for a reason that has no code of its own. `found` has SQLite's message.

      **Cause.** Most often another program has changed the tables, or has added a constraint or a unique index. Or there is not enough
      memory.

      **Cure.** Compare the tables with the model. If they are as Copal created them, report a bug, with the message.

      ## store.inUse

      > `'a.sqlite' is open in this program or in another one, so it cannot be destroyed, replaced or moved; release its containers, contexts and objects, and try again; nothing was changed`

      In Swift: `PersistenceError.Code.inUse`.

      A program called `destroy()`, `replace(with:)` or `move(to:)`, and somebody has the store open. Nothing was changed.

      **Cause.** A container or a context of the store is still alive, perhaps in a variable, a task or a view. Or another program has the store open.

      **Cure.** Release them, or end the other program. The call waits for the busy timeout of the store's options.

      ## store.noStore

      > `there is no store at 'a.sqlite'; check the path`

      In Swift: `PersistenceError.Code.noStore`.

      A program called `move(to:)`, and there is no store that could be moved; or `replace(with:)`, and there is none whose contents could be taken.

      **Cause.** The path is wrong, or the store was never opened.

      **Cure.** Check the path. `inspect()` returns nil where there is no store.

      ## store.pathTaken

      > `'a.sqlite' cannot be moved, because there is 'b.sqlite' already; choose another path, or destroy that store first; nothing was changed`

      In Swift: `PersistenceError.Code.pathTaken`.

      A program called `move(to:)`, and there is something at the new path. `found` is its path. Nothing was changed.

      **Cause.** There is another store, or a part of one, or another file.

      **Cure.** Choose another path. To put the store in the place of another one, call `replace(with:)` of that one, and then `destroy()` of this one.

      ## store.noFile

      > `the store 'in memory' is not in a file, so it can neither be moved nor replaced, nor replace another one; copy its objects with copyObjects(to:)`

      In Swift: `PersistenceError.Code.noFile`.

      A program called `replace(with:)` or `move(to:)`, and one of the two stores is in memory, or is of another author.

      **Cause.** Such a store has no file.

      **Cure.** Copy the objects: `container.copyObjects(to:)`.

      ## store.noMetadata

      > `the store does not keep metadata; use a store that does, or implement keepsMetadata and fetchMetadata(named:)`

      In Swift: `PersistenceError.Code.noMetadata`.

      A context with values in `metadata` was saved, and the store was written by another author without them. Nothing was written.

      **Cause.** The store's `keepsMetadata` is false.

      **Cure.** Keep the values elsewhere, or add them to the store ([StoreAuthors.md](StoreAuthors.md)).

      ## store.noBackup

      > `the store is not in a file, so it cannot be copied to 'copy.sqlite'; back up a store that is in a file`

      In Swift: `PersistenceError.Code.noBackup`.

      A program called `container.backup(to:)` for a store that is in memory, or that cannot copy itself. Nothing was written.

      **Cause.** The container was opened with `.inMemory`, or with a store of another author that has no `backup(to:)`.

      **Cure.** Back up a store that is in a file.

      ## store.backupExists

      > `a backup cannot be written to 'copy.sqlite', because there is something already; choose another path, or delete it first`

      In Swift: `PersistenceError.Code.backupExists`.

      There is a file or folder at the path of a backup, or at a path that belongs to it: that path with the ending `-wal`, `-shm`, `-journal` or `-files`,
      or a name with `-incomplete`, under which a backup makes the copy. `path` is the path that is not free. A backup replaces nothing, and
      deletes nothing but the incomplete copy of a backup that was interrupted. The error is the same while another backup writes to the path.

      **Cause.** An earlier backup has the same path. Or a program ended in the last step of a backup, and left a folder with the ending
      `-files` without its database.

      **Cure.** Choose another path, for example with the date, or delete the earlier backup.

      ## store.noBatches

      > `the store has no batch operations, so the objects of Pigment cannot be changed in one step; fetch the objects, change them and save, or implement execute(_:check:) in its session`

      In Swift: `PersistenceError.Code.noBatches`.

      A [batch](Batches.md) was to change objects of a store that somebody has written without batches.

      **Cause.** `StoreSession` has the requirement `execute(_:check:)`, whose default implementation throws this error. The stores of Copal
      implement it. `insertAll` works with every store.

      **Cure.** Fetch the objects, change them and save. Or, if you write the store, implement the function.

      ## store.noTransactions

      > `the store has no transactions of several saves; put all changes into one save, or implement beginTransaction(), commitTransaction() and rollBackTransaction() in its session`

      In Swift: `PersistenceError.Code.noTransactions`.

      `context.transaction` was called with a store that somebody has written without [transactions](Saving.md#several-saves-in-one-transaction).

      **Cause.** `StoreSession` has requirements for them, whose default implementation throws this error. The stores of Copal implement them.

      **Cure.** Make all changes before one save, which is a transaction. Or implement the requirements in the session of the store.

      ## store.transactionLost

      > `the database has undone the transaction on '/data/Atelier.sqlite' because a statement in it failed; nothing of the transaction was written; let its body throw, and try again`

      In Swift: `PersistenceError.Code.transactionLost`.

      A statement in the body of `context.transaction` has failed in a way after which SQLite undoes the whole transaction at once: the disk is
      full, a file could not be written, or a statement was interrupted. Everything in the body throws this error from then on, and so does its end.

      **Cause.** An earlier error in the same body, which the body has caught.

      **Cure.** Do not catch errors such as `store.diskFull` in the body. Remove their cause, and run the transaction again.

      ## store.noSQL

      > `the store does not understand SQL, so it cannot run a statement; use a fetch request or a batch, or a store that does`

      In Swift: `PersistenceError.Code.noSQL`.

      [`fetchRows(sql:)`](RawSQL.md), `fetch(_:sql:)` or `executeUnsafe(sql:)` was called with a store in memory, or with one that somebody has
      written without SQL.

      **Cause.** Only the SQLite store runs statements in SQL.

      **Cure.** Use a fetch request, which every store understands. Or open the container with a SQLite store.

      ## sql.invalid

      > `the statement cannot be prepared: near "Pigment": syntax error, at 'Pigment' (character 18); correct its text`

      In Swift: `PersistenceError.Code.sqlInvalid`.

      SQLite does not accept the text of a [statement](RawSQL.md). `found` has the message of SQLite, and where the error is, if SQLite says it. The
      text is also invalid when it is empty or contains a NUL, when it has placeholders of its own (`?`, `:name`), and when an interpolated value is inside a
      comment or a text in quotes.

      **Cause.** A mistake in the text, or a name of a table or column that does not exist.

      **Cure.** Correct the text. Name tables and columns by `\(table:)` and `\(column:)`, and give values by `\(value)`, without quotes.

      ## sql.notAllowed

      > `the statement is not allowed, because it has DELETE; only reading with SELECT is allowed; write with a batch, or with executeUnsafe(sql:)`

      In Swift: `PersistenceError.Code.sqlNotAllowed`.

      A [statement](RawSQL.md#what-a-statement-can-do) does something that is not allowed. `found` says what. SQLite found this when it
      prepared the statement, so nothing was run.

      **Cause.** `fetchRows(sql:)` and `fetch(_:sql:)` only read. `executeUnsafe(sql:)` changes rows of objects and many-to-many relationships, but no
      keys, no other tables, and not the schema.

      **Cure.** Write with a save or a [batch](Batches.md), or with `executeUnsafe(sql:)`. To change the schema, change the model.

      ## sql.severalStatements

      > `the text has more than one statement: after the first one comes 'DROP TABLE Pigment' (character 11); run each statement alone, in a transaction if they belong together`

      In Swift: `PersistenceError.Code.sqlSeveralStatements`.

      A [statement](RawSQL.md) ends, and text follows that is neither white space nor a comment.

      **Cause.** Several statements in one text, or a semicolon in the wrong place.

      **Cure.** Run each statement with a call of its own. Use `context.transaction` if they belong together.

      ## sql.failed

      > `the statement has failed: UNIQUE constraint failed: Pigment.code; nothing was changed; correct the statement or its values`

      In Swift: `PersistenceError.Code.sqlFailed`.

      A [statement](RawSQL.md) has begun, and SQLite has ended it with an error. `found` has its message, and `backendCode` its code.

      **Cause.** Usually a unique value that exists already, a reference to a row that does not exist, or a calculation that overflows.

      **Cure.** Correct the statement or its values.

      ## sql.wrongColumn

      > `the column 'price' of the result is missing, and one of name, code was expected; correct the statement, or ask for another column or type`

      In Swift: `PersistenceError.Code.sqlWrongColumn`.

      `row.value(of:as:)` was asked for a column that the result of the [statement](RawSQL.md#rows) does not have, or whose value is not of the type.

      **Cause.** Another name: `AS` gives a column a name. Or another type: a decimal with a scale is an integer in the store.

      **Cure.** Compare with `row.columns` and `row.values`. Read an attribute with its key path: `row.value(of: "price", as: \Pigment.price)`.

      ## sql.noKey

      > `the statement for objects of Pigment has given 2 columns in place of the key of an object; select one column, the key of Pigment, and no other rows than those of its objects`

      In Swift: `PersistenceError.Code.sqlNoKey`.

      The [statement](RawSQL.md#objects) of `fetch(_:sql:)` gives the keys of the objects. `found` says what it has given: several columns, a value that is not a key, or a
      number that is not the key of an object of the entity.

      **Cause.** Often `SELECT *`, the key of another table in a join, a NULL of an outer join, or a table with rows of several entities.

      **Cure.** Select `\(key: Pigment.self)` only. In a table of several entities, add a condition on `copal_entity`.

      ## store.fileReplaced

      > `'a.sqlite' was deleted, moved or replaced while it was open; nothing was written; open the store again`

      In Swift: `PersistenceError.Code.fileReplaced`.

      The file was deleted, moved or replaced while it was open. Nothing was written, because no program could find the data
      in the old file later. A backup and `removeUnreferencedFiles()` throw it, too. The error is the same for the files with the endings `-wal` and `-shm`, which are part of the
      store.

      **Cause.** Another program, or the program itself, has deleted, moved or replaced the file.

      **Cure.** Open the store again with a new container.

      ## store.forked

      > `this process can neither open nor use 'a.sqlite', because it was made by fork while a store was open; nothing was changed; fork before the first store is opened, or start another program`

      In Swift: `PersistenceError.Code.forked`.

      **Cause.** A library in C has called `fork` while a store was open, and the child uses a container, a context or an object, or opens a store. SQLite
      forbids it, because parent and child would write the same file with the same locks.

      **Cure.** Fork before the first container is made. A child that only starts another program needs nothing.

      ## search.needsRebuild

      > `what 'a.sqlite' keeps to find parts of texts is damaged or was removed: no such table: copal_substring_Pigment.name; no object is damaged; call rebuildSearch() of the container, or open the store again`

      In Swift: `PersistenceError.Code.searchNeedsRebuild`.

      **Cause.** Another program has removed or changed a table whose name begins with `copal_substring_`, or a part of the file is damaged.

      **Cure.** Call [`rebuildSearch()`](Searching.md#in-the-file), which makes these tables again. If it fails, too, the file itself is damaged.

      ## store.filesWithoutStore

      > `a new store cannot be made at 'FOLDER/Atelier.sqlite', because the folder 'FOLDER/Atelier.sqlite-files' has large values of a store that was deleted or emptied; put the database of that store back, or move or delete the folder; nothing was changed`

      In Swift: `PersistenceError.Code.filesWithoutStore`.

      There is no store at the path, but the folder beside it has [large values](ExternalData.md). `found` is the path of the folder. In a new
      store no row would have the names of these files, so a removal of files would delete them.

      **Cause.** The database was deleted, moved or emptied without its folder. Or a program ended in the last step of a backup to this path.

      **Cure.** Put the database back, from a backup for example. If the large values are not needed, delete the folder, or move it away.

      ## store.filesOfAnotherStore

      > `the folder 'a.sqlite-files' has large values of another store than 'a.sqlite'; no file was written or removed; put the folder of this store in its place, or move it away`

      In Swift: `PersistenceError.Code.filesOfAnotherStore`.

      A save with a large value, `removeUnreferencedFiles()`, or an opening that erases the store found the folder of another store. `path` is
      that of the store, and `found` that of the folder. The other values of the store can be read and saved.

      **Cause.** A database or a folder was moved or copied without the other one. The folder has an empty file whose name is `store-` and the
      identifier of its store; `container.storeIdentifier` is the identifier of a store.

      **Cure.** Put the folder of this store in its place, and give the other folder back to its store. If there is no folder of this store, move
      the other one away: the next save makes a new folder. If files of two stores are in one folder, copy the folder for each store, and delete
      the other store's `store-…` from each copy: each store then removes the files that it does not need.

      ## store.keysExhausted

      > `Pigment cannot have more objects: another program gave a row the greatest possible copal_id; give that row a smaller copal_id`

      In Swift: `PersistenceError.Code.keysExhausted`.

      An entity cannot have more objects, because a row has the greatest possible key.

      **Cause.** Another program wrote a row with the `copal_id` 9223372036854775807.

      **Cure.** Give that row a smaller `copal_id` that no other row has.

      # Requests

      ## request.unknownEntity

      > `the model has no entity 'Pigmnt'; did you mean 'Pigment'?`

      In Swift: `PersistenceError.Code.unknownEntity`.

      The model has no entity of this name. `suggestion` is the most similar name.

      **Cause.** The name of the entity in a fetch request or in `insert(_:)` is misspelled.

      **Cure.** Correct the name, or use the generated class.

      > `Painter is not the class of an entity of the model; the classes of its entities are Pigment`

      The request has no name of an entity, and its class belongs to no entity of the container's model. `found` is the
      class, `expected` are the classes of the entities.

      **Cause.** The class belongs to another model. Or the request is for `ManagedObject`, which is the class of no entity.

      **Cure.** Use a container of the model with this class, or write the name of the entity:
      `FetchRequest<ManagedObject>(entityName: "Pigment")`.

      ## request.abstractEntity

      > `Person is abstract, so it has no objects of its own; insert an object of a subentity of it: Painter, Collector`

      In Swift: `PersistenceError.Code.abstractEntity`.

      The entity is abstract. `expected` has the names of its subentities that are not abstract, and is nil if there are none.

      **Cause.** `insert(_:)` was called with the name of an abstract entity. For a generated class of an abstract entity,
      `init(context:)` ends the program with the same message, because the class in the source code is wrong.

      **Cure.** Insert an object of a subentity. Or remove `abstract` from the entity in the model.

      ## request.unrelatedEntity

      > `Painting is no subentity of Person, so no object of Person is one; name one of its subentities: Painter, Collector`

      In Swift: `PersistenceError.Code.unrelatedEntity`.

      A condition names an entity that is neither a subentity nor an ancestor of the entity that is fetched. `found` is its name,
      `expected` has the names of the subentities.

      **Cause.** `isKind`, or a property of a subentity, has the name of an entity of another family, or of a sibling.

      **Cure.** Name a subentity of the entity that is fetched, or fetch the entity above both.

      ## request.unboundVariable

      > `the condition on Pigment has the variable 'limit', which has no value; give it one with 'replacing(variables:)'`

      In Swift: `PersistenceError.Code.unboundVariable`.

      A condition has a variable, and the fetch began before a value took its place. `found` is the name of the variable.

      **Cause.** `replacing(variables:)` was not called, or its dictionary has no value for the name. A list has no place where one
      value is needed.

      **Cure.** Give every variable a value before the fetch.

      ## request.unknownTemplate

      > `Pigment has no fetch request 'chaep' in the model; did you mean 'cheap'?`

      In Swift: `PersistenceError.Code.unknownTemplate`.

      `fetchRequest(named:in:variables:)` was called with a name that the entity and its ancestors do not have. `found` is the name.

      **Cause.** A typing mistake, or a name of another entity.

      **Cure.** Correct the name, or add the request to [`fetchRequests`](ModelFormat.md#fetch-requests) of the entity.

      ## request.missingVariable

      > `the fetch request Pigment.cheap needs a value for $limit; give each variable a value`

      In Swift: `PersistenceError.Code.missingVariable`.

      A request was made of a fetch request of the model without a value for each of its variables. `found` has the variables.

      **Cause.** A variable is missing in the dictionary, or was added to the model.

      **Cure.** Give each variable a value. Nil is one: a comparison with no value.

      ## request.unknownVariable

      > `the fetch request Pigment.cheap has no variable 'lmit'; did you mean 'limit'?`

      In Swift: `PersistenceError.Code.unknownVariable`.

      A request was made of a fetch request of the model with a value for a variable that it does not have. `found` is the name.

      **Cause.** A typing mistake, a `$` before the name, or a variable that the model does not have any more.

      **Cure.** Correct the name, or remove the value.

      ## request.variableList

      > `the variable 'limit' of the fetch request Pigment.cheap stands for a value, and has a list or a key path; give it a value`

      In Swift: `PersistenceError.Code.variableList`.

      A request was made of a fetch request of the model with a list for a variable that stands for one value, or with a key path.

      **Cause.** Only a variable after `IN` takes a list. A key path is no value: only `%K` takes one.

      **Cure.** Give the variable one value, or write `IN` in the condition.

      ## request.invalidExpression

      > `a query of Pigment has an expression without a meaning: '+' is used with string and integer; use values of types that fit, or calculate in the program`

      In Swift: `PersistenceError.Code.invalidExpression`.

      An expression has no meaning for the entity: a function of values of other types, an aggregate without a value, a collection that
      is no to-many relationship, or `outer` outside of a collection. `found` says what is wrong.

      **Cause.** A condition that is made by hand, decoded or parsed can have any expression. The compiler checks typed conditions.

      **Cure.** Correct the expression. `FetchFunction` lists the functions and the types of their arguments.

      ## request.valueOutOfRange

      > `column 1 of the values of Pigment has a value that its type cannot have; calculate with another type, 'asDecimal' for example, or correct the value in the store`

      In Swift: `PersistenceError.Code.valueOutOfRange`.

      A fetch of values has a result that the type of the column cannot have. `found` says which column.

      **Cause.** The sum of many great integers has more than 64 bits, or a required attribute has no value in a file that another program
      has written.

      **Cure.** Calculate with another type: `$0.count.asDecimal.sum`. For a missing value, correct the file.

      ## request.notDecodable

      > `the column 'nmae' of the values of Pigment cannot be decoded: no column has this name; did you mean 'name'?`

      In Swift: `PersistenceError.Code.notDecodable`.

      A row of `fetchValues(_:as:)` cannot be decoded. `property` is the name of the column, and `found` says why.

      **Cause.** A property of the type has no column with its name, or the column has values of another type, or nil where the property is
      not optional.

      **Cure.** Name the columns as the properties, and give the properties the types of the columns. A column that can be nil needs an
      optional property.

      ## request.invalidCursor

      > `a page of Pigment cannot be fetched: the cursor has 1 value, and the order has 0 keys; use a cursor that a page of the same request has returned`

      In Swift: `PersistenceError.Code.invalidCursor`.

      A page was asked for with a cursor that does not fit, or in an order that pages cannot continue. `found` says why.

      **Cause.** The cursor is from a request with another order, or its object is of another store. Or texts are sorted with numbers by
      their values (`natural`); then the first page is refused, too.

      **Cure.** Use `next` of a page of the same request. In place of `natural`, sort by another order such as `alphabetical`, or read all objects
      with `fetchBatches`.

      ## request.unknownProperty

      > `Pigment has no property 'nmae'; did you mean 'name'?`

      In Swift: `PersistenceError.Code.unknownProperty`.

      The entity has no attribute of this name. `suggestion` is the most similar name.

      **Cause.** The name in a predicate, in a sort key or in a call such as `value(forKey:)` is misspelled.

      **Cure.** Correct the name, or use `PropertyNames` of the generated class.

      > `Item has no property 'pages'; subentities that have it: Book; name one of them in the condition, or fetch it`

      Only subentities of the entity that is fetched have the property. `expected` has their names.

      **Cause.** A fetch of the parent uses a property of a subentity without the name of the subentity.

      **Cure.** In a condition, write `$0.as(Book.self).pages`, or `.subentityProperty(entity: "Book", property: "pages")`. To sort
      by the property, fetch `Book`.

      ## request.notQueryable

      > `Pigment.swatch is transient, so a store cannot compare its values; fetch by another attribute and filter the result`

      In Swift: `PersistenceError.Code.notQueryable`.

      A predicate or a sort key uses a property that a store cannot compare: a transient, a transformable or an [external](ExternalData.md)
      attribute, or a whole to-many relationship. Or a sort key is a relationship to one object, which has no order. Or a text has Core Data's `objectID`: write
      `SELF == %@` or `maker == %@`. No order follows the ids, but without an order, objects come in that of their insertion.

      **Cause.** A transient attribute is not stored. Only the transformer can read the stored form of a transformable attribute. The database
      does not have the large values of an external attribute. A to-many relationship has no single value.

      **Cure.** Ask for the objects of a to-many relationship: with `contains`, `allSatisfy` or `count`, or with `ANY`, `ALL` or `@count` in a text
      ([Querying.md](Querying.md#to-many-relationships)). Sort by an attribute of a related object: `\.maker.name.ascending`. Otherwise fetch by another attribute, and filter the result in Swift. A
      transformable or external attribute may be compared with `nil`.

      ## request.predicateType

      > `Pigment.name has the type string and cannot be compared with a value of type integer; give a value of type string`

      In Swift: `PersistenceError.Code.predicateType`.

      An attribute is compared with a value of another type. Or an object, or a relationship to one, is compared with something else than an id, or
      by an order such as `<`; the sentence then begins with `an object of Pigment cannot be compared`. Or two calculated values have different
      types; it then begins with `a query of Pigment compares or combines`.

      **Cause.** The predicate was made with names of attributes. In a typed condition, such as `{ $0.price < 20 }`, this
      mistake does not compile.

      **Cure.** Give a value of the attribute's type. Whole numbers are allowed for floating-point and decimal attributes.
      Compare an object only with ids, and only by `==`, `!=` and `isIn`.

      ## request.notText

      > `Pigment.price has the type decimal, and only an attribute of the type string has a text to test; convert it with 'price.asString', or 'CAST(price, "NSString")' in a text`

      In Swift: `PersistenceError.Code.notText`.

      A condition with `contains`, `hasPrefix`, `hasSuffix`, `like`, `matches` or `isEqual`, or with `BEGINSWITH` and its like in a
      text, names an attribute of another type.

      **Cause.** The predicate was made with names of attributes. In a typed condition, this mistake does not compile.

      **Cure.** A URL, a UUID and a number have a text: `$0.origin.asString`, or `CAST(origin, "NSString") BEGINSWITH %@`. A URL and a UUID can also be
      tested directly in a typed condition: `$0.origin.hasPrefix("https:")`. A boolean has a text by `CAST` only. Dates and binary data have none:
      compare the values.

      ## request.invalidPattern

      > `the condition of the fetch of Pigment has a pattern that cannot be used: '(' at offset 2 of 'PB(29'; expected a ) that closes this group; write \( for the character itself`

      In Swift: `PersistenceError.Code.invalidPattern`.

      The pattern of `matches` is not a regular expression that Copal knows. Nothing was read.

      **Cause.** A mistake in the pattern, or a part that takes exponential time in other libraries, such as a back-reference. The
      offset counts bytes of UTF-8.

      **Cure.** Correct the pattern. [ModelFormat.md](ModelFormat.md#patterns) has the syntax. Check a pattern that a user writes by a
      fetch with `limit: 0`.

      ## request.invalidLimit

      > `the fetch of Pigment has limit -1; a limit and an offset must be 0 or more`

      In Swift: `PersistenceError.Code.invalidLimit`.

      A limit or an offset is negative.

      **Cause.** The program has computed a negative number.

      **Cure.** Use 0 or a greater number. For all objects, use no limit.

      ## request.tooComplex

      > `the condition of a fetch is too complex for the store: 'and' and 'or' are nested more than 25 levels deep; simplify it, or fetch in several steps`

      In Swift: `PersistenceError.Code.tooComplex`.

      A predicate is nested more than 25 levels deep, or has more constants or parts than SQLite allows in one statement. Or a pattern of `like`
      has more than 1,000 bytes, a path more than 25 relationships, or a calculation more than 100 levels. Nothing was read.

      **Cause.** Often a program makes the predicate in a loop, or from data of another program.

      **Cure.** Simplify it, or use a shorter pattern. Split long lists into several fetches.

      ## request.notTransformable

      > `Pigment.name is not a stored transformable attribute, so it has no transformer; name a transformable attribute`

      In Swift: `PersistenceError.Code.notTransformable`.

      `scan(_:of:with:progress:)` was called for an attribute that has no transformer.

      **Cause.** The attribute has another type than `transformable`, or it is transient.

      **Cure.** Give the name of a stored transformable attribute.

      ## request.wrongClass

      > `the class of the entity Pigment is Pigment, not Painter; ask for objects of the class Pigment`

      In Swift: `PersistenceError.Code.wrongClass`.

      The objects of the entity do not have the class that the program asked for. `expected` is their class.

      **Cause.** The id or the name is that of another entity. Or the requested class is not the entity's class in this
      container.

      **Cure.** Use the class in `expected`, or `ManagedObject`.

      ## request.severalObjects

      > `the fetch of the only object of Pigment finds several: Pigment p1 and Pigment p2; make its condition exact, or ask for the first object`

      In Swift: `PersistenceError.Code.severalObjects`.

      A program called `context.one(_:where:)`, and two or more objects meet the condition. `objectID` and `otherID` are two of them.

      **Cause.** The condition is not exact enough, or the store has an object twice.

      **Cure.** Add the attributes that make an object the only one to the condition. A unique constraint in the model prevents duplicates. If
      any of the objects will do, call `first(_:sortedBy:where:)`.

      # Predicates as text

      `FetchPredicate(format:)` and `PredicateFormat` throw a `PredicateFormatError`. Its sentence begins with the line and the column, both counted
      from 1 in characters. The message then has the line of the text, with a mark below the place. An argument is never in it.
      [Querying](Querying.md#the-text-language) describes the language.

      ## format.unexpected

      > `1:6: unexpected 'BEGINWITH'; expected an operator, such as ==, < or CONTAINS; did you mean 'BEGINSWITH'?`

      In Swift: `PredicateFormatError.Code.unexpected`.

      Something else was expected at this place. `expected` says what, and `suggestion` is the most similar word.

      **Cause.** An operator is misspelled, or a parenthesis or a value is missing before this place.

      **Cure.** Correct the text at the line and the column.

      ## format.unexpectedEnd

      > `1:15: the text ends too early; expected a name, a value or a parenthesis`

      In Swift: `PredicateFormatError.Code.unexpectedEnd`.

      The text ends before the condition is complete.

      **Cause.** A value, a closing parenthesis or the second side of an operator is missing.

      **Cure.** Complete the text.

      ## format.unterminatedString

      > `1:9: the text in quotes does not end; close it with '`

      In Swift: `PredicateFormatError.Code.unterminatedString`.

      A text in quotes has no closing quote. The place is the opening quote.

      **Cause.** The quote is missing, or a quote inside the text ends it.

      **Cure.** Close the text with the same quote. Better, use `%@` and give the text as an argument.

      ## format.invalidEscape

      > `1:12: unknown escape sequence '\w'; expected \n, \t, \r, \0, \\, \', \", \xHH, \uHHHH or \UHHHHHHHH`

      In Swift: `PredicateFormatError.Code.invalidEscape`.

      A text in quotes has an escape sequence that does not exist.

      **Cause.** A backslash of the text itself, or a sequence of another language.

      **Cure.** Write `\\` for a backslash, or one of the sequences in the message. Better, use `%@`.

      ## format.invalidNumber

      > `1:9: invalid number '1_000'; expected a number such as 12.5`

      In Swift: `PredicateFormatError.Code.invalidNumber`.

      A number is not written correctly.

      **Cause.** It has letters, underscores, or a prefix without digits.

      **Cure.** Write it as in the message: digits, and a point where there is a fraction. `0x` and `0b` begin hexadecimal and binary integers.

      ## format.outOfRange

      > `1:9: the number '9223372036854775808' is out of range; expected an integer of 64 bits; write a point for a floating number`

      In Swift: `PredicateFormatError.Code.outOfRange`.

      A number is too large or too small for its type.

      **Cause.** An integer has more than 64 bits, or a floating number is infinite.

      **Cure.** Write a smaller number, or give a decimal as an argument.

      ## format.invalidName

      > `1:9: '🎨' is not a name; expected letters, digits and _; accented letters as one scalar`

      In Swift: `PredicateFormatError.Code.invalidName`.

      A name has a character that no name has.

      **Cause.** A symbol, a control character, or a letter whose accent is a character of its own. The names of properties are in composed form.

      **Cure.** Correct the name. For a name that is not an identifier, write `property:(SELF, "a name")`.

      ## format.invalidValue

      > `1:9: this is not a valid value; expected an ISO 8601 date with time and zone, such as "2024-05-17T09:30:00Z"`

      In Swift: `PredicateFormatError.Code.invalidValue`.

      The text in a `CAST` is not a value of its type. The text is not in the message.

      **Cause.** The date has no time or zone, the day does not exist, or the digits are wrong.

      **Cure.** Write the value in the form that the message names, or give it as an argument.

      ## format.invalidOption

      > `1:15: invalid option 'x'; expected the letters c, d, n and l`

      In Swift: `PredicateFormatError.Code.invalidOption`.

      The letters in brackets after an operator are not options of it.

      **Cause.** A typo, `n` together with another letter, or options after `BETWEEN`.

      **Cure.** Write `[c]`, `[d]`, `[cd]`, `[n]` or `[l]`, or remove the brackets.

      ## format.invalidPlaceholder

      > `1:9: unknown placeholder '%s'; write %@ for a value, %K for a key path, %d or %f for a number, or %% for the remainder`

      In Swift: `PredicateFormatError.Code.invalidPlaceholder`.

      After `%` there is no placeholder that Copal has.

      **Cause.** A placeholder of `printf` such as `%s` or `%.2f`, or a single `%` for the remainder of a division.

      **Cure.** Use `%@` for every value. Write `%%` for the remainder.

      ## format.missingArgument

      > `1:24: argument 2 is missing; expected 2 arguments, found 1`

      In Swift: `PredicateFormatError.Code.missingArgument`.

      There are fewer arguments than placeholders. `argument` is the number of the first one that is missing.

      **Cause.** An argument was forgotten, or a list was expected to fill several placeholders.

      **Cure.** Give one argument for each placeholder, in their order.

      ## format.extraArgument

      > `1:13: argument 1 has no placeholder; expected 0 arguments; a placeholder in quotes is text, found 1`

      In Swift: `PredicateFormatError.Code.extraArgument`.

      There are more arguments than placeholders.

      **Cause.** An argument was not removed with its placeholder, or the placeholder is in quotes, where it is text.

      **Cure.** Remove the argument, or remove the quotes.

      ## format.argumentKind

      > `1:9: argument 1 is a value of the kind string; expected a list; use == for one value, and CONTAINS for a part of a text`

      In Swift: `PredicateFormatError.Code.argumentKind`.

      An argument is not of the kind that its placeholder needs. `argument` is its number. The value is not in the message.

      **Cause.** One value after `IN`, a list after `==`, a number for `%K`, a key path for `%@`, or text for `%d`.

      **Cure.** Give an argument of the kind in the message. `%@` takes every value.

      ## format.unknownFunction

      > `1:1: unknown function 'lenght:'; did you mean 'length'?`

      In Swift: `PredicateFormatError.Code.unknownFunction`.

      The language has no function with this name. `suggestion` is the most similar name.

      **Cause.** The name is misspelled, or the function is from a program.

      **Cure.** Correct the name, or calculate the value in the program and give it as an argument.

      ## format.argumentCount

      > `1:6: the function 'abs:' has another number of arguments; expected 1`

      In Swift: `PredicateFormatError.Code.argumentCount`.

      A function has more or fewer arguments than it needs.

      **Cause.** A comma or an argument is missing, or there is one too many.

      **Cure.** Give as many arguments as the message says.

      ## format.unknownType

      > `1:13: CAST does not know the type 'NSDat'; did you mean 'NSData'?`

      In Swift: `PredicateFormatError.Code.unknownType`.

      `CAST` does not know the type.

      **Cause.** The name is misspelled, or is that of a class that no attribute has.

      **Cure.** Use one of the names in the message, or the suggestion.

      ## format.unknownAggregate

      > `1:10: unknown aggregate '@summ'; did you mean '@sum'?`

      In Swift: `PredicateFormatError.Code.unknownAggregate`.

      After `@`, a path has the name of an aggregate that does not exist.

      **Cause.** The name is misspelled, or it is one of key-value coding, such as `@distinctUnionOfObjects`, which makes a list.

      **Cure.** Use `@count`, `@sum`, `@min`, `@max` or `@avg`.

      ## format.unsupported

      > `1:1: SUBQUERY without an aggregate is not supported; write .@count > 0 after it, or .@sum and a property`

      In Swift: `PredicateFormatError.Code.unsupported`.

      The text has a part of the language of `NSPredicate` that Copal does not have. `found` is the part, and `expected` says what to write instead.

      **Cause.** For example `SUBQUERY` without an aggregate, `FUNCTION`, an index of a path, or `"x" IN name`.

      **Cure.** Write what the message says.

      ## format.misplacedList

      > `1:6: a list cannot be here; write it after IN or BETWEEN`

      In Swift: `PredicateFormatError.Code.misplacedList`.

      A list in braces is where only one value can be.

      **Cause.** `==` instead of `IN`, a list in a list, or a list on the left side.

      **Cure.** Write the list after `IN` or `BETWEEN`.

      ## format.misplacedCondition

      > `1:12: a condition cannot be here; expected a value`

      In Swift: `PredicateFormatError.Code.misplacedCondition`.

      A condition in parentheses is where a value is expected.

      **Cause.** The condition is compared with true or false.

      **Cure.** Use the condition itself, or `NOT`. To choose a value by a condition, write `TERNARY(condition, a, b)`.

      ## format.tooDeep

      > `1:101: the text is nested too deeply; the maximum is 100 levels; use fewer levels`

      In Swift: `PredicateFormatError.Code.tooDeep`.

      The text has more levels of parentheses, functions and operators than the maximum. The limit protects the stack of the thread.

      **Cause.** The text was generated by a program, or comes from an attacker.

      **Cure.** Use fewer levels. A chain of `OR` or `AND` has one level, and a list after `IN` has none.

      ## format.tooLong

      > `1:1: the text has 1048586 bytes; the maximum is 1048576; give lists as arguments`

      In Swift: `PredicateFormatError.Code.tooLong`.

      The text has more bytes than the maximum.

      **Cause.** A program has written a long list of values into the text.

      **Cure.** Use `IN %@`, and give the list as an argument.

      # Predicates of Foundation

      The product `CopalFoundation` throws these. [FoundationPredicates.md](FoundationPredicates.md) lists what a `#Predicate` may contain.

      ## predicate.unsupported

      > `a regular expression of Swift has no form in a store: use a FetchPredicate with matches, which has a syntax of its own`

      In Swift: `PersistenceError.Code.predicateUnsupported`.

      A part of a `#Predicate`, or a `SortDescriptor`, has no form in a condition of a store. `found` names the part, and `expected` says
      what to do instead.

      **Cause.** The predicate computes something that only Swift can compute: an element of a relationship, the value of a dictionary for an
      attribute, a regular expression.

      **Cure.** Compute the value before the predicate, or use a typed closure, which has more functions.

      ## predicate.keyPath

      > `a property of Work of the type Bool is not one that a store has: compare the stored value, or filter the result in Swift`

      In Swift: `PersistenceError.Code.predicateKeyPath`.

      A `#Predicate` or a `SortDescriptor` names a property that is not an attribute or a relationship of the model, or a member of a value, such
      as the first character of a text. `entity` is the class or the type, `found` the type of the property.

      **Cause.** The property is computed or transient, its class has no generated code, or its attribute has a custom accessor: then the
      table of properties has the primitive value instead. Or the predicate is in a module that may not
      [set the property](GeneratedCode.md#names-access-and-isolation).

      **Cure.** Use a stored attribute, or the primitive value (`$0.primitiveNote`), or a typed closure. Or fetch more, and filter the result in Swift.

      ## predicate.value

      > `a #Predicate contains a value of the type SerializableColor, which no condition can compare: convert it before the predicate, or compare another attribute`

      In Swift: `PersistenceError.Code.predicateValue`.

      A constant of a `#Predicate` has a type that no attribute has, except transformable ones. A store does not decode transformables, so they
      can only be compared with nil.

      **Cause.** The predicate compares a transformable attribute with a value, or a number does not fit into 64 bits.

      **Cure.** Keep what you search for in an attribute of its own.

      # Saving

      ## save.failed

      > `the save failed for one reason; nothing was written, and every change is kept`

      In Swift: `PersistenceError.Code.saveFailed`.

      The save failed. Nothing was written, and the context keeps every change. `causes` contains the reasons, each with its
      object and attribute.

      A save has two steps, and the causes are those of one step. The first step finds every validation hook that threw, every broken
      rule, and every value that cannot be encoded. If there is none, the store finds every object that another context or program has
      changed or deleted, and every object with unique values that another object has.

      **Cause.** Values break rules, values cannot be encoded, or there are conflicts with the saves of other contexts or
      programs.

      **Cure.** Look at the causes. Correct the objects and save again, or roll back.

      ## save.conflict

      > `Pigment p1 was changed by another context or program: it was read at version 1 and now has version 2; refresh it with mergeChanges: true and save again`

      In Swift: `PersistenceError.Code.conflict`.

      Another context or program has saved the object since it was read here. `expected` is the version that was read, and
      `found` the version in the store.

      **Cause.** Two contexts or programs changed the same object.

      **Cure.** `refresh(_:mergeChanges: true)` reads the object again and keeps your changes; then save again. With
      `false` your changes are lost. Or give the context a [merge policy](Conflicts.md#merge-policies): then the save itself
      decides whose values stay.

      ## save.deletedElsewhere

      > `Pigment p1 was deleted by another context or program after it was read at version 1; delete it in this context too, or refresh it with mergeChanges: false`

      In Swift: `PersistenceError.Code.deletedElsewhere`.

      Another context or program has deleted the object since it was read here.

      **Cause.** Two contexts or programs changed the same object.

      **Cure.** Delete the object in this context too. Or call `refresh(_:mergeChanges: false)`, which discards your changes
      or your deletion. Insert a new object if it is still needed. With a [merge policy](Conflicts.md#merge-policies) the object
      leaves the context at the save; with `.overwrite` it is inserted again.

      ## save.uniqueConflict

      > `the combination of group, select of Pigment must be unique, and Pigment p2 has the same values "Earth", 3 as Pigment p1; change one of them and save again`

      In Swift: `PersistenceError.Code.uniqueConflict`.

      Two objects have the same values in the attributes of a unique constraint. `property` names the attributes. `objectID`
      is the object that was refused. `otherID` is the object that has the values: an object in the store that this save does
      not change, or otherwise the first object of this save with these values. `found` has the values; in place of one with
      `"private": true`, it has `‹private›`. The error of a batch has no values, but the `row`. `otherID` has the name of an ancestor if the
      constraint is that of an ancestor and the context does not have the object. Only the state after the save counts. So two
      objects may swap values, and an object may get the value of an object that is deleted or changed in the same save.

      **Cause.** The program has inserted a second object for the same thing, for example because an import ran twice.

      **Cure.** Fetch the object before you insert one, or change one of the two objects. With a
      [merge policy](Conflicts.md#merge-policies) a new object becomes the stored one.

      ## batch.pendingChanges

      > `a batch cannot change the objects of Pigment while this context has unsaved changes of Pigment; save or roll back first`

      In Swift: `PersistenceError.Code.batchPendingChanges`.

      A [batch](Batches.md) works on what the store has. The context has new, changed or deleted objects of an entity that the batch concerns:
      `found` has the names of these entities. In a hook of a save, the sentence is `a batch cannot change the objects of Pigment in a hook of a save;
      run it before or after the save`. The batch wrote nothing.

      **Cause.** The batch would change the rows under the unsaved objects. `executeUnsafe(sql:)` throws the error for any unsaved change. The entities are that of the batch and its subentities, and those
      that delete rules reach. Or a hook of a save calls a batch.

      **Cure.** Save the context, or call `rollback()`. Call a batch before or after the save, not in a hook. Or use another context for the batch.

      ## batch.failed

      > `the batch was refused for 2 reasons; nothing was written`

      In Swift: `PersistenceError.Code.batchFailed`.

      A [batch](Batches.md) would break several rules of the model. `causes` has the error of each, such as `save.belowMinimum`; a hundred at
      most. If there is only one, the batch throws it directly.

      **Cause.** The values of the batch, or the objects that it was to delete. `objectID` of a cause is the object, if it is stored.

      **Cure.** Correct the values, or the condition.

      ## batch.notAssignable

      > `Pigment.color is transformable, so a batch cannot give it a value; fetch the objects and change them`

      In Swift: `PersistenceError.Code.batchNotAssignable`.

      A [batch](Batches.md) gives values to stored attributes and to some relationships. `found` says what stands in the way: a property that is transient,
      transformable or external; a relationship that a [batch cannot set](Batches.md#relationships); or a value that is no object of it.

      **Cause.** Some properties need the object: for the other end of the relationship, for the transformer, or for a file.

      **Cure.** Fetch the objects, change them and save.

      ## batch.missingObject

      > `row 12: Painting.painter names an object by Painter.name, and there is none with this value; insert that object first, or in the same batch`

      In Swift: `PersistenceError.Code.batchMissingObject`.

      A batch was to set a relationship to the object whose unique attribute has a given value. `property` is the relationship, `row` the number of the
      first row with this value, beginning with 1, and `expected` the attribute. Nothing was written.

      **Cause.** The object is not in the store, and the batch does not insert it.

      **Cure.** Insert the missing objects first, or in the same batch. `causes` of `batch.failed` has all of them.

      ## batch.noConstraint

      > `Pigment has no unique constraint of price, so a batch cannot find its objects by it; its unique constraints are: name; code`

      In Swift: `PersistenceError.Code.batchNoConstraint`.

      An [upsert](Batches.md#inserting-and-updating-by-a-key) finds objects by a unique constraint of the entity. `expected` has the constraints.

      **Cause.** The named attributes are none of them, or are only a part of one.

      **Cure.** Name all attributes of a constraint. Or add one to the model: `"unique"`.

      ## transaction.pendingChanges

      > `a transaction cannot begin while this context has unsaved changes of Pigment, because an error in it could not restore them; save or roll back first, or make the changes in the transaction`

      In Swift: `PersistenceError.Code.transactionPendingChanges`.

      `context.transaction` was called while the context has new, changed or deleted objects. `found` has the names of their entities. The body was not run.

      **Cause.** When the body of a [transaction](Saving.md#several-saves-in-one-transaction) throws, the context is as the store was at the start. The unsaved changes
      would be lost.

      **Cure.** Save the context, or call `rollback()`. Or move the changes into the body.

      ## save.metadataName

      > `the name '' of a value in the metadata has 0 bytes, or a NUL among them; use a name of 1 to 255 bytes without NUL`

      In Swift: `PersistenceError.Code.metadataName`.

      A context was saved with a value in `metadata` whose name the store does not accept. `property` is the beginning of the name, `found` its length in bytes of UTF-8.

      **Cause.** The name is empty or too long, or contains a NUL.

      **Cure.** Use a shorter name. To save without the value, set it to nil, or roll back.

      ## save.metadataTooBig

      > `the value 'anchor' of the metadata has 2000000 bytes, and 1048576 are allowed; keep it in an attribute`

      In Swift: `PersistenceError.Code.metadataTooBig`.

      A context was saved with a text or data in `metadata` that is too large. `found` is its size in bytes.

      **Cause.** Metadata is for small values: it is read as a whole before a store is opened.

      **Cure.** Keep the value in an attribute, which can be [in a file](ExternalData.md), and its name or id in the metadata.

      ## save.deletionDenied

      > `Museum p1 has 3 objects in 'paintings', whose delete rule is deny, so it cannot be deleted; delete these objects or move them first`

      In Swift: `PersistenceError.Code.deletionDenied`.

      A deleted object has related objects, and the delete rule of the relationship is `deny`.

      **Cause.** The rule is judged when the deletion is saved. `property` is the relationship, and `found` the number of objects. If others
      have added an object since this context read the relationship, `otherID` is its id.

      **Cure.** Delete the related objects or move them, and save again; or call `rollback()`.

      ## save.tooFewObjects

      > `Recipe.steps of Recipe p1 has too few objects: their number is 0, and the minimum is 1; add objects, or leave 'minimum' and 'optional: false' out of the model`

      In Swift: `PersistenceError.Code.tooFewObjects`.

      A to-many relationship of a new or changed object has fewer objects than its `minimum`.

      **Cause.** No object was added, or objects were removed or deleted. Or the model has `"optional": false`, because Xcode's model editor
      said "not optional": in Copal this is a minimum of 1.

      **Cure.** Add objects, or lower the minimum in the model. A to-many relationship that may be empty has neither `minimum` nor
      `"optional": false`.

      ## save.tooManyObjects

      > `Recipe.steps of Recipe p1 has too many objects: their number is 4, and the maximum is 3; remove objects, or raise the maximum in the model`

      In Swift: `PersistenceError.Code.tooManyObjects`.

      A to-many relationship of a new or changed object has more objects than its `maximum`.

      **Cause.** Objects were added, here or by another context.

      **Cure.** Remove objects, or raise the maximum in the model.

      ## save.missingReference

      > `Painting.painter of Painting p1 refers to Pigment p2, which is not in the store any more; set another object, or nil`

      In Swift: `PersistenceError.Code.missingReference`.

      A new or changed object refers to an object that another context or program has deleted.

      **Cause.** `otherID` is the id of the object that does not exist any more.

      **Cure.** Set another object, or nil. With a [merge policy](Conflicts.md#merge-policies) the save sets an optional
      relationship to nil, and drops a link.

      ## save.stillReferenced

      > `Pigment p1 cannot be deleted: Pigment p2 refers to it by 'base', which another context has set; refresh the object and delete it again`

      In Swift: `PersistenceError.Code.stillReferenced`.

      An object was deleted, and another object refers to it.

      **Cause.** Another context has added or changed the other object since this context read the relationship. `otherID` is
      its id, and `found` the name of its relationship.

      **Cure.** Refresh the object with `refresh(_:mergeChanges: false)`, and delete it again. Its delete rules then act on the
      other object, too. With a [merge policy](Conflicts.md#merge-policies) other than `.rollback` the save does this itself.

      ## save.notAssignable

      > `Painting.painter is a relationship, so it cannot be one of the values of a merge policy; leave it out, or return takeStored, keepMine or overwrite`

      In Swift: `PersistenceError.Code.notAssignable`.

      The `.values` that a `.custom` merge policy has returned contain a property that they cannot set. `found` is what it is: a relationship, a
      transformable or a transient attribute.

      **Cause.** The values of a policy are values of attributes as a store has them. An object of another context is none, and a transformable
      would have to be encoded.

      **Cure.** Leave the property out: it gets mine if only I have changed it, and otherwise theirs. Or decide for the whole object, with
      `.takeStored`, `.keepMine` or `.overwrite`.

      ## save.required

      > `Pigment.name of Pigment p1 is required and has no value; set it, or make it optional in the model`

      In Swift: `PersistenceError.Code.required`.

      A required attribute or to-one relationship has no value.

      **Cause.** The attribute has no default in the model and was not set. Or the object of a required relationship was removed,
      for example from the to-many relationship at the other end.

      **Cure.** Set the attribute (the generated initializer has a parameter for it), or make it optional in the model with
      `?`. For a relationship: set an object, add this object to the other end, or delete it.

      ## save.belowMinimum

      > `Pigment.opacity of Pigment p1 is below its minimum of 0.0; set a greater value`

      In Swift: `PersistenceError.Code.belowMinimum`.

      A number or date is less than the attribute's `minimum`, which is in `expected`.

      **Cause.** The program has set a value that breaks the rule. A save checks rules; a setter does not.

      **Cure.** Set another value, or change the rule.

      ## save.aboveMaximum

      > `Pigment.density of Pigment p1 is above its maximum of 20; set a smaller value`

      In Swift: `PersistenceError.Code.aboveMaximum`.

      A number or date is greater than the attribute's `maximum`, which is in `expected`.

      **Cause.** The program has set a value that breaks the rule. A save checks rules; a setter does not.

      **Cure.** Set another value, or change the rule.

      ## save.tooShort

      > `Pigment.name of Pigment p1 is too short: its length is 0 characters, and the minimum is 1; set a longer value`

      In Swift: `PersistenceError.Code.tooShort`.

      A string has fewer characters, or a binary fewer bytes, than `minimumLength`.

      **Cause.** Often the text is empty. A save checks rules; a setter does not.

      **Cure.** Set a longer value, or change the rule.

      ## save.tooLong

      > `Painter.name of Painter p1 is too long: its length is 201 characters, and the maximum is 200; shorten it`

      In Swift: `PersistenceError.Code.tooLong`.

      A string has more characters, or a binary more bytes, than `maximumLength`.

      **Cause.** The program has set a value that is too long. A save checks rules; a setter does not.

      **Cure.** Shorten the value before you set it, or change the rule.

      ## save.patternMismatch

      > `Pigment.code of Pigment p1 does not match the pattern /P[A-Z]+[0-9]+/; set a value that matches it as a whole`

      In Swift: `PersistenceError.Code.patternMismatch`.

      A string does not match the attribute's `pattern`, which is in `expected`. The whole string must match.

      **Cause.** The program has set a value that does not match. A save checks rules; a setter does not.

      **Cure.** Check the input before you set it, or change the pattern.

      ## save.unrecognizedCase

      > `Pigment.form of Pigment p1 has a raw value that none of its cases has; set one of oil, tempera; did you mean 'tempera'?`

      In Swift: `PersistenceError.Code.unrecognizedCase`.

      An attribute with `cases` was set to a raw value that no case has. `expected` has the raw values of the cases.

      **Cause.** The program has set `.unrecognized(…)`, or another raw value by name. A raw value that the store has already is kept as long
      as the attribute is not set to another one.

      **Cure.** Set one of the cases, or add the case to the model.

      ## save.notANumber

      > `Pigment.opacity of Pigment p1 is NaN, which a database would store as NULL; set a number, or nil where the attribute is optional`

      In Swift: `PersistenceError.Code.notANumber`.

      A float, double, decimal or date is NaN (not a number).

      **Cause.** A computation divided zero by zero, or used NaN. SQLite would store NaN as NULL, and the program would read
      another value.

      **Cure.** Correct the computation. Use `nil` in an optional attribute for "unknown".

      ## save.scaleExceeded

      > `Pigment.price of Pigment p1 does not fit its scale of 2: it has more decimal places, or is too large for 64 bits; round it before you set it`

      In Swift: `PersistenceError.Code.scaleExceeded`.

      A decimal has more decimal places than its `scale`, or is too large for 64 bits at that scale.

      **Cause.** Often the number was computed and not rounded.

      **Cure.** Round the number before you set it.

      ## save.validationFailed

      > `Pigment p1 is not valid: too young`

      In Swift: `PersistenceError.Code.validationFailed`.

      A validation hook of your class, `validateForInsert()`, `validateForUpdate()` or `validateForDelete()`, threw an error. `causes` has this error.

      **Cause.** The object breaks a rule of your code.

      **Cure.** Look at the error in `causes`. If a hook throws a `PersistenceError`, that error is a cause of `save.failed`
      instead of this one.

      ## save.incompleteObject

      > `Pigment p1 was changed or deleted, but its row could not be read, so it cannot be saved; refresh it and make the change again`

      In Swift: `PersistenceError.Code.incompleteObject`.

      The object was changed or deleted, but its row could not be read before, so its other values or its version are unknown. Nothing was written.

      **Cause.** The row was deleted by another context or program, or the store could not be read at that moment. `causes` has the reason, if it is known.

      **Cure.** Refresh the object and make the change again.

      ## save.endlessHooks

      > `the save was stopped after 1000 rounds: hooks or transformers changed or inserted further objects in every round; nothing was written; make each hook change or insert an object only when this is still needed`

      In Swift: `PersistenceError.Code.endlessHooks`.

      The save was stopped, because hooks or transformers changed or inserted further objects again and again. Nothing was written, and every
      change is kept. `found` is the limit that was reached.

      **Cause.** A save calls each hook once for each object. So a hook that changes its own object is never the cause. The
      cause is one of these: a `willSave()` or a validation hook inserts an object, the hook of that object inserts the next
      one, and so on; or hooks fetch and change further objects again and again; or a transformer changes objects each time it
      encodes a value. A round is one call of `willSave()`, or of the validation hooks, for all objects that the round before has changed. For
      hooks, the limit is 2,000 rounds plus two for each object that the context has when the save begins. For transformers, the limit is 10
      rounds.

      **Cure.** A hook should insert or change another object only when this is still needed: it should first check whether
      the object already exists, or already has the value. Do not change objects in a transformer.

      # Objects

      ## object.missing

      > `Pigment p1 cannot be read: its context was released or reset; keep the context as long as you use its objects`

      In Swift: `PersistenceError.Code.objectMissing`.

      The object cannot be read: it is no longer in the store, or its context was released or reset. In the second case
      `found` says so.

      **Cause.** This context, another context or another program has deleted the object. Or the object was a fault when its
      context was released or reset.

      **Cure.** If the object was deleted, remove it from lists and selections. Keep a context as long as you use its objects.

      ## object.unsaved

      > `the new Pigment t3 is unknown to this context: its id is temporary, and this context has not saved an object with this id, or has deleted it; save the object in the context that inserted it, and use its permanent id`

      In Swift: `PersistenceError.Code.objectUnsaved`.

      The id is temporary, and this context knows no object with this id.

      **Cause.** The id was passed to another context: only the context that saves the object can find the object by this id.
      Or the object was deleted before its first save, or its insertion was rolled back or reset. Or this context has saved
      its deletion. (An object that another context or program has deleted is `object.missing`.)

      **Cure.** Save the object in the context that inserted it. Then pass its `objectID`, which is permanent from then on.

      ## object.multipleFailures

      > `2 objects could not be read, each for the cause below`

      In Swift: `PersistenceError.Code.multipleFailures`.

      Several objects could not be read in one call of `fulfill(_:)`. All other objects have their values.

      **Cause.** `causes` contains an error for each object that could not be read, such as `object.missing` or
      `object.typeMismatch`.

      **Cure.** Look at each error in `causes`.

      ## object.danglingReference

      > `Work.artist of Work p1 refers to Artist p1, which is not in the store any more, so it reads nil; set another object or nil, or refresh the object`

      In Swift: `PersistenceError.Code.danglingReference`.

      A to-one relationship refers to an object that does not exist, or to an object of another entity. `property` is the
      relationship, `objectID` the object that has it, and `otherID` the other object. The relationship reads nil. The error is
      reported like a value that cannot be read, once for each object and relationship; access by name throws it.

      **Cause.** Another program has deleted the row of the other object, or has written the key of another row. Or another
      context has deleted the object since this one read the reference.

      **Cure.** Refresh the object, which reads its row again. If the row still has the reference, set another object, or nil,
      and save. `container.check()` finds every such reference.

      ## object.lazyLoads

      > `forbiddingLazyLoads found 2 lazy loads; everything was read all the same`

      In Swift: `PersistenceError.Code.lazyLoads`.

      In the body of `forbiddingLazyLoads`, properties have read the store. `causes` has an `object.lazyLoad` for each
      relationship, or for the values of faults.

      **Cause.** The objects were not read before: the fetch does not prefetch a relationship, or it returns faults.

      **Cure.** Look at each error in `causes`.

      ## object.lazyLoad

      > `Artist.works was read lazily for 2 objects of the fetch of Artist, with 1 read; add it to prefetching(_:) of the fetch, or call load() or fulfill(_:) before`

      In Swift: `PersistenceError.Code.lazyLoad`.

      A property has read the store where `forbiddingLazyLoads` forbids it. It is a cause of `object.lazyLoads`. `entity` and
      `property` name the relationship; without a `property`, the values of faults of the entity were read. `found` has the
      number of objects, the fetch that made them, if the context knows it, and the number of reads. Constants of the
      condition are shown as `?`.

      **Cause.** A relationship was read, followed or counted, or a value of a fault was read, and the context did not have it.

      **Cure.** Add the relationship to `prefetching(_:)` of the fetch that is named. Or read the objects before: with
      `load()` of the relationship, with `fulfill(_:)` of the context, or with a fetch that does not return faults.

      ## request.sectionPath

      > `the list of Painter cannot be divided by 'born': a section begins before another one has ended; sort by what the sections are made of, or divide by another attribute`

      In Swift: `PersistenceError.Code.sectionPath`.

      The sections of a `FetchedResultsController` go back and forth along its order, so a list cannot be divided into them. `property` is the path
      of the sections. `performFetch()` throws it. When a later
      change causes it, it is passed to the `readFailureHandler`; the list stays as it is, and the next turn tries again.

      **Cause.** A function of sections gives the same section to values that are not next to each other. Or the first key of the order
      ignores case or diacritics, and the sections do not.

      **Cure.** Choose a function that never goes back along the order. For texts in the order `alphabetical`, use `.firstLetter(of:)`.

      ## context.tooManyStatements

      > `60 statements were run, and at most 3 are expected; prefetch what a loop reads, or allow more`

      In Swift: `PersistenceError.Code.tooManyStatements`.

      The body of `expectStatements(atMost:)`, or the contexts of a `StatementLog`, have run more statements than the number that was given.
      The work itself was done. `found` is the number of statements. `causes` has a `context.statements` for each operation and place in the
      program: the most frequent one first.

      **Cause.** Usually a loop runs a statement for each object ("N+1"): it reads a relationship that was not prefetched, or finds the objects
      one by one.

      **Cure.** Look at the first error in `causes`: it says where the loop is, and what to do. [Statements.md](Statements.md#n1) has an example.

      ## context.statements

      > `20 times: the number of objects of Artist.works, of 1 object each; prefetch it: fetch the objects of Artist with prefetching(\.works), or fetch the numbers with fetchValues`

      In Swift: `PersistenceError.Code.statements`.

      The statements that one operation has run at one place in the program. It is a cause of `context.tooManyStatements`. `entity` and `property`
      name what was read, if the operation has them.

      **Cause.** As for `context.tooManyStatements`.

      **Cure.** Do what the sentence says after the semicolon. Without a semicolon, the operation has run one statement, or there is nothing
      general to say.

      ## object.changeLost

      > `Pigment p1 was changed, and the change is not saved: the object is deleted; check isDeleted and managedObjectContext before you change an object`

      In Swift: `PersistenceError.Code.changeLost`.

      A property of an object was set, and no save will write the new value. The error is reported like a value that cannot be
      read: to the `readFailureHandler`, or in a line on standard error, once for each object. The property has the new value
      as long as the object exists.

      **Cause.** The object is deleted, and a save has written the deletion or will write it. Or its context was released or
      reset. Or it was a new object that was deleted or rolled back. `willSave()`, the validation hooks and
      `prepareForDeletion()` may set properties of a deleted object; this is not reported.

      **Cure.** Do not change an object when `isDeleted` is true or `managedObjectContext` is nil. Keep the context as long as
      you use its objects. If an object no longer has a context, find it in another context with `existingObject(with:)`, and
      change it there. If an object had unsaved changes when its context was released, its later changes are not reported.

      ## object.typeMismatch

      > `Pigment.copal_id contains TEXT instead of a number from 1 to 9223372036854775807; another program wrote it; correct the value in the store`

      In Swift: `PersistenceError.Code.typeMismatch`.

      A column contains a value of another type than the model declares, such as TEXT in an integer column, or NULL in a required one. The columns
      `copal_id`, `copal_version` and `copal_entity` are checked too: `copal_entity` has the name of an entity of the table that
      is not abstract. If it has another text, the error does not show the text, because it can be anything.

      **Cause.** Another program wrote it.

      **Cure.** Correct the value with that program or with `sqlite3`. Or set the attribute; a save then overwrites the value.
      Until then Copal does not change the value.

      ## object.externalFileMissing

      > `Pigment.color of Pigment p1 is in a file that does not exist any more: '0123456789abcdef0123456789abcdef-5000'; refresh the object, because another context may have replaced the value, or restore the file from a backup`

      In Swift: `PersistenceError.Code.externalFileMissing`.

      A [large value](ExternalData.md) is in a file, and there is no file of that name. Only this attribute cannot be read. `found` is the name of
      the file, and `path` is the folder. A save throws this error, too, when it would write a row with the name of a file that does not exist.

      **Cause.** Another context or program has replaced or deleted the value since this context read the object, and the former file was
      removed. Or the database was copied without the folder, or another program has deleted the file.

      **Cure.** Refresh the object. If the error remains, restore the file from a backup, or set the attribute.

      ## object.externalFileUnreadable

      > `Pigment.color of Pigment p1 is in a file that cannot be read: '0123456789abcdef0123456789abcdef-5000': it has 10 bytes instead of 5000; restore the file from a backup, or set the attribute`

      In Swift: `PersistenceError.Code.externalFileUnreadable`.

      A [large value](ExternalData.md) is in a file that cannot be read. Or the file has another size than the saved value. Or there is a link, a
      folder or a pipe in its place. Or the row has a text that is not a name that Copal gives to a file; then no file is opened. `found` is the
      reason. Only this attribute cannot be read. `container.backup(to:)` throws this error for the first file that it cannot read.

      **Cause.** Another program has changed the file, its permissions or the row. Or the disk is failing.

      **Cure.** Correct the permissions, or restore the file from a backup. Or set the attribute.

      ## object.undecodable

      > `Pigment.isLightfast of Pigment p1 contains INTEGER that cannot be read as a value of type boolean; another program wrote it; correct the value in the store, or set the attribute`

      In Swift: `PersistenceError.Code.undecodable`.

      A column contains a value of the right storage class that is not a valid value of the attribute's type: a boolean that
      is not 0 or 1, a text that is not a decimal or has extra zeros (`007`, `1.50`), 15 bytes for a UUID, text that is not
      UTF-8, a URI with a space, or a number that is too large for a float. Copal never writes such a value, and a condition
      may not find it.

      **Cause.** Another program wrote it, or the file is damaged. Floats are an exception: a number with more digits than a
      float has is read as the nearest float, and a fetch finds it by that float.

      **Cure.** As for `object.typeMismatch`.

      ## object.absoluteFileURL

      > `Pigment.origin of Pigment p1 is the absolute URL of a file, which is wrong when its folder moves; store it with RelativeURLTransformer where that can happen`

      In Swift: `PersistenceError.Code.absoluteFileURL`.

      A warning, which only `scanForAbsoluteFileURLs(of:progress:)` makes: an attribute of the type `uri` contains the absolute
      URL of a file. The URL is stored, and is read as it is.

      **Cause.** The program has set it. The folders of an app, and of a document, can move. Then the file is at another
      place.

      **Cure.** Give the attribute the type `transformable` and a `RelativeURLTransformer`. If the folder never moves, do
      nothing.

      ## object.wrongValueType

      > `Pigment.price of Pigment p1 has the type Decimal, not String; use the type Decimal`

      In Swift: `PersistenceError.Code.wrongValueType`.

      A value was set or read by the name of an attribute or relationship, with a type that is not the type of it.

      **Cause.** The program called `setValue(_:forKey:)` or `value(of:as:)` with the wrong type.

      **Cure.** Use the type in `expected`. Or use the generated property: the compiler checks its type.

      ## object.outOfRange

      > `Painter.prizes of Painter p1 has the type integer16 (-32768 to 32767), which cannot represent the stored number; use a number in its range, or change the type in the model`

      In Swift: `PersistenceError.Code.outOfRange`.

      A number does not fit the type of the attribute, for example 16 bits.

      **Cause.** The number was set with `setValue(_:forKey:)`, or another program stored it.

      **Cure.** Use a number in the range, or a larger type in the model.

      ## object.idOfAnotherStore

      > `Pigment p1 belongs to another store; use a context of the container that opened that store`

      In Swift: `PersistenceError.Code.idOfAnotherStore`.

      The id belongs to an object of another store.

      **Cause.** The program uses two containers, and has passed the id to the wrong one. Or the store was created again after
      the program had kept the id.

      **Cure.** Use the container that has the `storeIdentifier` of the id.

      # Transformers

      [Transformers.md](Transformers.md) is the guide, and [TransformerReference.md](TransformerReference.md) explains how to write one.

      ## transformer.unregistered

      > `Pigment.color needs the transformer 'InkTransfomer', which is not registered; register it before you open the container, or pass it to the container; registered: InkTransformer, PaintTransformer; did you mean 'InkTransformer'?`

      In Swift: `PersistenceError.Code.transformerUnregistered`.

      The model names a transformer that is not registered. `expected` lists the registered ones, and `suggestion` is the most similar name.
      When several are missing, `container.multipleProblems` has an error for each.

      **Cause.** The transformer is registered after the container is opened, or not at all, or its name is misspelled.

      **Cure.** Register the transformer before you open the container, or pass it to the container. The generated type
      `TransformerNames` has the names.

      ## transformer.duplicate

      > `the transformer name 'InkTransformer' is already used by Paint.InkTransformer; give one of them another name`

      In Swift: `PersistenceError.Code.transformerDuplicate`.

      Another transformer is already registered under this name. It stays registered.

      **Cause.** Types in two modules have the same name. Or two transformers of one type with different parameters have the
      same name. `expected` is the type of the first one.

      **Cure.** Give one of them another name, with the property `name`, with `register(as:)` or with `named(_:)`, and write
      this name in the model.

      ## transformer.wrongClass

      > `Pigment.color has the class Color, but its transformer decodes to Ink; correct the class or the transformer in the model`

      In Swift: `PersistenceError.Code.transformerWrongClass`.

      The `class` of a transformable attribute is not the type that its transformer decodes to. The container checks this for
      generated classes when it is opened.

      **Cause.** The model names the wrong transformer or the wrong class.

      **Cure.** Correct the model.

      ## transformer.wrongStorage

      > `Note.ink has the storage TEXT in the model, but 'SerializableColorTransformer' stores BLOB; correct "storage" in the model, or remove it`

      In Swift: `PersistenceError.Code.transformerWrongStorage`.

      The `storage` of a transformable attribute is not the storage of its transformer. The container checks this when it is opened.

      **Cause.** The model names the wrong transformer, or its `storage` is out of date. The transformer determines the stored
      type; Copal only compares `storage` with it.

      **Cure.** Correct the model, or remove `storage`.

      ## transformer.encodeFailed

      > `Pigment.color of Pigment p1 could not be encoded by the transformer 'InkTransformer'; nothing was written; correct the value or the transformer`

      In Swift: `PersistenceError.Code.encodeFailed`.

      A transformer could not encode a value. Nothing was written. `causes` has the error that the transformer threw.

      **Cause.** The transformer threw an error. Or the value does not have the type that the transformer encodes.

      **Cure.** Correct the value or the transformer.

      ## transformer.decodeFailed

      > `Pigment.color of Pigment p1 could not be decoded by the transformer 'SerializableColorTransformer' from 1 byte; the stored value is kept unchanged; correct the transformer, or set the attribute`

      In Swift: `PersistenceError.Code.decodeFailed`.

      A transformer could not decode a stored value. The stored value is not changed, and the property reads as `nil`. `causes` has the error that the
      transformer threw.

      **Cause.** Another program, a newer version or another transformer wrote the value, or it is damaged.

      **Cure.** Look at the error in `causes`. If you set the attribute, a save overwrites the stored value.

      ## transformer.readOnly

      > `Pigment.color of Pigment p1 cannot be saved, because its transformer 'InkReader' only decodes; nothing was written; do not set it, or implement encode(_:)`

      In Swift: `PersistenceError.Code.transformerReadOnly`.

      An attribute was set, and its transformer only decodes. Nothing was written.

      **Cause.** The transformer is a `ReadOnlyTransformer`, or the adapter of a one-way transformer.

      **Cure.** Do not set the attribute. If the program shall write it, implement `encode(_:)`. `rollback()` or
      `refresh(_:mergeChanges:)` discards the change.

      ## transformer.selfTestFailed

      > `the transformer 'InkTransformer' failed the test of its sample 0; correct the transformer, or its samples`

      In Swift: `PersistenceError.Code.transformerSelfTestFailed`.

      The container did not open, because a transformer could not encode or decode one of its own samples. `causes` has the
      error that it threw.

      **Cause.** The transformer has a defect, or its `samples` have a value that it does not accept.

      **Cure.** Correct the transformer or its `samples`. `try transformer.selfTest()` in a test finds this before the
      program runs.

      ## transformer.notIdempotent

      > `the transformer 'InkTransformer' stores its sample 0 in another form when it was read before; encode the decoded value to the same form`

      In Swift: `PersistenceError.Code.transformerNotIdempotent`.

      The container did not open, because a transformer changes a value again whenever it is stored. Each save would write
      another form.

      **Cause.** `encode(_:)` changes the value, for example its capitalization, and changes the result again when it is
      encoded once more.

      **Cure.** Make `encode(_:)` return the same form for a value and for what `decode(_:)` makes of its stored form.

      ## transformer.notSecure

      > `Pigment.color uses the transformer 'InkTransformer', which is not secure: stored bytes decide which classes it makes objects of; use SecureUnarchiveTransformer with the classes that you allow, or let isSecure return true if it checks the classes itself`

      In Swift: `PersistenceError.Code.transformerNotSecure`.

      A warning, or with `warnings: .fail` an error: the transformer makes objects of whatever class the stored bytes name.
      A manipulated file could make the program create objects that it does not expect.

      **Cause.** The `isSecure` of the transformer is false. A `ValueTransformerAdapter` is not secure unless its
      initializer says so.

      **Cure.** Use `SecureUnarchiveTransformer` with the classes that you allow. If the transformer checks the classes
      itself, let `isSecure` return true.

      ## transformer.readOnlyRequired

      > `Pigment.color must have a value, but its transformer 'InkReader' only decodes, so that no new object of Pigment can be saved; make the attribute optional, or implement encode(_:)`

      In Swift: `PersistenceError.Code.transformerReadOnlyRequired`.

      A warning, or with `warnings: .fail` an error: an attribute must have a value, but its transformer only decodes. So no
      new object can be saved.

      **Cause.** The attribute is not optional in the model, and its transformer is a `ReadOnlyTransformer`.

      **Cure.** Make the attribute optional with a `?` in its type, or implement `encode(_:)`.

      ## transformer.olderVersion

      > `the value was encoded by version 1 of the transformer, and version 3 does not decode it; implement decode(_:version:)`

      In Swift: `PersistenceError.Code.transformerOlderVersion`.

      A stored value of a versioned attribute is older than the transformer. The error is a cause of `transformer.decodeFailed`.

      **Cause.** The version of the transformer was raised, and `decode(_:version:)` is not implemented.

      **Cure.** Implement `decode(_:version:)` for the older versions. The stored value does not change until the attribute is set.

      ## transformer.newerVersion

      > `the value was encoded by version 4 of the transformer, and this program has version 3; update the program`

      In Swift: `PersistenceError.Code.transformerNewerVersion`.

      A stored value of a versioned attribute is newer than the transformer. The error is a cause of `transformer.decodeFailed`.
      The value is kept byte for byte, also when other attributes of the object are saved.

      **Cause.** A newer version of the program has written the value.

      **Cure.** Update the program.

      ## transformer.notVersioned

      > `Pigment.color is versioned, but its transformer 'InkTransformer' has no version; implement version, or remove "versioned" from the model`

      In Swift: `PersistenceError.Code.transformerNotVersioned`.

      The container did not open, because the model says `"versioned": true` and the transformer's `version` is nil.

      **Cause.** The transformer does not implement `version`, or the model names another transformer.

      **Cure.** Implement `version` in the transformer, or remove `versioned` from the model.

      ## transformer.versionNotKept

      > `Pigment.color uses the transformer 'InkTransformer', which has a version, but the store does not keep it, so older values cannot be distinguished from new ones; write "versioned": true in the model`

      In Swift: `PersistenceError.Code.transformerVersionNotKept`.

      A warning, or with `warnings: .fail` an error: the transformer has a version, and the attribute is not versioned.

      **Cause.** `"versioned": true` is missing at the attribute.

      **Cure.** Write it. The next opening adds a column for the version; values that are stored already have none.

      ## transformer.unknownProjection

      > `the model keeps the projection Pigment.color.lightnes, which the transformer 'InkTransformer' does not have; it has: hue, lightness; correct "project" in the model, or add the projection to the transformer; did you mean 'lightness'?`

      In Swift: `PersistenceError.Code.transformerUnknownProjection`.

      The container did not open, because `"project"` of the attribute names something that its transformer does not make.

      **Cause.** The name is misspelled, or the transformer is no `ProjectingTransformer`.

      **Cure.** Correct the name in the model, or add the projection to `projections` of the transformer.

      ## transformer.wrongProjection

      > `the projection Pigment.color.hue has the type "integer" in the model, but the transformer InkTransformer makes "double"; correct the type in "project" of the model`

      In Swift: `PersistenceError.Code.transformerWrongProjection`.

      The container did not open, because the model gives a projection another type than the transformer does.

      **Cause.** The type in `"project"` is not that of the function's results: `Double`, `Int`, `String`, `Bool` or `Date`.

      **Cure.** Write the type that the transformer makes.

      ## transformer.unknownRawValue

      > `the stored raw value is not one of Finish; a newer version of the program may have written it; add the case, or update the program`

      In Swift: `PersistenceError.Code.unknownRawValue`.

      A column has a raw value that the enumeration does not have. The error is a cause of `transformer.decodeFailed`.

      **Cause.** A newer version of the program has another case, or another program wrote the value.

      **Cure.** Add the case, or update the program. The stored value does not change until the attribute is set.

      ## transformer.invalidText

      > `the stored text is not a text of VersionNumber; check whether another transformer wrote it`

      In Swift: `PersistenceError.Code.invalidText`.

      A column has a text from which the type cannot make a value: its `init(_:)` returned nil. The error is a cause of
      `transformer.decodeFailed`.

      **Cause.** Another transformer or another program wrote the text.

      **Cure.** Correct the text in the store, or use the transformer that wrote it.

      ## transformer.collectionForm

      > `the stored property list has a text, but the transformer stores Int64; check whether another transformer wrote it`

      In Swift: `PersistenceError.Code.collectionForm`.

      A stored collection is another kind of property list than its transformer writes, or an element has another form than
      the transformer of the elements stores.

      **Cause.** Another transformer wrote the value, or the transformer of the elements was replaced.

      **Cure.** Use the transformer that wrote the value, or set the attribute.

      ## transformer.encodedElement

      > `the element at index 2 could not be encoded; correct the value or the transformer of the elements`

      In Swift: `PersistenceError.Code.encodedElement`.

      The transformer of the elements could not encode an element of an array, a set or a dictionary. Nothing was written.
      `found` says which element, and `causes` has the error.

      **Cause.** The transformer of the elements threw an error.

      **Cure.** Correct the element or the transformer.

      ## transformer.decodedElement

      > `the element at index 2 could not be decoded; the stored value is kept unchanged; correct the transformer of the elements`

      In Swift: `PersistenceError.Code.decodedElement`.

      The transformer of the elements could not decode an element of a stored array, set or dictionary. `found` says which
      element, and `causes` has the error. The whole collection is then nil.

      **Cause.** The stored element is damaged, or another transformer wrote it.

      **Cure.** Correct the transformer of the elements, or set the attribute.

      ## transformer.equalKeys

      > `two keys of the dictionary have the same text, at index 1 in the order of the keys, so one of their values would be lost; give the keys of Initial different descriptions`

      In Swift: `PersistenceError.Code.equalKeys`.

      Two keys of a dictionary have the same text, so that one of their values would be lost. Nothing was written.

      **Cause.** The `description` of the key's type is not different for different keys.

      **Cure.** Give different keys different descriptions, as `LosslessStringConvertible` demands.

      ## transformer.wrongDirection

      > `the transformer 'InkTransformer' is plugged in backwards: its forward function decodes; write forward: .decodes`

      In Swift: `PersistenceError.Code.wrongDirection`.

      A transformer that was written for Core Data is plugged in with the wrong direction. With samples, the container finds
      this when it opens.

      **Cause.** The forward function of a subclass of `NSSecureUnarchiveFromDataTransformer` decodes; that of another
      `ValueTransformer` encodes.

      **Cure.** Write the direction that the error names in `ValueTransformerAdapter`.

      ## transformer.noResult

      > `the transformer returned nil, but Data is expected; correct its functions`

      In Swift: `PersistenceError.Code.noResult`.

      A function of a transformer that was written for Core Data returned nil, or a value of another type than expected. The
      error is a cause of `transformer.encodeFailed` or `transformer.decodeFailed`.

      **Cause.** Such transformers return nil for every failure. Core Data stores NULL then, and the value is lost.

      **Cure.** Correct the functions of the transformer. A new `AttributeTransformer` can throw an error that says more.

      ## transformer.missingBase

      > `the transformer 'PhotoURLTransformer' has no base now, so that file URLs can be neither read nor saved; give it the URL of the folder first; the stored value is kept unchanged`

      In Swift: `PersistenceError.Code.missingBase`.

      A `RelativeURLTransformer` has to read or to save the URL of a file, and its base is nil. The error is a cause of
      `transformer.decodeFailed` or `transformer.encodeFailed`. URLs of the web need no base. An absolute URL in the store is
      read without one too.

      **Cause.** The program does not know the folder yet, or the function that returns the base returned nil.

      **Cure.** Give the transformer its base before values are read, then read them again with `refresh(_:mergeChanges:)`.

      ## transformer.invalidBase

      > `the base of the transformer 'PhotoURLTransformer' is not the file URL of a folder; make it with URL(filePath:)`

      In Swift: `PersistenceError.Code.invalidBase`.

      The base of a `RelativeURLTransformer` is not the URL of a file, or has an encoded slash. The container checks this when
      it is opened, and the transformer whenever it uses the base.

      **Cause.** The base was made with `URL(string:)` from a path, or is a URL of the web.

      **Cure.** Make the base with `URL(filePath:)`.

      ## transformer.outsideBase

      > `the stored relative URL could lead out of its base, because it has the component '..'; the stored value is kept unchanged; correct it in the store, or set the attribute`

      In Swift: `PersistenceError.Code.outsideBase`.

      A stored relative URL has the component `..`, or begins with a slash or a host. No URL is made of it, so that it leads to no
      file outside the base. The error is a cause of `transformer.decodeFailed`.

      **Cause.** Another program wrote the text, or somebody manipulated the store. The transformer does not write such texts.

      **Cure.** Correct the text in the store, or set the attribute.

      ## transformer.missingScheme

      > `the URL has no scheme, so that it could not be distinguished from a URL relative to the base of 'PhotoURLTransformer'; make file URLs with URL(filePath:)`

      In Swift: `PersistenceError.Code.missingScheme`.

      A URL that a `RelativeURLTransformer` has to save has no scheme. Nothing was written. The error is a cause of
      `transformer.encodeFailed`.

      **Cause.** The URL was made with `URL(string:)` from a path.

      **Cure.** Make the URL with `URL(filePath:)`, or give it a base of its own with `URL(string:relativeTo:)`.

      ## transformer.notANumber

      > `a coordinate or length of the PlanePoint is NaN, which equals no value; set numbers, or nil for no value`

      In Swift: `PersistenceError.Code.transformerNotANumber`.

      A point, a size or a rectangle that is to be saved has NaN in it. Nothing was written. The error is a cause of
      `transformer.encodeFailed`.

      **Cause.** A computation had no result, for example a division of zero by zero.

      **Cure.** Correct the computation, or set nil.

      # Import

      The codes of `ImportProblem`. A problem has the line and the column of the file, and its text, unless the attribute is `"private"`. Nothing is
      imported then: [what an import does](ImportAndExport.md#what-an-import-does).

      ## import.notCSV

      > `the file is no CSV: a field goes on after its closing quotation mark; write "" for a mark inside`

      In Swift: `ImportProblem.Code.notCSV`.

      The text breaks RFC 4180.

      **Cause.** A quotation mark is inside a field without marks around it, or one is not closed.

      **Cure.** Put the field into quotation marks, and double those inside. Choose --delimiter for a file with another character between its fields.

      ## import.notJSON

      > `the file is no JSON: a comma or a closing brace is missing`

      In Swift: `ImportProblem.Code.notJSON`.

      A record, or a line of an export, is no object of JSON.

      **Cause.** A comma or a mark is missing or too much, or a list was given where an object is on each line.

      **Cure.** Correct the place. For one object on each line, name the file .jsonl or choose --format jsonl.

      ## import.notUTF8

      > `the file has bytes that are not UTF-8; save it as UTF-8`

      In Swift: `ImportProblem.Code.notUTF8`.

      The file has another encoding.

      **Cause.** A spreadsheet has saved the file in an encoding of its system.

      **Cure.** Save the file as UTF-8.

      ## import.tooLong

      > `the line has more than 1024 MB`

      In Swift: `ImportProblem.Code.tooLong`.

      A line or a record is too long.

      **Cause.** A quotation mark is not closed, or the file has no lines.

      **Cure.** Look at the start of the record.

      ## import.templateMismatch

      > `the line does not have the form of the template: '[' does not follow {level}`

      In Swift: `ImportProblem.Code.templateMismatch`.

      A line of a log does not have the form of the template.

      **Cause.** The line is of another kind, such as the second line of a message.

      **Cure.** Filter such lines before the import, or change the template.

      ## import.header

      > `the file has no column for what each object needs: name`

      In Swift: `ImportProblem.Code.header`.

      The columns of a file do not fit the entity.

      **Cause.** A column is missing, is there twice, or names a relationship without an attribute of its objects.

      **Cure.** Name the property of the column with --map, such as --map maker=maker.name.

      ## import.unknownProperty

      > `there is no property 'colour'; write --map colour=color, or --map colour= to leave the column out`

      In Swift: `ImportProblem.Code.unknownProperty`.

      A column, or a member of an object, has the name of no property. It is listed once, with the number of its records.

      **Cause.** The file has other names than the model.

      **Cure.** Name the property with --map, or leave the column out.

      ## import.fieldCount

      > `the record has 3 fields, and there must be 4; write --short-records if the last ones may be missing`

      In Swift: `ImportProblem.Code.fieldCount`.

      A record of CSV has another number of fields than the header, or than the names of --no-header.

      **Cause.** A comma inside a field has no quotation marks around it. Or the program that has written the file leaves out fields at the end
      of a record.

      **Cure.** Put the field into quotation marks, or read the file with `--short-records`.

      ## import.wrongValue

      > `'cheap' is no value here; write a decimal such as 12.50`

      In Swift: `ImportProblem.Code.wrongValue`.

      A text is no value of the type of its property.

      **Cause.** The file has another form of numbers or dates.

      **Cure.** Write the value as the message says, or name the form with --date or --decimal-comma.

      ## import.brokenRule

      > `'U' is too short: it has 1 character, and needs 2`

      In Swift: `ImportProblem.Code.brokenRule`.

      A value breaks a rule of the model.

      **Cause.** The rule is a minimum, a maximum, a length, a pattern, or the list of cases.

      **Cure.** Correct the value, or change the rule in the model.

      ## import.required

      > `a value is missing, and the property is required`

      In Swift: `ImportProblem.Code.required`.

      A required property without a default has no value.

      **Cause.** The field is empty, or the member is missing.

      **Cure.** Add the value, or give the property a default in the model.

      ## import.missingObject

      > `there is no object with the value 'Kremer'; import it first`

      In Swift: `ImportProblem.Code.missingObject`.

      A relationship names an object that the store does not have.

      **Cause.** The other objects were not imported yet, or the value is misspelled.

      **Cure.** Import the other entity first.

      ## import.notUnique

      > `another object has the same value 'Ochre'; use --upsert to update it`

      In Swift: `ImportProblem.Code.notUnique`.

      Another object has the same values in a unique constraint: one of the store, or one of the file.

      **Cause.** The file was imported before, or has a record twice.

      **Cure.** Update the objects with --upsert, or remove the record.

      ## import.refused

      > `the store refuses the object`

      In Swift: `ImportProblem.Code.refused`.

      The store refuses a record for a reason that has no other code.

      **Cause.** The message has it.

      **Cure.** Do what the message says.

      ## import.notAnExport

      > `the file is no export of a store: its first line has no "$copal"; name an entity to import records, or import what an export of a store has written`

      In Swift: `ImportProblem.Code.notAnExport`.

      A file without an entity must be an export of a store.

      **Cause.** The file has records.

      **Cure.** Name the entity: copal import STORE ENTITY FILE.

      ## import.newerFormat

      > `the export has the format 2, and this version reads 1; use a newer version`

      In Swift: `ImportProblem.Code.newerFormat`.

      A later version has written the export.

      **Cause.** The format of exports has changed.

      **Cure.** Use that version, or a later one.

      ## import.cutOff

      > `the export is cut off: its last line is missing; export the store again`

      In Swift: `ImportProblem.Code.cutOff`.

      The end of an export is missing.

      **Cause.** The disk was full, or a copy was interrupted.

      **Cure.** Export the store again.

      ## import.otherModel

      > `the store has another model than the export: version 2 of Shop; import into a new store`

      In Swift: `ImportProblem.Code.otherModel`.

      An export can only be imported into a store of the same model.

      **Cause.** The model of the store has changed since.

      **Cure.** Import into a new store, and migrate that.

      ## import.notEmpty

      > `the store has objects already; import into a new store`

      In Swift: `ImportProblem.Code.notEmpty`.

      An export is imported into an empty store only.

      **Cause.** The store has objects, perhaps of an earlier import.

      **Cure.** Import into a new store.

      # Containers

      ## container.layoutDiffers

      > `the generated class of Pigment does not match the model: the model has no entity of this name; generate the classes from this model and build again`

      In Swift: `PersistenceError.Code.layoutDiffers`.

      A generated class does not match the container's model, so its properties would read the wrong values. Or a
      `StoreConfiguration` has opened its store with another model; then `entity` is nil.

      **Cause.** `ModelBinding(_:classesOf:)` received a model that is not the one from which the classes were generated. Or
      two entities have the same class. Or a `StoreConfiguration` that you wrote returned a store with a schema that is not
      the one it received.

      **Cure.** Generate the classes from this model, and build again. Open the store with the schema that the configuration receives.

      ## container.multipleProblems

      > `the container cannot be opened, for 2 reasons`

      In Swift: `PersistenceError.Code.multipleProblems`.

      The container cannot be opened, for several reasons.

      **Cause.** `causes` has an error for each reason: a transformer that is not registered or does not fit its attribute, or a
      generated class that does not match the model. Nothing was written.

      **Cure.** Correct each of the causes. Each code has a heading on this page.

      # Colors

      Errors of `CopalColor` have the type `ColorError`. When a color is read from a store, such an error is in the `causes`
      of `transformer.decodeFailed`.

      ## color.notFinite

      > `the component red of a color is NaN; it must be a finite number`

      In Swift: `ColorError.Code.notFinite`.

      A component is NaN or infinite. `expected` is the name of the component.

      **Cause.** The component comes from a computation, from stored bytes or from a text. Or the result of a conversion
      between color spaces does not fit a `Float`. `init(red:green:blue:)` does not throw this error: it traps with this
      sentence.

      **Cure.** Look for a division by zero in the computation of the component. Copal never stores such a component. It does
      not change the stored bytes.

      ## color.componentCount

      > `a color has 2 or 4 components (white and alpha, or red, green, blue and alpha), but 3 were given`

      In Swift: `ColorError.Code.componentCount`.

      A list of components has neither two numbers (white and alpha) nor four (red, green, blue and alpha).

      **Cause.** Alpha is missing, or the color is not RGB. A CMYK color has five components with alpha.

      **Cure.** Add alpha, or convert the color to RGB first.

      ## color.unknownSpace

      > `the color space 7 is unknown to this version of Copal, so the color cannot be converted; it is kept unchanged; sRGBFallback gives an approximate color`

      In Swift: `ColorError.Code.unknownSpace`.

      A color cannot be converted, or written as hex, because this version does not know its color space. The color is kept
      and stored unchanged.

      **Cause.** A newer program stored it.

      **Cure.** Update the program. Or show `sRGBFallback`, which is an approximate color.

      ## color.unconvertible

      > `the color cannot be converted: its color space is neither sRGB nor Display P3; use a color in sRGB or Display P3`

      In Swift: `ColorError.Code.unconvertible`.

      A color cannot be converted between the platform and Copal. `found` has the reason.

      **Cause.** A color of the platform has no sRGB form: a pattern, for example, has no components. With `strictly`, its color space
      is neither sRGB nor Display P3. Or the platform cannot represent a color of Copal.

      **Cure.** Choose a color in sRGB or Display P3.

      ## color.translucentBackground

      > `the background has the alpha 0.5, so that its contrast depends on what is behind it; use an opaque background`

      In Swift: `ColorError.Code.translucentBackground`.

      `contrast(on:)` was called with a background that is not opaque.

      **Cause.** What is behind a translucent background is not known, so that its luminance is not known either.

      **Cure.** Put the background on an opaque color first, for example with `mixed(with:amount:in:)`, and use the result.

      ## color.hex

      > `invalid hex color: expected a digit 0-9 or A-F, found 'G456' at byte 4; write #RGB, #RGBA, #RRGGBB or #RRGGBBAA`

      In Swift: `ColorError.Code.hex`.

      A text is not `#RGB`, `#RGBA`, `#RRGGBB` or `#RRGGBBAA`. `position` is the number of bytes before the mistake.

      **Cause.** A digit is not hexadecimal, or the number of digits is wrong. White space around the color is allowed in `init(css:)` only.

      **Cure.** Correct the text.

      ## color.css

      > `invalid CSS color: expected a hex color, a function such as rgb() or oklch(), or a named color, found 'ornage' at byte 1; did you mean 'orange'?`

      In Swift: `ColorError.Code.css`.

      A text is not a CSS color that Copal can read: `rgb()`, `rgba()`, `color(srgb …)`, `color(display-p3 …)`,
      hex, or a named color. `position` is the number of bytes before the mistake, `expected` is what is possible there, and `suggestion` the
      most similar name.

      **Cause.** The text is misspelled, or uses another form of CSS.

      **Cure.** Correct the text. Convert `hsl()`, `lab()` and others to one of these forms.

      ## color.noBytes

      > `a color is stored as zero bytes; a missing value is stored as NULL; set the attribute to nil or to a new value`

      In Swift: `ColorError.Code.noBytes`.

      A color or an array of colors is stored as zero bytes. A missing value is stored as NULL, and an empty
      array has 11 bytes.

      **Cause.** Another program wrote the value.

      **Cure.** Correct that program. Set the attribute to nil or to a color.

      ## color.wrongKind

      > `the stored bytes are not a color, but an array of colors; check the transformer of the attribute`

      In Swift: `ColorError.Code.wrongKind`.

      The attribute should contain a color, but the stored bytes are an array of colors, or the other way around. Or they are
      neither.

      **Cause.** The model names the other one of the two transformers, or another transformer wrote the bytes.

      **Cure.** Compare the `transformer` of the attribute in the model with the one that wrote the store.

      ## color.newerVersion

      > `a color is stored in format 2, which this version of Copal cannot read; update Copal`

      In Swift: `ColorError.Code.newerVersion`.

      The stored bytes have a format that this version of Copal cannot read. They are not changed.

      **Cause.** A newer program wrote them.

      **Cure.** Update the program.

      ## color.truncated

      > `the stored bytes end too early: a color has 23 bytes, but 22 are stored; restore the value from a backup`

      In Swift: `ColorError.Code.truncated`.

      The stored bytes end too early.

      **Cause.** The file was damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## color.trailingBytes

      > `there are more stored bytes than expected: a color has 23 bytes, but 24 are stored; restore the value from a backup`

      In Swift: `ColorError.Code.trailingBytes`.

      There are more stored bytes than the value has.

      **Cause.** The file was damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## color.invalidCount

      > `an array of colors has an invalid count of 18446744073709551615, which is more than memory can hold; restore the value from a backup`

      In Swift: `ColorError.Code.invalidCount`.

      The stored count of an array of colors is larger than any memory. Copal did not allocate memory for it.

      **Cause.** The file was damaged, or another program wrote the bytes.

      **Cure.** Restore the value from a backup.

      ## color.notDivisible

      > `colors of 3 bytes each are stored as 16 bytes, which is not divisible by 3; restore the value from a backup`

      In Swift: `ColorError.Code.notDivisible`.

      `RGBColorArrayTransformer` stores three bytes for each color. The number of the stored bytes is not divisible by three.

      **Cause.** The file was damaged, or another program wrote the bytes.

      **Cure.** Restore the value from a backup.

      ## color.needsProfile

      > `the archived color is in device CMYK, whose conversion needs a color profile, which Copal does not apply; store the color in sRGB or Display P3, or read its components as sRGB with profiles: .assumingSRGB`

      In Swift: `ColorError.Code.needsProfile`.

      An archived `NSColor` is in a color space that Copal cannot convert. `found` is the name of the space. The stored bytes are kept.

      **Cause.** The app stored a color in CMYK, or in a space whose ICC profile has look-up tables only, is damaged, or is not in the archive. Copal applies
      profiles with primaries and curves, and does not guess.

      **Cure.** In the app, convert the color with `usingColorSpace(.sRGB)` before it is stored. Or, where an approximate color is
      sufficient, read it with `PlatformColorArchiveTransformer(writing: .nsColor, profiles: .assumingSRGB)`.

      ## color.archivedSpace

      > `the archived color has the color space 7 under NSColorSpace, which this version of Copal cannot read; store the color in sRGB or Display P3`

      In Swift: `ColorError.Code.archivedSpace`.

      An archived `NSColor` has a color space, a color model or an exposure that Copal cannot read. `found` says which.

      **Cause.** A newer system wrote the archive, or it is damaged. Unlike with `color.needsProfile`, it is not known what the components mean.

      **Cure.** In the app, convert the color with `usingColorSpace(.sRGB)` before it is stored.

      ## color.archivedComponents

      > `the components of the archived color are damaged: expected 3 or 4 numbers under NSRGB, found 2; restore the value from a backup`

      In Swift: `ColorError.Code.archivedComponents`.

      An archived color has its components as text, and the text does not have decimal numbers with spaces between them. `expected` has
      their number and the key.

      **Cause.** The bytes were damaged, or another program wrote them, for example with decimal commas.

      **Cure.** Restore the value from a backup, or correct that program.

      ## color.namedOnly

      > `the archived color has only a name (NSColorName), and no components; store a color with components`

      In Swift: `ColorError.Code.namedOnly`.

      An archived color has a name, such as that of a system color, and no components. `found` is the key of the name.

      **Cause.** The color of a name is known to the system that made the archive, and can differ between systems and appearances.

      **Cure.** In the app, convert the color with `usingColorSpace(.sRGB)` or `resolvedColor(with:)` before it is stored.

      ## color.pattern

      > `the archived color is a pattern or an image (NSImage), which has no components; store a color with components`

      In Swift: `ColorError.Code.pattern`.

      An archived color is a pattern. `found` is the class of its image, or the number of the space of patterns.

      **Cause.** The app stored a color that was made with a pattern image. Or the attribute has an image instead of a color.

      **Cure.** Store a color with components.

      # Property lists and archives

      `CopalArchive` throws an `ArchiveError`. It has positions, names of classes and keys, never the values.

      ## archive.notPropertyList

      > `the bytes are neither a binary property list nor XML: they begin with C0 10 01; check which transformer wrote them`

      In Swift: `ArchiveError.Code.notPropertyList`.

      The bytes are not a property list. `found` has the first ones.

      **Cause.** Another transformer wrote the value, or it is not an archive at all.

      **Cure.** Give the attribute the transformer that wrote its values.

      ## archive.truncated

      > `the property list ends too early: the bytes of data at byte 8 are more than there are; restore the value from a backup`

      In Swift: `ArchiveError.Code.truncated`.

      A value of a binary property list has more bytes than the property list.

      **Cause.** The bytes are damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## archive.trailer

      > `the last 32 bytes of the binary property list are damaged: the number of the top value must be below 1, but it is 1; restore the value from a backup`

      In Swift: `ArchiveError.Code.trailer`.

      The trailer of a binary property list says where its values are. It does not fit the other bytes.

      **Cause.** The bytes are damaged, or were cut off.

      **Cure.** Restore the value from a backup.

      ## archive.reference

      > `a collection at byte 8 refers to the value 9, but the property list has 1; restore the value from a backup`

      In Swift: `ArchiveError.Code.reference`.

      A collection has a reference to a value that does not exist.

      **Cause.** The bytes are damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## archive.cycle

      > `the collection at byte 8 contains itself; restore the value from a backup`

      In Swift: `ArchiveError.Code.cycle`.

      A collection of a binary property list contains itself, directly or through others. Reading it would not end.

      **Cause.** The bytes are damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## archive.overlap

      > `the binary property list is damaged: the bytes of the value at byte 78 are those of other values, too; restore the value from a backup`

      In Swift: `ArchiveError.Code.overlap`.

      The texts and data of the binary property list have more bytes than the file: they overlap. `position` is where the value begins.

      **Cause.** The bytes are damaged, or an attack: a few kilobytes could become gigabytes. No program writes such files.

      **Cure.** Restore the value from a backup.

      ## archive.valueKind

      > `the value at byte 8 has the unknown kind 90; restore the value from a backup`

      In Swift: `ArchiveError.Code.valueKind`.

      A value has a kind or a size that property lists do not have. `found` has the kind in hexadecimal digits.

      **Cause.** The bytes are damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## archive.text

      > `the text at byte 8 is not valid UTF-16; restore the value from a backup`

      In Swift: `ArchiveError.Code.text`.

      A text has bytes that its encoding does not allow. Copal does not repair it: the text would be another one.

      **Cause.** The bytes are damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## archive.key

      > `a key of the dictionary at byte 8 is an integer; keys are strings`

      In Swift: `ArchiveError.Code.key`.

      A key of a dictionary is not a string, or the dictionary has it twice.

      **Cause.** Another program wrote the property list.

      **Cure.** Correct that program, or restore the value from a backup.

      ## archive.xml

      > `the XML of the property list is not valid: expected array, data, date, dict, false, integer, real, string or true at byte 60, found <null>`

      In Swift: `ArchiveError.Code.xml`.

      The XML has a mistake, or something that property lists do not have. `position` is the number of bytes before it. A
      document type cannot define entities, because a few of them can expand to gigabytes. The encoding is UTF-8.

      **Cause.** The file was written by hand or by another program.

      **Cure.** Correct the text.

      ## archive.size

      > `the input has 4 bytes, and the limit is 3; if you trust it, set a greater limit: ArchiveLimits(size:)`

      In Swift: `ArchiveError.Code.size`.

      The input has more bytes than `ArchiveLimits.size`. Nothing of it was read.

      **Cause.** The value is larger than expected, or an attack.

      **Cure.** Set a greater limit if you know the origin of the bytes.

      ## archive.count

      > `the property list has more than 2 values; if you trust it, set a greater limit: ArchiveLimits(count:)`

      In Swift: `ArchiveError.Code.count`.

      The property list or the archive has more values than `ArchiveLimits.count`. A value that is shared counts as often as
      it is used, an element of a counted set as often as its count says, and a key counts, too.

      **Cause.** The value is larger than expected, or an attack: a few hundred bytes can describe billions of values.

      **Cure.** Set a greater limit if you know the origin of the bytes.

      ## archive.depth

      > `more than 1 collection is inside another; if you trust the input, set a greater limit: ArchiveLimits(depth:)`

      In Swift: `ArchiveError.Code.depth`.

      More collections or objects are inside each other than `ArchiveLimits.depth`.

      **Cause.** The value is deeper than expected, or an attack.

      **Cure.** Set a greater limit, at most 512, if you know the origin of the bytes.

      ## archive.notKeyedArchive

      > `the property list is not a keyed archive: it is an array without "$archiver": "NSKeyedArchiver"; check which transformer wrote it`

      In Swift: `ArchiveError.Code.notKeyedArchive`.

      The bytes are a property list, but not one that `NSKeyedArchiver` has written.

      **Cause.** Another transformer wrote the value, such as one for property lists.

      **Cure.** Give the attribute the transformer that wrote its values.

      ## archive.version

      > `the keyed archive has the version 2; this version of Copal reads 100000`

      In Swift: `ArchiveError.Code.archiveVersion`.

      The archive has another version than the one that all known systems write.

      **Cause.** The bytes are damaged, or a future system wrote them.

      **Cure.** Restore the value from a backup, or update Copal.

      ## archive.form

      > `the keyed archive is damaged: $objects must be an array that begins with $null; restore the value from a backup`

      In Swift: `ArchiveError.Code.archiveForm`.

      A part of the archive, or an object in it, does not have the form of keyed archives. `object` is its number in
      `$objects`.

      **Cause.** The bytes are damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## archive.missingKey

      > `the keyed archive has nothing under the key 'tint'; it has: root`

      In Swift: `ArchiveError.Code.missingKey`.

      The archive has nothing under the key at the top that was asked for. `found` has its keys.

      **Cause.** Another program chose another key. Nearly all archives have the key `root`.

      **Cure.** Ask for one of the keys that it has.

      ## archive.objectReference

      > `the keyed archive is damaged: the object 1 refers to the object 9, but there are 2; restore the value from a backup`

      In Swift: `ArchiveError.Code.objectReference`.

      An object refers to one that does not exist.

      **Cause.** The bytes are damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## archive.objectCycle

      > `the object 1 of the keyed archive, of the class Tint, contains itself; Copal reads trees without cycles`

      In Swift: `ArchiveError.Code.objectCycle`.

      An object contains itself, directly or through others.

      **Cause.** The program that wrote the archive archived a graph with cycles, such as children with their parents, or
      the bytes are damaged.

      **Cure.** Archive the objects without references back.

      ## archive.classNotAllowed

      > `the keyed archive has an object of the class Tint, which is not allowed; allowed: NSArray, NSColor; if you expect it, add "Tint" to the allowed classes`

      In Swift: `ArchiveError.Code.classNotAllowed`.

      The archive has an object of a class that is not allowed, at the top or inside another one. Nothing of the archive was
      read. `found` is the class, `expected` those that are allowed.

      **Cause.** The value is of another class than expected, or it is inside a collection: an array of colors needs
      `NSArray` and `NSColor`.

      **Cure.** Allow the class if you expect it.

      ## archive.fieldForm

      > `the keyed archive is damaged: the object 1 of the class NSDate must have a number under the key 'NS.time', but has nothing; restore the value from a backup`

      In Swift: `ArchiveError.Code.fieldForm`.

      An object of a class of Foundation does not have the fields of its class. `key` is the field.

      **Cause.** The bytes are damaged, or another program wrote them.

      **Cure.** Restore the value from a backup.

      ## archive.inexpressible

      > `XML cannot express a set; write a binary property list`

      In Swift: `ArchiveError.Code.inexpressible`.

      The form of property lists in XML has no way to write the value: a set, a text with control characters, a date outside
      the years 1 to 9999.

      **Cause.** The value was made for a binary property list.

      **Cure.** Write a binary property list, or change the value.
      """###
  }
#endif
