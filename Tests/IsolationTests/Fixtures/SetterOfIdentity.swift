// error: is a get-only property
import Copal
import CopalTestSupport

func move(_ pigment: Pigment, _ other: Pigment) { pigment.objectID = other.objectID }
