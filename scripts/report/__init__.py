"""The parts of scripts/report.py: numbers of the table, geometry of the player, plots, the page around them."""
