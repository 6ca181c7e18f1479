"""The page of the Post-Battle Sequence: its contents, forms, answers and history."""
