"""All laws that every game obeys, for `from games.testing.suite import *` in a test module.

They take the fixtures `game` (a `Game`) and `laws` (its `Laws`).
"""

from games.testing.command_laws import (
    test_a_waiting_seat_has_legal_commands_and_a_clock,
    test_every_table_ends_within_its_limit,
    test_legal_is_exactly_what_decide_accepts,
    test_perft_counts_pin_legal,
    test_the_default_ends_every_match,
    test_what_standing_orders_answer_is_legal,
)
from games.testing.fold_laws import (
    test_a_state_refolded_from_bytes_is_byte_equal,
    test_commands_redecide_to_the_same_bytes,
    test_components_are_conserved_at_every_event,
    test_only_apply_changes_a_state,
)
from games.testing.player_laws import (
    test_a_blueprint_knows_only_its_seat,
    test_bots_choose_legal_commands,
    test_sampled_worlds_fit_what_was_seen,
)
from games.testing.secrecy_laws import (
    test_a_reason_tells_no_more_than_the_move,
    test_an_event_is_withheld_only_if_its_type_may_be,
    test_an_undo_class_agrees_with_what_was_revealed,
    test_the_laws_know_what_is_hidden,
    test_twin_histories_look_alike,
    test_viewers_with_one_key_have_one_view,
    test_what_is_hidden_cant_be_told_from_what_is_seen,
)

__all__ = (
    "test_a_blueprint_knows_only_its_seat",
    "test_a_reason_tells_no_more_than_the_move",
    "test_a_state_refolded_from_bytes_is_byte_equal",
    "test_a_waiting_seat_has_legal_commands_and_a_clock",
    "test_an_event_is_withheld_only_if_its_type_may_be",
    "test_an_undo_class_agrees_with_what_was_revealed",
    "test_bots_choose_legal_commands",
    "test_commands_redecide_to_the_same_bytes",
    "test_components_are_conserved_at_every_event",
    "test_every_table_ends_within_its_limit",
    "test_legal_is_exactly_what_decide_accepts",
    "test_only_apply_changes_a_state",
    "test_perft_counts_pin_legal",
    "test_sampled_worlds_fit_what_was_seen",
    "test_the_default_ends_every_match",
    "test_the_laws_know_what_is_hidden",
    "test_twin_histories_look_alike",
    "test_viewers_with_one_key_have_one_view",
    "test_what_is_hidden_cant_be_told_from_what_is_seen",
    "test_what_standing_orders_answer_is_legal",
)
