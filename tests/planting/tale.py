"""The tale that is read before the first day: chapters with marks and a counter, in which everything can be reached.

A chapter has two branches that exclude each other, by the lantern or by the rope; the seal is only found on the first,
and only there does anybody come to a nerve of two.
"""

from __future__ import annotations

from tests.planting.parts import Group, Option, Passage
from tests.planting.setting import Setting

_TITLES = (
    "The Gate House",
    "The Drowned Stair",
    "The Bell of Halmar",
    "The Salt Road",
    "The Glass Orchard",
    "The Winter Court",
    "The Ferryman",
    "The Last Lamp",
)
_FINDS = (("lantern", "rope"), ("torch", "ladder"), ("mirror", "hook"), ("candle", "plank"))


def chapter(s: Setting, number: int, last: bool) -> Group:
    name = f"tale_{number}"
    light, climb = s.random.choice(_FINDS)
    lit, roped, seal, nerve = (f"{name}_{word}" for word in (light, climb, "seal", "nerve"))
    gate, hall, crypt, tower, bridge, court, after = (
        f"{name}_{word}" for word in ("gate", "hall", "crypt", "tower", "bridge", "court", "after")
    )
    onward = "ending" if last else f"go to tale_{number + 1}_gate"
    passages = (
        Passage(
            gate,
            "Two things lie in the grass, and you can carry one.",
            (
                Option(f"Take the {light}", (f"{lit} becomes yes", f"go to {hall}")),
                Option(f"Take the {climb}", (f"{roped} becomes yes", f"go to {hall}")),
            ),
        ),
        Passage(
            hall,
            "A hall without a floor, under a hole in the roof.",
            (
                Option("Go down into the dark", (f"go to {crypt}",), (lit,)),
                Option("Climb up to the light", (f"go to {tower}",), (roped,)),
            ),
        ),
        Passage(
            crypt,
            "The walls are covered with writing.",
            (
                Option("Read it", (f"{seal} becomes yes", f"{nerve} increases by 1", f"go to {bridge}")),
                Option("Hurry on", (f"go to {bridge}",)),
            ),
            body=(f"{nerve} becomes 1",),
        ),
        Passage(
            tower,
            "From here you see the whole coast.",
            (Option("Come down on the other side", (f"go to {bridge}",)),),
            body=(f"{nerve} becomes 1",),
        ),
        Passage(
            bridge,
            "A bridge, and somebody who asks what you want.",
            (
                Option("Show the seal", (f"go to {court}",), (seal,)),
                Option(f"Cross below, with the {climb}", (f"go to {court}",), (roped,)),
                Option("Turn round", (f"go to {after}",)),
            ),
        ),
        Passage(
            court,
            "They have waited for you.",
            (
                Option("Speak up", (f'{onward} "You are heard."' if last else onward,), (f"{nerve} is 2",)),
                Option("Bow and leave", (f"go to {after}",)),
            ),
        ),
        Passage(after, "Nobody will believe this.", body=(f'{onward} "You go home."' if last else onward,)),
    )
    return Group(
        name,
        "tale",
        title=_TITLES[(number - 1) % len(_TITLES)],
        state=(f"{lit} yes/no", f"{roped} yes/no", f"{seal} yes/no", f"{nerve} 0..2"),
        passages=passages,
    )
