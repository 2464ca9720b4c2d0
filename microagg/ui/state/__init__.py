"""What one visit remembers: settings, their address, and results kept while the visit lasts."""
