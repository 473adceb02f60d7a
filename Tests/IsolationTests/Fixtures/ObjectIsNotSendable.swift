// error: conformance of 'ManagedObject' to 'Sendable' is unavailable
import Copal
import CopalTestSupport

func requireSendable<T: Sendable>(_ value: T) {}

func send(_ pigment: Pigment) { requireSendable(pigment) }
