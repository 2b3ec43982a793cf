"""The registered sources: what is there, what is usable, and why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from threading import Lock

from core.errors import SourceUnavailable, UnknownSource
from core.results import Language, SourceCard, Status
from core.sources.base import Source


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """Whether a source can be asked; `reason` is empty when it is ready with all its data."""

    status: Status
    reason: str = ""


class Catalog:
    """Registered sources by id; a source connects when it is first used."""

    def __init__(
        self,
        entries: Iterable[tuple[SourceCard, Callable[[], Source]]],
        broken: Iterable[tuple[SourceCard, SourceStatus]] = (),
        summarise: Callable[[SourceCard], str] = lambda card: "",
    ) -> None:
        self._factories = {card.id: (card, make) for card, make in entries}
        self._broken = {card.id: (card, status) for card, status in broken}
        self._summarise = summarise
        self._sources: dict[str, Source] = {}
        self._lock = Lock()

    def __iter__(self) -> Iterator[SourceCard]:
        for card, _ in self._factories.values():
            yield replace(card, summary=card.summary or self._summarise(card))

    def __len__(self) -> int:
        return len(self._factories)

    def __contains__(self, source_id: object) -> bool:
        return source_id in self._factories

    def cards(self) -> tuple[SourceCard, ...]:
        """Cards of the sources that may be asked."""
        return tuple(self)

    def all_cards(self) -> tuple[SourceCard, ...]:
        """Cards of every registered source, disabled and broken ones too."""
        return (*self, *(card for card, _ in self._broken.values()))

    def __getitem__(self, source_id: str) -> Source:
        """The source, made on first use.

        Raises:
            UnknownSource: Nothing is registered under this id.
            SourceUnavailable: It is registered but disabled or broken.
        """
        if source_id in self._broken:
            raise SourceUnavailable(self._broken[source_id][1].reason)
        if source_id not in self._factories:
            raise UnknownSource(source_id, [card.id for card in self.all_cards()])
        with self._lock:
            if source_id not in self._sources:
                self._sources[source_id] = self._factories[source_id][1]()
            return self._sources[source_id]

    def only(self, *, ids: Iterable[str] | None = None, language: Language | None = None) -> Catalog:
        """The same catalog with only the named sources, or those of one language.

        Raises:
            UnknownSource: An id is not registered.
        """
        kept = Catalog([], summarise=self._summarise)
        wanted = None if ids is None else list(dict.fromkeys(ids))
        for source_id in wanted or ():
            if source_id not in self._factories and source_id not in self._broken:
                raise UnknownSource(source_id, [card.id for card in self.all_cards()])

        def fits(card: SourceCard) -> bool:
            return (wanted is None or card.id in wanted) and (language is None or card.language == language)

        kept._factories = {i: (c, self._maker(i)) for i, (c, _) in self._factories.items() if fits(c)}
        kept._broken = {i: (c, s) for i, (c, s) in self._broken.items() if fits(c)}
        return kept

    def _maker(self, source_id: str) -> Callable[[], Source]:
        return lambda: self[source_id]

    def status(self, source_id: str) -> SourceStatus:
        """Reach the source and tell whether it can be asked; never raises for a registered id."""
        if source_id in self._broken:
            return self._broken[source_id][1]
        try:
            remark = self[source_id].check()
        except SourceUnavailable as error:
            return SourceStatus(Status.ERROR, error.message)
        return SourceStatus(Status.READY, remark or "")

    def close(self) -> None:
        """Close every source that was opened."""
        with self._lock:
            for source in self._sources.values():
                source.close()
            self._sources.clear()
