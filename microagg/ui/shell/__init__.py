"""What stands around every page: the frame, the choice of data, uploads, the log."""
