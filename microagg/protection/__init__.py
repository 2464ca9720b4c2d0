"""The pipeline: partition, refine, replace by centroids, round; microdata and a plan in, a release out."""
