"""Every headline claim of the papers beside what is measured here."""
