// error: has no member 'colorArayTransformer'
import Copal
import CopalTestSupport

let name: TransformerName = AtelierModel.TransformerNames.colorArayTransformer
