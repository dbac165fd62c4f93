"""The lesson in a browser: each figure by mouse and by keyboard, its numbers by NumPy.

The invented numbers stand here once more, as its source has them: what the page computes from them
is computed anew.
"""

import numpy as np
import pytest
from reading import rows, status

pytestmark = pytest.mark.slow

THAI = ["แมว", "มอง", "หนู", "บน", "พรม"]
ROWS = np.array([
    [18, 12, 40, 10, 20],
    [10, 8, 55, 10, 17],
    [28, 28, 20, 9, 15],
    [9, 14, 21, 16, 40],
    [17, 9, 20, 24, 30],
]) / 100  # fmt: skip
VALUES = np.array([10, 20, 30, 40, 50])


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def numbers(text: str) -> list[float]:
    return [float(part) for part in text.replace("−", "-").strip("[]").split("; ")]


def slide(page, label: str, *, to: float) -> None:
    """By mouse: a press on the slider's track, where the value lies."""
    slider = page.get_by_label(label, exact=True).first
    low, high = (float(slider.get_attribute(name)) for name in ("min", "max"))
    box = slider.bounding_box()
    thumb = 16
    share = (to - low) / (high - low)
    # a click of the locator's waits until the page lies still; the mouse's own might hit what moves
    slider.click(position={"x": thumb / 2 + share * (box["width"] - thumb), "y": box["height"] / 2})


# Part 3, figure 3 of its source


def test_the_chain_begins_as_its_source_has_it(open_page):
    page = open_page("lang=th&part=3")
    assert status(page, "chain") == (
        'recurrent step = 1/5 | seen = 1/5 | reached "พรม" = no | self-attention step = 1 |'
        ' seen = 5/5 | reached "พรม" = yes | path = O(n) vs O(1) | n = 5 | d_model = 512 |'
        " n < d | ตารางที่ 1"
    )
    assert rows(page, "#chain") == [
        ["ขั้นลำดับ", "1 จาก 5", "1"],
        ["คำที่เห็น", "1 จาก 5", "5 จาก 5"],
        ["ถึงคำว่าพรม", "ยังไม่ถึง", "ถึงแล้ว"],
        ["เส้นทางยาวสุดในเลเยอร์", "O(n)", "O(1)"],
    ]
    assert page.locator("#chain .under").inner_text() == (
        "ในภาพฝั่งซ้ายเดินมาแล้ว 0 ช่วง จาก 4 ช่วงระหว่าง 5 คำ นับช่วงในรูปนี้ ไม่ใช่ตัวเลขที่ตารางที่ 1 รายงาน"
    )


@pytest.mark.parametrize("by", ["keyboard", "mouse"])
def test_only_the_left_side_walks(open_page, by):
    page = open_page("lang=en&part=3")
    for step in range(2, 6):
        if by == "keyboard":
            page.get_by_label("Recurrent step").focus()
            page.keyboard.press("ArrowRight")
        else:
            slide(page, "Recurrent step", to=step)
        reached = "reached" if step == 5 else "not yet"
        assert rows(page, "#chain")[:3] == [
            ["Sequential steps", f"{step} of 5", "1"],
            ["Words seen", f"{step} of 5", "5 of 5"],
            ["Reached “rug”", reached, "reached"],
        ]
        assert f"walked {step - 1} gaps of 4" in page.locator("#chain .under").inner_text()


def test_a_sentence_of_the_readers_is_counted(open_page):
    page = open_page("lang=en&part=3")
    page.get_by_label("A sentence", exact=True).fill("one two, three — four!")
    assert status(page, "yours").startswith("n = 4 | recurrent: 3 gaps")
    page.get_by_label("A sentence", exact=True).fill("")
    assert status(page, "yours").startswith("n = 0 | recurrent: 0 gaps")


def test_thai_words_are_counted_without_spaces(open_page):
    page = open_page("lang=th&part=3")
    page.locator("#yours input").fill("แมวมองหนูบนพรม")
    assert int(status(page, "yours").split()[2]) >= 4


def test_the_rows_of_table_1_cross_where_n_is_d(open_page):
    page = open_page("lang=en&part=3")
    assert "n²·d = 12\u202f800 | n·d² = 1\u202f310\u202f720 | one is 102.4 times" in status(
        page, "growth"
    )
    slider = page.get_by_label("Length of the sequence")
    slider.focus()
    while "n = 512 |" not in status(page, "growth"):
        page.keyboard.press("ArrowRight")
    assert "n = d |" in status(page, "growth")
    assert "one is 1.0 times" in status(page, "growth")
    cells = rows(page, "#growth")
    assert [row[1] for row in cells] == ["O(n²·d)", "O(n·d²)", "O(k·n·d²)", "O(r·n·d)"]
    work = [int(row[2].replace("\u202f", "")) for row in cells]
    n = d = 512
    assert work == [n * n * d, n * d * d, 3 * n * d * d, 5 * n * d]


# Part 4, figure 1 of its source


def test_the_first_row_begins_as_its_source_has_it(open_page):
    page = open_page("lang=th&part=4")
    assert status(page, "asking") == 'query = "แมว" | strongest = "หนู" (40%) | ตัวเลขตัวอย่าง'
    assert page.locator(".asking").get_attribute("aria-label") == (
        "แผนภาพ attention ระหว่างคำ ตัวเลขตัวอย่างของคำว่าแมว แมว 18% มอง 12% หนู 40% บน 10% พรม 20%"
    )


@pytest.mark.parametrize("by", ["keyboard", "mouse"])
@pytest.mark.parametrize("width", [1280, 360])
def test_whoever_asks_shows_the_row(open_page, by, width):
    page = open_page("lang=th&part=4", width=width)
    words = page.locator(".asking button")
    words.first.focus()
    for place, word in enumerate(THAI):
        if by == "mouse":
            words.nth(place).click()
        else:
            page.keyboard.press("ArrowDown") if place else None
            page.keyboard.press("Enter")
        most = ROWS[place].max()
        strongest = ", ".join(f'"{THAI[key]}"' for key in np.flatnonzero(ROWS[place] == most))
        assert status(page, "asking") == (
            f'query = "{word}" | strongest = {strongest} ({most:.0%}) | ตัวเลขตัวอย่าง'
        )
        shown = page.locator(".asking .token-under").all_inner_texts()
        assert [text.strip() for text in shown] == [f"{share:.0%}" for share in ROWS[place]]
        assert words.nth(place).get_attribute("aria-pressed") == "true"


def test_lines_are_as_thick_as_weights_the_loop_included(open_page):
    page = open_page("lang=en&part=4")
    page.get_by_role("button", name="watches").click()
    lines = page.locator(".asking path.line").evaluate_all(
        "lines => lines.map(line => [line.dataset.key, line.getAttribute('stroke-width'),"
        " line.classList.contains('line-self')])"
    )
    widths = np.array([float(width) for _, width, _ in lines])
    np.testing.assert_allclose(widths / widths.sum(), ROWS[1], atol=1e-9)
    assert [own for *_, own in lines] == [False, True, False, False, False]


def test_a_list_replaces_the_lines_where_there_is_no_room(open_page):
    narrow, wide = open_page("lang=en&part=4", width=360), open_page("lang=en&part=4")
    assert not narrow.locator(".lines-drawing").is_visible()
    assert wide.locator(".lines-drawing").is_visible()


# Part 5, figure 2 of its source


def test_two_panels_begin_as_their_source_has_them(open_page):
    page = open_page("lang=th&part=5")
    assert status(page, "divide") == (
        'softmax(log(w) / T) | T = 1.00 | ตัวเลขตัวอย่าง | query = "แมว" | sum(p) = 1 |'
        " เปอร์เซ็นต์บนแถบปัดเป็นจำนวนเต็ม"
    )
    assert page.locator("[data-panel=encoder] h3").inner_text() == (
        "encoder ไม่มี mask ทุกตำแหน่งอยู่ใน softmax"
    )
    assert page.locator("[data-panel=decoder] h3").inner_text() == (
        "decoder ตั้ง logit อนาคตเป็นลบอนันต์ก่อน softmax"
    )
    free = page.locator("[data-panel=encoder] .bar-text").all_inner_texts()
    masked = page.locator("[data-panel=decoder] .bar-text").all_inner_texts()
    assert free == ["18%", "12%", "40%", "10%", "20%"]
    assert masked == ["100%", *["0% ห้ามมอง"] * 4]
    assert page.locator("#sum h2").inner_text() == "คูณ value แล้วบวก ไม่ได้หยุดที่เปอร์เซ็นต์"
    assert status(page, "sum") == (
        'รวม 30.20 | ใช้ค่าเต็มคำนวณ แล้วปัดเพื่อแสดง | ตัวเลขตัวอย่าง | query = "แมว" | ไม่ใช่เปอร์เซ็นต์'
    )
    assert [[row[0], row[1], row[3]] for row in rows(page, "#sum")] == [
        ["แมว", "0.18", "= 1.8"],
        ["มอง", "0.12", "= 2.4"],
        ["หนู", "0.40", "= 12.0"],
        ["บน", "0.10", "= 4.0"],
        ["พรม", "0.20", "= 10.0"],
    ]
    values = page.locator("#sum td input")
    assert [values.nth(place).input_value() for place in range(5)] == ["10", "20", "30", "40", "50"]


def test_a_value_can_be_invented_anew(open_page):
    page = open_page("lang=en&part=5")
    page.get_by_label("Value of mouse").fill("-7")
    total = ROWS[0] @ np.array([10, 20, -7, 40, 50])
    assert status(page, "sum").startswith(f"total {total:.2f} |")


@pytest.mark.parametrize("by", ["keyboard", "mouse"])
def test_shares_and_sum_follow_temperature_and_word(open_page, by):
    page = open_page("lang=en&part=5")
    for place in range(5):
        button = page.locator("#divide .tokens button").nth(place)
        slider = page.get_by_label("Temperature T", exact=True).first
        if by == "mouse":
            button.click()
            slide(page, "Temperature T", to=0.3 + 0.6 * place)
        else:
            button.focus()
            page.keyboard.press("Enter")
            slider.focus()
            page.keyboard.press("Home" if place == 0 else "End" if place == 4 else "ArrowRight")
        temperature = float(slider.input_value())
        scores = np.log(ROWS[place])
        free = softmax(scores / temperature)
        masked = np.r_[softmax(scores[: place + 1] / temperature), np.zeros(4 - place)]
        for panel, wanted in (("encoder", free), ("decoder", masked)):
            cells = rows(page, f"[data-panel={panel}]")
            found = [float(row[2]) for row in cells]
            np.testing.assert_allclose(found, wanted, atol=5.1e-5)
            assert [row[1] == "−∞" for row in cells] == list(
                np.arange(5) > (place if panel == "decoder" else 4)
            )
        assert f"T = {temperature:.2f}" in status(page, "divide")
        total = float(status(page, "sum").split()[1])
        assert total == pytest.approx(free @ VALUES, abs=5.1e-3)


# Parts 1 and 2

ENCODED = np.array([[2, 0], [0.5, 0.5], [0, 2], [-2, -1]])
DECODED = np.array([[1.5, 0], [-1, -0.5], [0, 1.5], [-0.5, -0.5], [-0.5, 0], [-1.5, -0.5]])


def contexts(encoded: np.ndarray, *, fed: float) -> list[tuple[np.ndarray, np.ndarray]]:
    found, context = [], np.zeros(2)
    for state in DECODED:
        used = state + fed * context
        shares = softmax(encoded @ used)
        context = shares @ encoded
        found.append((shares, np.r_[context, used]))
    return found


@pytest.mark.parametrize("fed", [0, 0.25])
def test_each_step_of_the_decoder(open_page, fed):
    page = open_page("lang=en&part=1")
    if fed:
        page.get_by_label("input feeding").focus()
        page.keyboard.press("Space")
    slider = page.get_by_role("slider", name="Step of the decoder")
    slider.focus()
    page.keyboard.press("Home")
    for shares, joined in contexts(ENCODED, fed=fed):
        cells = rows(page, "#bottleneck")
        np.testing.assert_allclose([float(row[3]) for row in cells], shares, atol=5.1e-3)
        total = page.locator("#bottleneck .total").all_inner_texts()
        np.testing.assert_allclose(numbers(total[0].split(" = ")[-1]), joined[:2], atol=5.1e-3)
        np.testing.assert_allclose(numbers(total[1].split(" = ")[-1]), joined, atol=5.1e-3)
        slider.focus()
        page.keyboard.press("ArrowRight")


def test_a_state_can_be_changed_and_all_follows(open_page):
    page = open_page("lang=en&part=1")
    page.get_by_label("h 1, il, 1").fill("-3")
    encoded = ENCODED.copy()
    encoded[0, 0] = -3
    shares, _ = contexts(encoded, fed=0)[1]
    found = [float(row[3]) for row in rows(page, "#bottleneck")]
    np.testing.assert_allclose(found, shares, atol=5.1e-3)
    page.get_by_role("button", name="As it was").click()
    found = [float(row[3]) for row in rows(page, "#bottleneck")]
    np.testing.assert_allclose(found, contexts(ENCODED, fed=0)[1][0], atol=5.1e-3)


def test_stages_come_one_by_one_and_the_bottleneck_has_none(open_page):
    page = open_page("lang=en&part=1")
    slider = page.get_by_label("How far to compute")
    slider.focus()
    page.keyboard.press("Home")
    for stage in range(1, 6):
        assert len(rows(page, "#bottleneck")[0]) == min(5, stage + 1)
        assert page.locator("#bottleneck .total").count() == max(0, stage - 3)
        page.keyboard.press("ArrowRight")
    page.get_by_label("the last state only").check()
    assert "[−2.00; −1.00]" in page.locator("#bottleneck .under").inner_text()


def test_lines_bridge_the_bottleneck(open_page):
    page = open_page("lang=en&part=1")
    lines = page.locator("#bottleneck path.line")

    def widths():
        return np.array(lines.evaluate_all(
            "lines => lines.map(line => Number(line.getAttribute('stroke-width')))"
        ))  # fmt: skip

    shares, _ = contexts(ENCODED, fed=0)[1]
    np.testing.assert_allclose(widths() / widths().sum(), shares, atol=1e-9)
    page.get_by_label("the last state only").check()
    np.testing.assert_allclose(widths() / widths().sum(), [0, 0, 0, 1])


def test_shares_mix_numbers_and_lists(open_page):
    page = open_page("lang=en&part=2")
    assert page.locator("#mixture .total").all_inner_texts() == [
        "0.25 × 2 + 0.75 × 6 = 5",
        "0.25 × [2; 0] + 0.75 × [0; 4] = [0.5; 3]",
    ]
    page.get_by_label("Number of value 2").fill("10")
    page.get_by_label("List of value 1, 2").fill("-1")
    page.get_by_label("Shares of value 1").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#mixture .total").all_inner_texts() == [
        "0.3 × 2 + 0.7 × 10 = 7.6",
        "0.3 × [2; −1] + 0.7 × [0; 4] = [0.6; 2.5]",
    ]


def test_query_and_keys_lead_to_shares(open_page):
    page = open_page("lang=en&part=2")
    query, keys = np.array([1.0, 0.0]), np.array([[0, 1], [1.55, 0]])
    for change in (None, 2.5):
        if change:
            page.get_by_label("Query, 2").fill(str(change))
            query[1] = change
        cells = rows(page, "#match")
        scores = keys @ query / np.sqrt(2)
        np.testing.assert_allclose(
            [[float(cell.replace("−", "-")) for cell in row[2:]] for row in cells],
            np.c_[keys @ query, scores, softmax(scores)], atol=5.1e-3,
        )  # fmt: skip


def test_products_spread_by_the_square_root(open_page):
    page = open_page("lang=en&part=2")
    slider = page.get_by_label("Numbers in a query and a key")
    slider.focus()
    page.keyboard.press("Home")
    products = np.array([0.2, -0.8, 1.3, -0.3, 0.6])
    for power in range(10):
        size = 2**power
        root = np.sqrt(size)
        expected, drawn = rows(page, "#root")
        assert expected[1] == f"√{size} = {root:.2f}"
        assert float(drawn[1]) == pytest.approx(root, rel=0.1)
        assert float(drawn[2]) == pytest.approx(1, rel=0.1)
        cells = rows(page, "#root .behind")
        np.testing.assert_allclose(
            [[float(row[2]), float(row[4])] for row in cells],
            np.c_[softmax(products * root), softmax(products)], atol=5.1e-5,
        )  # fmt: skip
        page.keyboard.press("ArrowRight")


# Part 6

SECOND = np.array([
    [0.7, 0.1, 0.1, 0.05, 0.05],
    [0.6, 0.2, 0.1, 0.05, 0.05],
    [0.1, 0.6, 0.2, 0.05, 0.05],
    [0.05, 0.1, 0.6, 0.2, 0.05],
    [0.05, 0.05, 0.1, 0.6, 0.2],
])  # fmt: skip
HEAD_VALUES = [
    np.array([[1, 0], [0, 1], [2, 1], [0, 2], [1, 1]]),
    np.array([[2, 0], [1, 1], [0, 2], [1, 0], [0, 1]]),
]
JOIN = np.array([[1, 0, 0, 1], [0, 1, 0, -1], [0, 1, 1, 0], [1, 0, -1, 0]])


def test_heads_are_joined_by_a_matrix_not_averaged(open_page):
    page = open_page("lang=en&part=6")
    words = page.locator("#heads .tokens button")
    words.first.focus()
    for place in range(5):
        page.keyboard.press("Enter")
        heads = [ROWS[place] @ HEAD_VALUES[0], SECOND[place] @ HEAD_VALUES[1]]
        side = np.concatenate(heads)
        totals = [text.split(" = ")[1] for text in page.locator("#heads .total").all_inner_texts()]
        for found, wanted in zip(totals, [*heads, side, side @ JOIN], strict=True):
            np.testing.assert_allclose(numbers(found), wanted, atol=5.1e-3)
        page.keyboard.press("ArrowRight")


def test_a_press_on_a_matrix_chooses_its_row(open_page):
    page = open_page("lang=en&part=6")
    canvas = page.locator("#heads canvas").first
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] / 2, "y": box["height"] * 0.7})
    assert status(page, "heads").startswith('query = "on" |')


def test_a_position_further_is_a_turn(open_page):
    page = open_page("lang=en&part=6")
    for label, presses in (("Position", 7), ("Distance", 4), ("Pair of numbers", 1)):
        page.get_by_label(label, exact=True).focus()
        for _ in range(presses):
            page.keyboard.press("ArrowRight")
    position, k = 5 + 7, 3 + 4
    angles = 10000.0 ** (-2 * np.arange(16) / 32)
    here = np.c_[np.sin(position * angles), np.cos(position * angles)]
    there = np.c_[np.sin((position + k) * angles), np.cos((position + k) * angles)]
    cells = rows(page, "#positions")
    np.testing.assert_allclose([numbers(row[1]) for row in cells], here, atol=5.1e-4)
    for column in (2, 3):
        np.testing.assert_allclose([numbers(row[column]) for row in cells], there, atol=5.1e-4)


def test_the_map_tells_each_part_in_both_sizes(open_page):
    page = open_page("lang=en&part=6")
    page.get_by_label("big", exact=True).check()
    page.locator("[data-stop=encoder-feed]").focus()
    page.keyboard.press("Enter")
    assert status(page, "map") == "Feed-forward | big | n × 1024 → n × 4096 → n × 1024"
    page.locator("[data-stop=decoder-cross]").click()
    assert status(page, "map").endswith("Q: 16 × n × 64, K, V: 16 × m × 64 → n × 1024")
    page.get_by_role("link", name="To part 1").click()
    assert page.locator("h1").inner_text() == "From the bottleneck to attention"


# Parts 7 and 8


def test_the_papers_tables(open_page):
    page = open_page("lang=en&part=7")
    table = rows(page, "#table2")
    assert table[0] == ["ByteNet", "23.75", "", "", ""]
    assert table[-1] == ["Transformer (big)", "28.4", "41.8", "2.3·1019"]
    spans = page.locator("#table2 td.spans").evaluate_all("cells => cells.map(c => c.colSpan)")
    assert spans == [2, 2]
    table = rows(page, "#table3")
    assert len(table) == 20
    assert table[0][-3:] == ["4.92", "25.8", "65"]
    assert table[-1][-3:] == ["4.33", "26.4", "213"]
    table = rows(page, "#table4")
    assert [row[2] for row in table if row[0].startswith("Transformer")] == ["91.3", "92.7"]


def test_answers_are_hidden_until_asked_for(open_page):
    page = open_page("lang=en&part=8")
    answers = page.locator(".answer")
    assert not answers.first.locator("p").first.is_visible()
    answers.first.locator("summary").focus()
    page.keyboard.press("Enter")
    assert answers.first.locator("p").first.is_visible()
    assert not answers.nth(1).locator("p").first.is_visible()


def test_first_the_guess_then_the_row(open_page):
    page = open_page("lang=en&part=8")
    assert page.locator("#guess .bars").count() == 0
    page.locator("#guess .tokens button").nth(0).click()
    assert status(page, "guess").startswith("“cat”: no")
    page.locator("#guess .tokens button").nth(2).focus()
    page.keyboard.press("Enter")
    assert status(page, "guess") == (
        '“mouse”: yes | query = "watches" | strongest = "mouse" (55%) | example numbers'
    )
    page.get_by_role("button", name="Another word asks").click()
    assert page.locator("#guess .bars").count() == 0
