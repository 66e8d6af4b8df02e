"""The report page: what a run found, as one HTML file that needs nothing else.

:mod:`inputs` reads artifacts, :mod:`document` makes the data of the page of them, :mod:`page` puts data, style and
script into one file. Only :mod:`inputs` and the reader of sources that the command hands over touch the disk.
"""
