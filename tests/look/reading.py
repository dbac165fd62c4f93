"""What a page shows, as texts."""

from typing import Any


def status(page: Any, figure: str) -> str:
    """The line under a figure."""
    return page.locator(f"#{figure} .status-line").inner_text()


def rows(page: Any, within: str) -> list[list[str]]:
    """The texts of a table's body, whether or not it is unfolded."""
    return page.locator(f"{within} table").first.evaluate(
        "table => [...table.tBodies[0].rows].map(row => [...row.cells].map("
        "cell => cell.textContent.trim()))"
    )
