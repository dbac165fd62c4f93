"""python -m regard: argv -> exit code."""

import sys

from regard.commands import run


def main() -> None:
    """The program `regard`."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
