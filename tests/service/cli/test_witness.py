"""The witness notices silence, also if it is started anew for every look."""

from freezegun import freeze_time

from service.cli.witness import quiet_s


def test_the_time_without_growth_is_noted_in_the_folder(tmp_path):
    with freeze_time("2026-11-21 12:00:00") as clock:
        assert quiet_s(tmp_path, 5) == 0
        clock.tick(60)
        assert quiet_s(tmp_path, 5) == 60
        clock.tick(60)
        assert quiet_s(tmp_path, 5) == 120
        assert quiet_s(tmp_path, 6) == 0
        clock.tick(10)
        assert quiet_s(tmp_path, 6) == 10
