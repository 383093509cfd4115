"""What can be seen and read of a page, asked of the page itself."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

PANELS = ["Blend", "Quality", "Registration", "Transition", "Loop", "Warp", "Framespace", "Clip", "Export"]
"""Names of all panels in the order of their tabs."""

NAME_OF = """(control) => {
    const told = (control.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
    const texts = [
        control.getAttribute("aria-label"),
        ...told.map((id) => document.getElementById(id)?.textContent),
        ...[...(control.labels ?? [])].map((label) => label.textContent),
        control.matches("input, select") ? "" : control.textContent,
        control.title,
    ];
    return texts.find((text) => text?.trim())?.trim() ?? "";
}"""
"""What a control is called, as a screen reader finds it."""

NAMELESS = f"""() => {{
    const nameOf = {NAME_OF};
    return [...document.querySelectorAll("button, select, input, textarea, [role=slider], [tabindex='0']")]
        .filter((control) => control.checkVisibility() && !nameOf(control))
        .map((control) => control.outerHTML.slice(0, 120));
}}"""

CUT_OFF = """() => {
    const text = (element) => [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent.trim()).join("");
    const hides = (element) => {
        const style = getComputedStyle(element);
        const wide = element.scrollWidth > element.clientWidth + 1 && style.overflowX !== "visible";
        const high = element.scrollHeight > element.clientHeight + 1 && style.overflowY !== "visible";
        const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
        const shorten = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        return (wide || high) && !scrolls && !shorten;
    };
    const beyond = (element) => {
        // Text that runs out of the side of a box which hides what lies there; only scripts scroll sideways.
        const range = document.createRange();
        range.selectNodeContents(element);
        const words = range.getBoundingClientRect();
        for (let box = element; box !== document.body; box = box.parentElement) {
            const style = getComputedStyle(box);
            if (style.overflowX === "visible" || style.clipPath !== "none") continue;
            if (box.matches("pre") || style.textOverflow === "ellipsis") return false;
            const { left, right } = box.getBoundingClientRect();
            return words.left < left - 1 || words.right > right + 1;
        }
        return words.left < -1 || words.right > innerWidth + 1;
    };
    return [...document.body.querySelectorAll("*:not(script, style, option, optgroup, select)")]
        .filter((element) => !(element instanceof SVGElement) && text(element) && element.checkVisibility())
        .filter((element) => !element.closest(".hidden-text"))
        .filter((element) => hides(element) || beyond(element))
        .map((element) => `${element.className || element.tagName}: ${text(element)}`);
}"""


def find_nameless(page: Page) -> list[str]:
    """Controls in view that have no name."""
    found: list[str] = page.evaluate(NAMELESS)
    return found


def find_cut_off(page: Page) -> list[str]:
    """Texts in view that are cut off without a sign of it."""
    found: list[str] = page.evaluate(CUT_OFF)
    return found


def focused(page: Page) -> dict[str, Any]:
    """The part of the page that has the focus, what has it there, and whether that shows."""
    found: dict[str, Any] = page.evaluate(
        f"""() => {{
            const at = document.activeElement;
            const part = at.closest(".layout > header, .left, .centre, .right, .bottom, .splitter");
            return {{
                part: part ? part.className || part.tagName : "",
                name: ({NAME_OF})(at),
                shows: at.matches(":focus-visible"),
            }};
        }}"""
    )
    return found
