"""What lauren-compile costs, as ratios to other programs that run beside it: `python3 build.py bench`."""
