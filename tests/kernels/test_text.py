from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom import kernels
from motionloom.arrays import FloatArray


def parsed(text: bytes, n_columns: int = 1) -> tuple[FloatArray, dict[int, bytes], int, int]:
    """Numbers, the words left to the caller by index, and the places of uneven line ends and of no number."""
    data = np.frombuffer(text, dtype=np.uint8)
    out, hard = np.full(len(text) // 2 + 1, np.nan), np.zeros((len(text) // 2 + 1, 3), dtype=np.int64)
    found = np.array([0, 0, 0, -1, -1])
    kernels.text.parse_numbers(data, len(data), n_columns, 1.8e308, out, hard, found)
    _, count, n_hard, uneven, bad = found.tolist()
    return out[:count], {i: text[a:b] for i, a, b in hard[:n_hard].tolist()}, uneven, bad


def test_numbers_by_hand() -> None:
    numbers, hard, uneven, bad = parsed(b" 1 -2.5\t+3e2\n.5 5. -0 1E-3\n", 1)
    assert numbers.tolist() == [1, -2.5, 300, 0.5, 5, 0, 0.001]
    assert np.signbit(numbers[5])
    assert (hard, uneven, bad) == ({}, -1, -1)


def test_all_six_blanks_separate_numbers() -> None:
    assert parsed(b"1 2\t3\n4\v5\f6\r7")[0].tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_numbers_beyond_the_largest_stop_the_reading() -> None:
    data, out, hard = (
        np.frombuffer(b"1 -1000 1001 2", dtype=np.uint8),
        np.empty(8),
        np.empty((8, 3), np.int64),
    )
    found = np.array([0, 0, 0, -1, -1])
    kernels.text.parse_numbers(data, len(data), 1, 1000.0, out, hard, found)
    assert out[: found[1]].tolist() == [1, -1000]
    assert found[4] == 8


def test_reading_goes_on_after_hard_numbers_have_been_settled() -> None:
    text = b"1e-99 2 3e-99\n4e-99 5 6\n"
    data, out, hard = np.frombuffer(text, dtype=np.uint8), np.zeros(20), np.empty((1, 3), np.int64)
    found, places = np.array([0, 0, 0, -1, -1]), []
    while found[0] < len(text):
        kernels.text.parse_numbers(data, len(data), 3, 1e9, out, hard, found)
        places += hard[: found[2], 0].tolist()
    assert places == [0, 2, 3]
    assert out[: found[1]].tolist() == [0, 2, 0, 0, 5, 6]
    assert found[3:].tolist() == [-1, -1]


def test_uneven_line_ends_are_found() -> None:
    assert parsed(b"1 2 3\n4 5\n6\n", 3)[2] == 9
    assert parsed(b"1 2 3\n\n4 5 6\n", 3)[2] == -1


@pytest.mark.parametrize(
    "word",
    [
        b"x",
        b"-",
        b".",
        b"+.",
        b"1e",
        b"1e+",
        b"1.2.3",
        b"1-2",
        b"0x10",
        b"nan",
        b"1,5",
        b"--1",
        b"1e5.0",
        b"e5",
        b"\x00",
        b"1\x00",
        b"4\x1c5",
        b"\x7f",
        b"1\xa0",
    ],
)
def test_words_that_are_no_numbers_stop_the_reading(word: bytes) -> None:
    numbers, _, _, bad = parsed(b"7 " + word + b" 8")
    assert numbers.tolist() == [7]
    assert bad == 2


@pytest.mark.parametrize(
    "word",
    [
        "9007199254740993",
        "9007199254740992.5",
        "4503599627370497.5",
        "0.3000000000000000166",
        "1e22",
        "1e-22",
        "1e23",
        "123456789012345678",
        "0.1234567890123456789",
        "9999999999999999999",
        "00000000000000000000000000012.5",
        "2.2250738585072011e-308",
        "5e-324",
        "1.7976931348623157e308",
        "0.000000000000000000000000000000001",
        "179769313486231580793728971405301",
        "8.98846567431158e307",
        "10000000000000000000000",
    ],
)
def test_hard_words_are_rounded_as_python_does_or_handed_back(word: str) -> None:
    numbers, hard, _, _ = parsed(word.encode())
    assert hard == {0: word.encode()} or numbers[0] == float(word)


digits = st.text("0123456789", min_size=0, max_size=25)


@pytest.mark.slow
@settings(max_examples=2000)
@given(
    st.sampled_from(["", "-", "+"]), digits, digits, st.sampled_from(["", "e0", "e-3", "E12", "e-20", "e30"])
)
def test_any_number_is_rounded_as_python_does(sign: str, whole: str, part: str, exponent: str) -> None:
    word = f"{sign}{whole}.{part}{exponent}"
    try:
        expected = float(word)
    except ValueError:
        assert parsed(word.encode())[3] == 0
        return
    numbers, hard, _, bad = parsed(word.encode())
    assert bad == -1
    assert 0 in hard or numbers[0] == expected


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=40))
def test_shortest_forms_come_back_to_the_last_bit(values: list[float]) -> None:
    words = [repr(value) for value in values]
    numbers, hard, _, _ = parsed(" ".join(words).encode())
    for index, value in enumerate(values):
        assert float(hard[index]) == value if index in hard else numbers[index] == value


def formatted(values: FloatArray, decimals: int) -> str:
    out = np.zeros(values.size * 40 + 1, dtype=np.uint8)
    used = kernels.text.format_rows(values, decimals, out, np.empty(24, np.uint8), 0, len(values))
    return out[:used].tobytes().decode()


def test_formatting_by_hand() -> None:
    values = np.array([[1.0, -2.5, 0.0], [123456.789, -0.0000001, 99.9999999]])
    assert formatted(values, 6) == "1.000000 -2.500000 0.000000\n123456.789000 0.000000 100.000000\n"
    assert formatted(values, 0) == "1 -2 0\n123457 0 100\n"


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30), st.integers(0, 6))
def test_formatting_is_within_half_a_unit_of_the_last_digit(values: list[float], decimals: int) -> None:
    words = formatted(np.array([values]), decimals).split()
    printed = np.array([float(word) for word in words])
    assert all(len(word.partition(".")[2]) == decimals for word in words)
    # Neither the scaled number nor the printed one is more exact than a double of its size.
    bound = 0.5 * 10.0**-decimals + np.spacing(np.abs(values))
    assert (np.abs(printed - values) <= bound).all()
