"""What all scripts share: their command line and exit statuses, and files that are written whole or not at all."""
