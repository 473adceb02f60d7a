// The model of this module is Families.model.json: the plugin generates its classes.
