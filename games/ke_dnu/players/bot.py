"""The heuristic bot.

It plans how to spend its hand, uses actions that gain, and answers hits that cost much.
"""

from collections.abc import Callable, Sequence

from games.chance import Chance
from games.game import Seen
from games.ke_dnu import commands
from games.ke_dnu.commands import Command
from games.ke_dnu.components import CARDS, VALUE, by_value
from games.ke_dnu.model import ActionFrame, PlayFrame, ReactionFrame, View
from games.ke_dnu.players.outlook import Outlook, action_gain, hit_loss
from games.ke_dnu.players.plan import next_step, spare_points


def heuristic(view: View, seen: Seen, legal: Sequence[Command], chance: Chance) -> Command:
    """Choose a command by rules of thumb; `seen` and `chance` are not needed."""
    return choose(Outlook(view, seen.seat, seen.options), legal)


def choose(outlook: Outlook, legal: Sequence[Command]) -> Command:
    """Choose a command by the weights of the outlook."""
    if outlook.view.stack:
        return _answer(outlook, legal)
    return _turn(outlook, legal)


def _best(
    legal: Sequence[Command], score: Callable[[Command], float], least: float
) -> Command | None:
    """Return the command with the highest score above `least`, or None."""
    top: Command | None = None
    for command in legal:
        if (points := score(command)) > least:
            top, least = command, points
    return top


def _turn(outlook: Outlook, legal: Sequence[Command]) -> Command:
    """Choose a command of the own turn."""
    step = outlook.view.step
    if step == "draw":
        return _draw(outlook, legal)
    if step == "limit":
        downs = [c for c in legal if isinstance(c, commands.DiscardDown)]
        return min(downs, key=lambda c: by_value(c.card))
    acts = [c for c in legal if isinstance(c, commands.Activate)]
    action = _best(acts, lambda c: action_gain(outlook, c), outlook.weights.acting)
    return action or next_step(outlook, legal) or commands.EndTurn()


def _draw(outlook: Outlook, legal: Sequence[Command]) -> Command:
    """Choose a command of the draw step: Maid in the Sinking, Tycoon, then the own draw."""
    maids = [c for c in legal if isinstance(c, commands.Maid)]
    if maids and outlook.sinking and len(outlook.hand) > 2:
        return min(maids, key=lambda c: by_value(c.card))
    tycoons = [c for c in legal if isinstance(c, commands.Tycoon)]
    if tycoons:
        return min(tycoons, key=lambda c: outlook.view.seats[c.target].deck_count)
    return commands.Draw()


def _answer(outlook: Outlook, legal: Sequence[Command]) -> Command:
    """Choose an answer to the top frame."""
    frame = outlook.view.stack[-1]
    first = legal[0]
    if isinstance(first, commands.PlaceStory):
        return _place_story(outlook, legal)
    if isinstance(first, commands.ChooseCard):
        chosen = [c for c in legal if isinstance(c, commands.ChooseCard)]
        return min(chosen, key=lambda c: by_value(c.card))
    uses = [c for c in legal if isinstance(c, commands.UseFlapper)]
    claims = [c for c in legal if isinstance(c, commands.Claim)]
    reactions = [c for c in legal if isinstance(c, commands.React)]
    command = (
        _best(uses, lambda c: action_gain(outlook, c), 0.0)
        or _best(claims, lambda c: claim_gain(outlook, c), outlook.weights.acting)
        or _react(outlook, frame, reactions)
    )
    return command or commands.Pass()


def _place_story(outlook: Outlook, legal: Sequence[Command]) -> Command:
    """Place a free card on the board unless it is worth less than 2."""
    boards = [c for c in legal if isinstance(c, commands.PlaceStory) and c.where == "board"]
    frame = outlook.view.stack[-1]
    card = getattr(frame, "card", "")
    if boards and VALUE[card] >= 2:
        return boards[0]
    return commands.PlaceStory("deck")


def claim_gain(outlook: Outlook, command: Command) -> float:
    """Estimate the gain of a claim after its payment."""
    if not isinstance(command, commands.Claim):
        return 0.0
    return VALUE[command.card] - sum(spare_points(outlook, card) for card in command.pay)


def _react(outlook: Outlook, frame: object, reactions: Sequence[commands.React]) -> Command | None:
    """Choose a reaction if the hit or the card is worth it, else None."""
    by_reaction = {CARDS[c.card].reaction: c for c in reversed(reactions)}
    if isinstance(frame, PlayFrame):
        return (
            by_reaction.get("block_play") if VALUE[frame.card] >= outlook.weights.blocking else None
        )
    if isinstance(frame, ReactionFrame):
        below = outlook.view.stack[-2]
        mine = (
            isinstance(below, ActionFrame) and hit_loss(outlook, below) > outlook.weights.answering
        )
        return None if mine else by_reaction.get("block_action")
    if not isinstance(frame, ActionFrame):
        return None
    loss = hit_loss(outlook, frame)
    steward = _steward_choice(outlook, frame, reactions)
    if steward is not None:
        return steward
    if loss >= outlook.weights.answering and "shield" in by_reaction:
        return by_reaction["shield"]
    if loss >= outlook.weights.answering or VALUE[frame.card] >= outlook.weights.guarding:
        return by_reaction.get("block_action")
    return None


def _steward_choice(
    outlook: Outlook, frame: ActionFrame, reactions: Sequence[commands.React]
) -> Command | None:
    """Choose the cheapest cards to be hit if that saves at least 2, else None."""
    picks = [c for c in reactions if c.cards]
    if not picks:
        return None
    cheapest = min(picks, key=lambda c: sum(VALUE[card] for card in c.cards))
    saved = hit_loss(outlook, frame) - sum(VALUE[card] for card in cheapest.cards)
    return cheapest if saved >= 2 else None
