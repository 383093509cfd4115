"""Coverage-guided fuzzing of everything that reads files and messages."""
