"""The nouns: microdata, plan, partition, release, roles, findings. They know nothing of the rooms above."""
