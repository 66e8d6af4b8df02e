"""Scheduling and commands around the scanner library: driver, output, configuration, command line."""
