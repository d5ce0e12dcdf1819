"""The choices that `activate` and `use_flapper` name for an effect: checks and lists."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from games.game import Illegal
from games.ke_dnu.components import BOOGEYMAN, CARDS, RATS, TYPE, Kind, Pick, by_value
from games.ke_dnu.model import State, berth, has
from games.ke_dnu.rules.laying import arrival_hosts, check_arrival_host, check_no_host
from games.ke_dnu.rules.ships import band_held, others, reserve

Cards = tuple[str, ...]


class Choice(msgspec.Struct, frozen=True, gc=False):
    """The seat and cards that the player of an effect names."""

    target: int = -1
    cards: Cards = ()
    victims: Cards = ()
    host: str = ""


class Use(msgspec.Struct, frozen=True, gc=False):
    """An effect that a seat would use."""

    seat: int
    card: str
    times: int
    """2 if the effect is doubled, else 1."""

    @property
    def kind(self) -> Kind:
        """Type of the acting card."""
        return CARDS[self.card]


def check_choice(state: State, use: Use, choice: Choice) -> None:
    """Refuse a choice that the effect does not allow."""
    _check_possible(state, use)
    _check_target(state, use, choice.target)
    _check_cards(state, use, choice.cards)
    _check_victims(state, use, choice)
    pick = use.kind.pick
    if pick is not None and pick.to == "place":
        check_arrival_host(state, use.seat, choice.cards, choice.host)
    else:
        check_no_host(choice.host)


def _check_possible(state: State, use: Use) -> None:
    """Refuse an effect that could do nothing."""
    pick = use.kind.pick
    if pick is not None and pick.zone == "hand" and pick.to == "drop" and not state.hand[use.seat]:
        raise Illegal("hand-empty")
    if not _possible(state, use):
        raise Illegal("nothing-to-do")


def _possible(state: State, use: Use) -> bool:
    """Return whether any choice is allowed."""
    kind = use.kind
    if kind.pick is not None and not _eligible(state, use):
        return False
    if kind.reach is None:
        return True
    if kind.reach.zone == "board" and kind.reach.whom in {"any", "one"}:
        return any(_nameable(state, use, seat) for seat in others(state, use.seat))
    if kind.reach.whom in {"each", "target"}:
        return any(_in_reach(state, use, seat) for seat in others(state, use.seat))
    return True


def _eligible(state: State, use: Use) -> list[str]:
    """List the cards that `cards` may name, in zone order."""
    pick = use.kind.pick
    if pick is None:
        return []
    return [card for card in zone_of(state, use.seat, pick) if not _objection(state, use, card)]


def zone_of(state: State, seat: int, pick: Pick) -> list[str]:
    """Return the own zone from which a pick names cards."""
    if pick.zone == "board":
        return [place.card for place in state.board[seat]]
    return state.hand[seat] if pick.zone == "hand" else state.water[seat]


def _objection(state: State, use: Use, card: str) -> str:
    """Return the code that refuses a card of the picked zone, or ""."""
    pick = use.kind.pick
    if pick is None or pick.to == "move":
        return ""
    if pick.to == "place":
        return "cannot-board" if TYPE[card] == RATS else ""
    if pick.to == "ready":
        if card == use.card:
            return "self-target"
        place = berth(state.board[use.seat], card)
        if place is None or not place.exhausted:
            return "not-exhausted"
        if state.options.readied_limit and card in state.readied:
            return "already-readied"
        return ""
    if pick.zone == "hand" and card in state.locked:
        return "card-locked"
    return "band-held" if band_held(state.board[use.seat], card) else ""


def _in_reach(state: State, use: Use, seat: int) -> bool:
    """Return whether an opponent has a card in the zone that the effect hits."""
    reach = use.kind.reach
    if reach is None:
        return False
    if reach.zone == "board":
        return bool(state.board[seat])
    if reach.zone == "hand":
        return bool(state.hand[seat])
    return reserve(state, seat, refills=reach.refills) > 0


def _nameable(state: State, use: Use, seat: int) -> list[str]:
    """List the board cards of an opponent that may be named (KED-50)."""
    board = state.board[seat]
    cards = [place.card for place in board]
    if use.kind.drops:
        return [card for card in cards if not band_held(board, card)]
    return cards


def _check_target(state: State, use: Use, target: int) -> None:
    """Refuse a wrong target."""
    reach = use.kind.reach
    if reach is None or reach.whom != "target":
        if target != -1:
            raise Illegal("bad-target", target=target)
        return
    if target not in others(state, use.seat):
        raise Illegal("bad-target", target=target)
    if not _in_reach(state, use, target):
        raise Illegal("target-empty", target=target)


def _count_range(state: State, use: Use, pick: Pick) -> tuple[int, int]:
    """Return the smallest and largest number of cards that `cards` may name."""
    size = len(zone_of(state, use.seat, pick))
    if pick.any:
        return 1, size
    if pick.count > 1:
        return min(pick.count, size), min(pick.count * use.times, size)
    return 1, use.times


def _check_cards(state: State, use: Use, cards: Sequence[str]) -> None:
    """Refuse wrong own cards."""
    pick = use.kind.pick
    if pick is None:
        if cards:
            raise Illegal("wrong-count", count=len(cards))
        return
    least, most = _count_range(state, use, pick)
    if not least <= len(cards) <= most:
        raise Illegal("wrong-count", count=len(cards), least=least, most=most)
    zone = zone_of(state, use.seat, pick)
    elsewhere = "card-not-on-board" if pick.zone == "board" else f"card-not-in-{pick.zone}"
    for card in cards:
        if card not in zone:
            raise Illegal(elsewhere, card=card)
        if code := _objection(state, use, card):
            raise Illegal(code, card=card)


def _names_hand_cards(state: State, use: Use) -> bool:
    """Return whether hand cards are named instead of drawn at random (KED-66)."""
    reach = use.kind.reach
    return (
        reach is not None
        and reach.zone == "hand"
        and use.seat == state.active
        and has(state.board[use.seat], BOOGEYMAN)
    )


def _check_victims(state: State, use: Use, choice: Choice) -> None:
    """Refuse wrong cards of opponents."""
    reach = use.kind.reach
    if reach is not None and reach.zone == "hand" and _names_hand_cards(state, use):
        good = _named_hands(state, use, choice)
    elif reach is not None and reach.zone == "board" and reach.whom in {"any", "one", "each"}:
        good = _named_boards(state, use, choice.victims)
    else:
        good = not choice.victims
    if not good:
        raise Illegal("bad-victims")
    if use.kind.drops and reach is not None and reach.zone == "board":
        for seat in others(state, use.seat):
            for card in choice.victims:
                if berth(state.board[seat], card) and band_held(state.board[seat], card):
                    raise Illegal("band-protected", card=card)


def _named_hands(state: State, use: Use, choice: Choice) -> bool:
    """Return whether as many hand cards are named as the effect asks for."""
    if use.kind.reach is not None and use.kind.reach.whom == "target":
        hand = state.hand[choice.target]
        return 1 <= len(choice.victims) <= use.times and all(c in hand for c in choice.victims)
    return _evenly(use, choice.victims, [state.hand[seat] for seat in others(state, use.seat)])


def _named_boards(state: State, use: Use, victims: Cards) -> bool:
    """Return whether the named board cards are of the right number and the right seats."""
    boards = [[place.card for place in state.board[seat]] for seat in others(state, use.seat)]
    whom = use.kind.reach.whom if use.kind.reach is not None else "any"
    if whom == "each":
        return _evenly(use, victims, boards)
    if not 1 <= len(victims) <= use.times:
        return False
    owners = [next((at for at, b in enumerate(boards) if card in b), -1) for card in victims]
    return -1 not in owners and (whom == "any" or len(set(owners)) == 1)


def _evenly(use: Use, victims: Cards, zones: list[list[str]]) -> bool:
    """Return whether exactly as many cards of each zone are named as the effect hits."""
    counts = [sum(card in zone for card in victims) for zone in zones]
    return sum(counts) == len(victims) and all(
        count == min(use.times, len(zone)) for count, zone in zip(counts, zones, strict=True)
    )


def choices(state: State, use: Use) -> Iterator[Choice]:
    """List every allowed choice, or representatives of large families."""
    if not _possible(state, use):
        return
    kind = use.kind
    for target in _targets(state, use):
        for victims in _victim_lists(state, use, target):
            for cards in _card_lists(state, use):
                if kind.pick is not None and kind.pick.to == "place":
                    for host in arrival_hosts(state, use.seat, cards):
                        yield Choice(target, cards, victims, host)
                else:
                    yield Choice(target, cards, victims)


def _targets(state: State, use: Use) -> list[int]:
    """List the seats that `target` may name."""
    reach = use.kind.reach
    if reach is None or reach.whom != "target":
        return [-1]
    return [seat for seat in others(state, use.seat) if _in_reach(state, use, seat)]


def _card_lists(state: State, use: Use) -> list[Cards]:
    """List the possible values of `cards`, in zone order."""
    pick = use.kind.pick
    if pick is None:
        return [()]
    cards = _eligible(state, use)
    if pick.any:
        singles: list[Cards] = [(card,) for card in cards]
        return [*singles, tuple(cards)] if len(cards) > 1 else singles
    least, most = _count_range(state, use, pick)
    if pick.count > 1:
        lists = list(combinations(cards, least))
        if most > least:
            lowest = sorted(cards, key=by_value)[:most]
            lists.append(tuple(card for card in cards if card in lowest))
        return lists
    return [some for count in range(least, most + 1) for some in combinations(cards, count)]


def _victim_lists(state: State, use: Use, target: int) -> list[Cards]:
    """List the possible values of `victims`, by seat clockwise."""
    reach = use.kind.reach
    if reach is None:
        return [()]
    opponents = others(state, use.seat)
    if reach.zone == "hand":
        if not _names_hand_cards(state, use):
            return [()]
        if reach.whom == "target":
            return _up_to(state.hand[target], use.times)
        return _spread(use, [state.hand[seat] for seat in opponents])
    if reach.zone == "deck" or reach.whom in {"dearest", "everyone"}:
        return [()]
    boards = [_nameable(state, use, seat) for seat in opponents]
    if reach.whom == "each":
        return _spread(use, boards)
    if reach.whom == "one":
        return [some for board in boards for some in _up_to(board, use.times)]
    return _up_to([card for board in boards for card in board], use.times)


def _up_to(cards: list[str], most: int) -> list[Cards]:
    """List all choices of one to `most` cards."""
    return [some for count in range(1, most + 1) for some in combinations(cards, count)]


def _spread(use: Use, zones: list[list[str]]) -> list[Cards]:
    """List the first combination of each zone, and all that differ from it in one zone."""
    options = [list(combinations(zone, min(use.times, len(zone)))) for zone in zones if zone]
    first = [combos[0] for combos in options]
    lists = [sum(first, ())]
    for at, combos in enumerate(options):
        lists += [sum([*first[:at], combo, *first[at + 1 :]], ()) for combo in combos[1:]]
    return lists
