"""Parse and format the numbers of motion files.

Parsing rounds every number correctly, as Python's ``float`` does; the few that need more than the fast paths
below are returned by position.
"""

from __future__ import annotations

import numpy as np

from motionloom.kernels.array_types import Bytes1, Floats2, OutBytes1, OutFloats1, OutInts1, OutInts2
from motionloom.kernels.compiling import kernel

TAB, NEWLINE, RETURN, SPACE, PLUS, MINUS, DOT, ZERO = 9, 10, 13, 32, 43, 45, 46, 48
UPPER_E, LOWER_E = 69, 101
MAX_DIGITS = 19  # what fits an unsigned 64-bit integer
EXACT_POWER = 22  # 10**22 is the largest power of ten that a float holds exactly
EXACT_INTEGER = 1 << 53

POWERS = np.array([10.0**n for n in range(EXACT_POWER + 1)])
PAIRS = np.frombuffer(b"".join(b"%02d" % n for n in range(100)), dtype=np.uint8)

# Entries of the state of `parse_numbers`.
AT, COUNT, N_HARD, UNEVEN, BAD = range(5)


@kernel
def _high_part(value: float) -> float:
    """Return the upper half of a float's digits (Veltkamp), so that products of halves are exact."""
    scaled = 134217729.0 * value
    return scaled - (scaled - value)


@kernel
def _quotient(mantissa: np.uint64, power: int) -> tuple[float, bool]:
    """Return ``mantissa / 10**power`` correctly rounded, and whether that is certain.

    A first quotient is corrected by its exact remainder; the result is certain when pushing the correction
    up and down by far more than its own error does not change the sum.
    """
    divisor = POWERS[power]
    rounded = np.float64(mantissa)
    lost = np.float64(np.int64(mantissa - np.uint64(rounded)))
    quotient = rounded / divisor

    q_high, d_high = _high_part(quotient), _high_part(divisor)
    q_low, d_low = quotient - q_high, divisor - d_high
    product = quotient * divisor
    excess = ((q_high * d_high - product) + q_high * d_low + q_low * d_high) + q_low * d_low
    correction = ((rounded - product) - excess + lost) / divisor

    low = quotient + correction * (1.0 - 2.0**-40)
    high = quotient + correction * (1.0 + 2.0**-40)
    return low, low == high


@kernel
def _is_blank(byte: int) -> bool:
    """Return whether a byte separates words: space, tab, or a line-end character."""
    return byte == SPACE or TAB <= byte <= RETURN


@kernel
def parse_numbers(
    text: Bytes1,
    stop: int,
    n_columns: int,
    max_value: float,
    out: OutFloats1,
    hard: OutInts2,
    found: OutInts1,
) -> None:
    """Read blank-separated numbers from ``text[found[AT]:stop]`` into ``out[found[COUNT]:]``.

    ``found`` is the state, which is updated: the next byte; the count of numbers; how many of them were too
    hard to round in this call (their index, first byte and byte after the last are rows of ``hard``); the
    byte of the first line end that does not complete a row of ``n_columns`` (−1: none); and the first byte of
    the first word that is not a number or beyond ±``max_value`` (−1: none). Parsing stops at such a word, and
    before ``stop`` where ``hard`` is full.
    """
    count, n_hard, i = found[COUNT], 0, found[AT]
    while i < stop and n_hard < hard.shape[0]:
        byte = text[i]
        if _is_blank(byte):
            if byte == NEWLINE and found[UNEVEN] < 0 and count % n_columns != 0:
                found[UNEVEN] = i
            i += 1
            continue

        first = i
        negative = byte == MINUS
        if negative or byte == PLUS:
            i += 1
        mantissa = np.uint64(0)
        exponent, kept, n_digits, point = 0, 0, 0, False
        while i < stop:
            byte = text[i]
            digit = byte - ZERO
            if 0 <= digit <= 9:
                n_digits += 1
                if kept < MAX_DIGITS:
                    mantissa = mantissa * np.uint64(10) + np.uint64(digit)
                    if mantissa > 0:
                        kept += 1
                    if point:
                        exponent -= 1
                else:
                    kept += 1
            elif byte == DOT and not point:
                point = True
            else:
                break
            i += 1
        if n_digits > 0 and i < stop and (text[i] == UPPER_E or text[i] == LOWER_E):
            i += 1
            down = i < stop and text[i] == MINUS
            if i < stop and (text[i] == MINUS or text[i] == PLUS):
                i += 1
            n_digits, power = 0, 0
            while i < stop and 0 <= text[i] - ZERO <= 9:
                n_digits += 1
                power = min(power * 10 + (text[i] - ZERO), 99999)
                i += 1
            exponent += -power if down else power
        if n_digits == 0 or (i < stop and not _is_blank(text[i])):
            found[BAD] = first
            break

        certain = kept <= MAX_DIGITS
        if mantissa == 0:
            value = 0.0
            certain = True
        elif not certain or exponent < -EXACT_POWER or exponent > EXACT_POWER:
            value, certain = 0.0, False
        elif mantissa <= EXACT_INTEGER:
            value = np.float64(mantissa)
            value = value * POWERS[exponent] if exponent >= 0 else value / POWERS[-exponent]
        elif exponent <= 0:
            value, certain = _quotient(mantissa, -exponent)
        else:
            value, certain = 0.0, False
        if value > max_value:
            found[BAD] = first
            break
        if not certain:
            hard[n_hard, 0], hard[n_hard, 1], hard[n_hard, 2] = count, first, i
            n_hard += 1
        out[count] = -value if negative else value
        count += 1
    found[AT], found[COUNT], found[N_HARD] = i, count, n_hard


@kernel
def format_rows(
    values: Floats2, decimals: int, out: OutBytes1, digits: OutBytes1, start: int, stop: int
) -> int:
    """Write rows ``start <= t < stop`` of ``values`` (T, C) as text with a fixed number of decimals.

    Numbers are separated by one space, rows end with a line feed. Returns how many bytes of ``out`` were
    used; the caller makes it large enough and keeps ``abs(value) * 10**decimals`` below 2**62.
    ``digits`` (24,) is the kernel's own.
    """
    scale = POWERS[decimals]
    at = 0
    for t in range(start, stop):
        for c in range(values.shape[1]):
            scaled = np.int64(np.rint(values[t, c] * scale))
            if scaled < 0:
                out[at] = MINUS
                at += 1
                scaled = -scaled

            # Digits two at a time, last first, at least one before the point.
            rest = np.uint64(scaled)
            n = 0
            while n <= decimals or rest > 0:
                pair = rest % np.uint64(100)
                rest //= np.uint64(100)
                digits[n] = PAIRS[2 * pair + np.uint64(1)]
                digits[n + 1] = PAIRS[2 * pair]
                n += 2
            while n > decimals + 1 and digits[n - 1] == ZERO:
                n -= 1
            for k in range(n - 1, -1, -1):
                out[at] = digits[k]
                at += 1
                if k == decimals and decimals > 0:
                    out[at] = DOT
                    at += 1
            out[at] = SPACE
            at += 1
        out[at - 1] = NEWLINE
    return at
