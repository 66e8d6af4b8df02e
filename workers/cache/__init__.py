"""Results of earlier scans, kept on disk so that unchanged files need no second scan."""
