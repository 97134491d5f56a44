"""Tables for pandas and polars."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Literal


def to_dataframe(
    items: Iterable[Mapping[str, Any]], library: Literal["pandas", "polars"] = "pandas"
) -> Any:
    """Returns items as a table with a row for each, and a column for each field.

    A field inside of another has both names: ``prices.market``. Lists stay lists.
    """
    rows = [flat(item) for item in items]
    # By columns, because polars would guess types from the first rows.
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: alike([row.get(name) for row in rows]) for name in names}
    return import_module(library).DataFrame(columns)


def flat(item: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Returns the fields of an item and of the objects in it."""
    fields: dict[str, Any] = {}
    for name, value in item.items():
        if isinstance(value, Mapping):
            fields.update(flat(value, f"{prefix}{name}."))
        else:
            fields[prefix + name] = value
    return fields


def alike(values: list[Any]) -> list[Any]:
    """Writes whole numbers as the others of their column: JSON has 13 and 12.5, polars one type."""
    if not any(isinstance(value, float) for value in values):
        return values
    return [float(value) if type(value) is int else value for value in values]
