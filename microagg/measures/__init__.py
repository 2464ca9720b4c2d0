"""What is lost and what is still disclosed: float matrices in, small immutable results out."""
