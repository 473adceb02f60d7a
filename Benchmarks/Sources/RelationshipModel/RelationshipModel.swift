// SwiftPM wants one source file in a target; the classes come from Relationships.model.json.
