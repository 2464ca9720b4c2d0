"""From a release to what leaves the house: the file, its verification, the report, the script."""
