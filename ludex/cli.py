"""The command line. `--help` and `--version` answer without loading anything; each command loads what it needs."""

from __future__ import annotations

import sys

USAGE = """\
usage: ludex COMMAND ...

Write the rules of a tabletop game as text; check them.

  ludex check BOOK       read a rulebook, check its names and types, show what is wrong
  ludex fmt PATH...      rewrite rulebooks in the one canonical form
  ludex coverage BOOK    what share of each document is encoded, section by section
  ludex explain CODE     what a diagnostic means, with an example
  ludex new NAME         start a small rulebook of your own

BOOK is a file, a folder of *.rules files, or the name of a rulebook that comes with Ludex.
`ludex COMMAND --help` tells more. Exit status: 0 clean, 1 problems in the rulebook, 2 bad usage or our fault.
"""

COMMANDS = ("check", "coverage", "explain", "fmt", "new")


def main(argv: list[str] | None = None) -> int:
    args = sys.argv[1:] if argv is None else argv
    if not args or args[0] in ("-h", "--help"):
        sys.stdout.write(USAGE)
        return 0 if args else 2
    if args[0] == "--version":
        from ludex import __version__  # noqa: PLC0415

        print(f"ludex {__version__}")
        return 0
    from ludex.commands import run  # noqa: PLC0415  (see the docstring)

    return run(args)


if __name__ == "__main__":
    sys.exit(main())
