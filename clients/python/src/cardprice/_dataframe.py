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
    module = import_module(library)
    if library == "polars":
        # A column may be empty in the first rows.
        return module.from_dicts(rows, infer_schema_length=None)
    return module.DataFrame(rows)


def flat(item: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Returns the fields of an item and of the objects in it."""
    fields: dict[str, Any] = {}
    for name, value in item.items():
        if isinstance(value, Mapping):
            fields.update(flat(value, f"{prefix}{name}."))
        else:
            fields[prefix + name] = value
    return fields
