"""Values that are found when somebody asks: once, by whichever thread, and kept with copies and pickles."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Barrier
from time import sleep

import pytest

from motionloom.motion import Clip, Source
from motionloom.motion.deferred import Deferred, DeferredNotes, find_once
from motionloom.motion.provenance import OWN_SOURCE
from motionloom.synthesis import stand, walk

calls: list[object] = []


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    calls.clear()


def count_frames(clip: Clip, factor: int = 1) -> int:
    calls.append(clip)
    return clip.n_frames * factor


def find_sentences(*sentences: str) -> list[str]:
    calls.append(sentences)
    return list(sentences)


def test_a_value_is_found_once_by_threads_that_ask_together() -> None:
    barrier = Barrier(4)

    def find() -> object:
        sleep(0.02)
        return object()

    def ask(_: int) -> object:
        barrier.wait()
        return value.get()

    value = Deferred(find)
    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(ask, range(4)))) == 1


def test_what_fails_is_tried_again() -> None:
    divisors = iter([0, 1])
    value = Deferred(lambda: 7 // next(divisors))
    with pytest.raises(ZeroDivisionError):
        value.get()
    assert not value.is_found
    assert value.get() == 7


def test_what_was_needed_to_find_a_value_is_let_go() -> None:
    value = Deferred(partial(count_frames, walk(duration=0.5).clip))
    value.get()
    assert "_find" in vars(value)
    assert vars(value)["_find"] is None


def test_each_choice_of_options_is_found_once_per_clip() -> None:
    clip = stand(duration=1.0, fps=30).clip
    answers = [find_once(clip, count_frames), find_once(clip, count_frames), find_once(clip, count_frames, 2)]
    assert answers == [31, 31, 62]
    assert calls == [clip, clip]


def test_copies_with_another_source_have_the_same_answers() -> None:
    clip = stand(duration=1.0, fps=30).clip
    before = clip.with_source(Source(path="a.bvh"), OWN_SOURCE)
    positions = before.world_positions()
    assert clip.world_positions() is positions
    assert before.with_source(Source(), OWN_SOURCE).world_positions() is positions


def test_other_motion_has_answers_of_its_own() -> None:
    clip = stand(duration=1.0, fps=30).clip
    find_once(clip, count_frames)
    assert find_once(clip[:5], count_frames) == 5
    assert find_once(replace(clip, cyclic=True), count_frames) == 31
    assert len(calls) == 3


def test_a_pickled_clip_brings_what_was_found() -> None:
    clip = stand(duration=1.0, fps=30).clip
    find_once(clip, count_frames)
    again = pickle.loads(pickle.dumps(clip))
    assert find_once(again, count_frames) == 31
    assert calls == [clip]


def test_notes_are_read_like_a_tuple() -> None:
    first = ("first",)
    notes = first + DeferredNotes(partial(find_sentences, "second")) + ("third",)
    assert notes.known == ("first", "third")
    assert not notes.are_found
    assert calls == []
    assert list(notes) == ["first", "second", "third"]
    assert (len(notes), notes[1], notes[1:], "second" in notes) == (3, "second", ("second", "third"), True)
    assert notes == ("first", "second", "third")
    assert tuple(notes) == notes
    assert notes != ("first",)
    assert (repr(notes), hash(notes)) == (repr(tuple(notes)), hash(tuple(notes)))
    assert notes.known == tuple(notes)
    assert calls == [("second",)]


def test_sources_pass_unread_notes_on() -> None:
    source = Source(path="a.bvh", notes=("first",)).noting("second", find=partial(find_sentences, "third"))
    later = replace(source, path="b.bvh").noting("fourth")
    assert calls == []
    assert later.notes == ("first", "second", "third", "fourth")
    assert source.notes == ("first", "second", "third")
    assert len(calls) == 1


@pytest.mark.parametrize("is_read", [False, True])
def test_notes_survive_pickling(is_read: bool) -> None:
    notes = DeferredNotes(partial(find_sentences, "first"))
    if is_read:
        list(notes)
    again = pickle.loads(pickle.dumps(notes))
    assert again.are_found == is_read
    assert again == ("first",)
