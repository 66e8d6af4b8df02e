"""The command line: options, printing and exit codes. Nothing below it prints or exits."""
