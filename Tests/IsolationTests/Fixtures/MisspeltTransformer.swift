// error: has no member 'colourArrayTransformer'
import Copal
import CopalTestSupport

let name: TransformerName = AtelierModel.TransformerNames.colourArrayTransformer
