"""Options of the functions, each declared once: signatures, commands, forms and tables are held to it.

One table per verb. They lie below everything else and load nothing of the rooms whose verbs they describe, so
that the help page of a command does not wait for numeric code.
"""

from motionloom.options.option import Option, Table, check_settings, choose, options_given, options_stated

__all__ = ["Option", "Table", "check_settings", "choose", "options_given", "options_stated"]
