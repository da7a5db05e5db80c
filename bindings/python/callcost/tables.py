"""Tables: structured arrays of numpy in which functions and files are numbers, with the names beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

if TYPE_CHECKING:
    import pandas
    import pyarrow

Names = Callable[[], "np.ndarray[Any, Any]"]
Lookup = Mapping[str, "tuple[str, Names]"]  # a column with names: the field with their rows, and the names


class Table(np.ndarray):  # type: ignore[type-arg]
    """A structured array. Fields with costs have a field per event type: `table["self"]["Ir"]`.

    Fields that are called after functions, files and objects hold rows of `Profile.function_names` and its like.
    `to_pandas()` and `to_arrow()` have names in their place, and columns such as `self_Ir`, as the command's CSV.
    Slices, selections and sorted copies are tables, too.
    """

    _lookup: Lookup

    def __array_finalize__(self, other: Any) -> None:
        self._lookup = getattr(other, "_lookup", {})

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found.view(np.ndarray) if isinstance(key, str) else found  # a field is an array like any other

    def __reduce__(self) -> Any:
        return np.asarray(self).__reduce__()  # without the names: what was a table is an array in another process

    def column(self, name: str) -> np.ndarray[Any, Any]:
        """One column of `columns()`."""
        if name in self._lookup:
            field, names = self._lookup[name]
            return np.asarray(names()[np.asarray(self[field])])
        assert self.dtype.names is not None
        if name in self.dtype.names:
            return np.asarray(self[name])
        field, inner = next(
            (field, name[len(field) + 1 :]) for field in self._nested() if name.startswith(f"{field}_") and name[len(field) + 1 :] in self.dtype[field].names
        )
        return np.asarray(self[field][inner])

    def _nested(self) -> list[str]:
        return [name for name in self.dtype.names or () if self.dtype[name].names is not None]

    def columns(self) -> list[str]:
        """Names of the columns of `to_pandas()` and `to_arrow()`."""
        found = [name for name, (field, _) in self._lookup.items() if field in (self.dtype.names or ())]
        replaced = {field for field, _ in self._lookup.values()}
        for name in self.dtype.names or ():
            inner = self.dtype[name].names
            if inner is not None:
                found += [f"{name}_{event}" for event in inner]
            elif name not in replaced and name not in found:
                found.append(name)
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """As a DataFrame of pandas, which must be installed."""
        import pandas

        return pandas.DataFrame({name: self.column(name) for name in self.columns()})

    def to_arrow(self) -> pyarrow.Table:
        """As a table of Arrow; the package pyarrow must be installed."""
        import pyarrow

        return pyarrow.table({name: pyarrow.array(np.ascontiguousarray(self.column(name))) for name in self.columns()})


def table_of(rows: np.ndarray[Any, Any], fields: Sequence[tuple[str, Any]], lookup: Lookup) -> Table:
    """The bytes as rows with these fields, of which flags take eight bytes each. Nothing is copied."""
    formats = [np.dtype(kind) for _, kind in fields]
    sizes = [8 if kind == np.bool_ else kind.itemsize for kind in formats]
    offsets = [sum(sizes[:i]) for i in range(len(sizes))]
    dtype = np.dtype({"names": [name for name, _ in fields], "formats": formats, "offsets": offsets, "itemsize": sum(sizes)})
    table = rows.view(dtype).view(Table)
    table._lookup = lookup
    return table


def named_table_of(names: Sequence[str], numbers: Table) -> Table:
    """The same rows, with a field `name` before the others."""
    fields = numbers.dtype.names or ()
    table = np.empty(len(names), dtype=[("name", object), *((field, numbers.dtype[field]) for field in fields)])
    table["name"] = names
    for field in fields:
        table[field] = numbers[field]
    return table.view(Table)


def table_of_tuples(rows: Sequence[tuple[Any, ...]], fields: Sequence[tuple[str, Any]]) -> Table:
    return np.array(list(rows), dtype=np.dtype(list(fields))).view(Table)


def inlined_field(has_inlined: bool) -> list[tuple[str, str]]:
    return [("inlined", "?")] if has_inlined else []


def cost_fields(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, "=i8") for name in names]
