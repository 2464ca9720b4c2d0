"""A file as an office has it, in a real browser: semicolons, decimal commas and Windows-1252, in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.saving import by_command, saved

if TYPE_CHECKING:
    from pathlib import Path

RENTS = "Año;Pueblo;Renta\r\n" + "".join(
    f"{1950 + i * 17 % 41};{('Reus', 'Mañé')[i % 2]};{1 + i % 8}.{100 + i * 37 % 900},{10 + i % 90}\r\n"
    for i in range(80)
)


def test_a_file_is_saved_in_the_dialect_it_came_in_and_as_the_command_line_would(site, page, tmp_path: Path):
    original = tmp_path / "rents.csv"
    original.write_bytes(RENTS.encode("cp1252"))
    page.goto(site)
    page.locator("input[type=file]").set_input_files(original)
    read = "Read as: semicolon between cells, decimal comma, point between thousands, Windows-1252."
    expect(page.get_by_text(read)).to_be_visible()
    page.get_by_role("button", name="Explore").click()
    expect(page.get_by_text("Actual k (asked: 5)", exact=True)).to_be_visible()
    file, plan = saved(page, "Save file", tmp_path), saved(page, "Save plan", tmp_path)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)

    text = file.read_bytes().decode("cp1252")
    assert text.startswith("Año;Pueblo;Renta\r\n")
    assert ";Mañé;" in text
    assert "," in text.splitlines()[1]

    assert file.read_bytes() == by_command(original, plan, tmp_path)
