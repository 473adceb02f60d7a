// The model of this module is Search.model.json: the plugin generates its classes.
