// The model of this module is External.model.json: the plugin generates its classes.
