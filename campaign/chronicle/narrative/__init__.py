"""The generated text of the chronicle: battle stories, players' stories and pictures, and the book."""
