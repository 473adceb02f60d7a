// error: cannot assign value of type 'String' to type 'Decimal'
import Copal
import CopalTestSupport

func set(_ pigment: Pigment) { pigment.price = "12.50" }
