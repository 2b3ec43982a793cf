"""The invented Marrow Coast League as items."""

from __future__ import annotations

from pathlib import Path

from sample_sources.laureates.statements import Items, when, whole
from sample_sources.turtle import table

HERE = Path(__file__).parent
LEAGUE = "Marrow Coast League"


def add_league(items: Items) -> None:
    """Clubs, players with their contracts, seasons and matches."""
    league = items.add("league", LEAGUE, "invented football league")
    league.says("instance", items["class_league"].term)
    for role in ("goalkeeper", "defender", "midfielder", "forward"):
        items.add(f"role:{role}", role, "position on a football field").says("instance", items["class_role"].term)
    for row in table(HERE / "clubs.tsv"):
        club = items.add(f"club:{row['name']}", row["name"], f"football club of the {LEAGUE}")
        ground = items.add(f"ground:{row['ground']}", row["ground"], f"football ground of {row['name']}")
        ground.says("instance", items["class_ground"].term)
        club.says("instance", items["class_club"].term)
        club.says("league", league.term)
        club.says("venue", ground.term, ("start", when(row["founded"])))
        club.says("inception", when(row["founded"]))
    _players(items)
    _matches(items)


def _players(items: Items) -> None:
    for row in table(HERE / "players.tsv"):
        player = items.add(f"player:{row['name']}", row["name"], f"{row['role']} of the {LEAGUE}")
        player.says("instance", items["human"].term)
        player.says("gender", items["male"].term)
        player.says("occupation", items["footballer"].term)
        player.says("birth", when(row["born"]))
        player.says("playing", items[f"role:{row['role']}"].term)
    for row in table(HERE / "contracts.tsv"):
        qualifiers = [("start", when(row["start"]))]
        qualifiers += [("end", when(row["end"]))] if row["end"] else []
        qualifiers += [(key, whole(row[key])) for key in ("matches", "goals", "fee") if row[key]]
        rank = "Normal" if row["end"] else "Preferred"
        items[f"player:{row['player']}"].says("club", items[f"club:{row['club']}"].term, *qualifiers, rank=rank)


def _matches(items: Items) -> None:
    for row in table(HERE / "matches.tsv"):
        season = items.add(f"season:{row['season']}", f"{row['season']} {LEAGUE}", f"season of the {LEAGUE}")
        if not season.facts:
            season.says("instance", items["class_season"].term)
            season.says("league", items["league"].term)
        name = f"{row['home']} v {row['away']} {row['season']}"
        match = items.add(f"match:{name}", name, f"match of the {LEAGUE}")
        match.says("instance", items["class_match"].term)
        match.says("season", season.term)
        match.says("time", when(row["date"]))
        match.says("attendance", whole(row["attendance"]))
        for side in ("home", "away"):
            match.says("team", items[f"club:{row[side]}"].term, ("goals", whole(row[f"{side}_goals"])))
        ahead = int(row["home_goals"]) - int(row["away_goals"])
        if ahead:
            match.says("winner", items[f"club:{row['home' if ahead > 0 else 'away']}"].term)
