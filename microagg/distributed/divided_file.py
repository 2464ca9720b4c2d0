"""A file in parts: its chunks, what the plan means for it, what was counted, and where its records go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from microagg.model.microdata import row_names
from microagg.protection.protect import index_note

if TYPE_CHECKING:
    from microagg.distributed.chunks import Chunks
    from microagg.distributed.file_statistics import Facts
    from microagg.distributed.layout import Layout
    from microagg.distributed.outline import Outline
    from microagg.distributed.ranks import Ranks
    from microagg.model.plan import Plan


@dataclass(frozen=True, eq=False)
class DividedFile:
    """A file that no machine holds, with all that its chunks were asked before they are protected.

    Parameters
    ----------
    chunks : Chunks
    outline : Outline
    facts : Facts
        Of the records that are released.
    layouts : tuple of Layout
        The parts of each block.
    ranks : Ranks
    """

    chunks: Chunks
    outline: Outline
    facts: Facts
    layouts: tuple[Layout, ...]
    ranks: Ranks

    @property
    def plan(self) -> Plan:
        """What made it, with every role spelled out."""
        return self.outline.plan

    @property
    def blocks(self) -> tuple[tuple[str, ...], ...]:
        """The protected attributes, one tuple a block."""
        return self.outline.blocks

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader of the release should know, one sentence each."""
        index = index_note(row_names(self.chunks.frame._meta))
        return (*self.outline.notes, *self.layouts[0].cells.notes, *index)

    @property
    def confidential(self) -> tuple[str, ...]:
        """The confidential numbers of which no released value is missing."""
        gaps = self.facts.gaps[len(self.outline.columns) :]
        return tuple(
            name for name, missing in zip(self.outline.confidential, gaps, strict=False) if not missing
        )

    @property
    def columns_untouched(self) -> tuple[str, ...]:
        """The columns that are released as they are, in the file's order."""
        away = {*self.outline.columns, *self.outline.identifiers}
        return tuple(a.name for a in self.outline.attributes if a.name not in away)

    @property
    def columns_dropped(self) -> tuple[str, ...]:
        """The columns that are not released, in the file's order."""
        return self.outline.identifiers

    @property
    def parts(self) -> tuple[int, ...]:
        """Number of parts of each block."""
        return tuple(len(layout.sizes) for layout in self.layouts)
