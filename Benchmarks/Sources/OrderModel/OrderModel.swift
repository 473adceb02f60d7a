// SwiftPM wants one source file in a target; the classes come from Observed.model.json.
