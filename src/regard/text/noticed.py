"""what is odd in a file -> one line that says how much of it there was, and where it began."""


class Noticed:
    """What was odd in a file, to be said once.

    >>> noticed = Noticed("a.tsv")
    >>> noticed.add("lines without a tab", 3)
    >>> noticed.add("lines without a tab", 8)
    >>> str(noticed)
    'a.tsv: lines without a tab: 2 (the first: line 3)'
    """

    def __init__(self, name: str):
        """For a file of that name."""
        self.name = name
        self._counts: dict[str, int] = {}
        self._first: dict[str, int] = {}

    def add(self, what: str, line: int, count: int = 1) -> None:
        """Something was noticed in a line, counted from 1."""
        self._counts[what] = self._counts.get(what, 0) + count
        self._first.setdefault(what, line)

    def __bool__(self) -> bool:
        return bool(self._counts)

    def __str__(self) -> str:
        parts = [
            f"{what}: {count:,} (the first: line {self._first[what]})"
            for what, count in self._counts.items()
        ]
        return f"{self.name}: {'; '.join(parts)}"
