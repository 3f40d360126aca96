"""The command ``loyd`` as ``python -m loyd``."""

import sys

from loyd import _loyd


def main() -> None:
    """Run the command with the arguments of this process, then exit."""
    sys.exit(_loyd.main(["loyd", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
