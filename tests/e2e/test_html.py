"""report.html and the plots of every golden result: well-formed, inert, the same bytes everywhere,
and looked at in a real browser, light and dark."""

import html.parser
import os
import pathlib
import re
import shutil
import struct
import subprocess
import zlib

import pytest

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "reports"
CASES = sorted(p.name for p in GOLDEN.iterdir() if (p / "report.html").is_file())
PLOTS = sorted(GOLDEN.glob("*/plots/*.svg"))
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--hide-scrollbars"]

ELEMENTS = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "ul",
            "li", "strong", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "div",
            "span", "details", "summary", "figure", "svg", "desc", "rect", "line", "path", "circle",
            "text", "tspan"}


class Page(html.parser.HTMLParser):
    """Checks that elements nest and collects what is there."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.seen, self.attributes, self.words = [], {}, [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def read(path):
    return path.read_text(encoding="utf-8")


def test_there_are_reports():
    assert len(CASES) >= 9 and len(PLOTS) >= 15


@pytest.mark.parametrize("case", CASES)
def test_page_is_inert(case):
    page = Page(read(GOLDEN / case / "report.html"))
    assert set(page.seen) <= ELEMENTS
    names = {name for name, _ in page.attributes}
    assert not [n for n in names if n.startswith("on")]
    assert not names & {"href", "src", "srcset", "style", "action", "xlink:href", "background"}
    policy = dict(page.attributes)["content"], [v for n, v in page.attributes if n == "content"]
    assert any(v.startswith("default-src 'none'") and "script" not in v for v in policy[1])
    ids = [v for n, v in page.attributes if n == "id"]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("case", CASES)
def test_page_says_what_the_markdown_says(case):
    """Without its style sheet, all words of report.md are there, in order."""
    text = Page(read(GOLDEN / case / "report.html")).text
    markdown = read(GOLDEN / case / "report.md")
    for heading in re.findall(r"^#+ (.*)$", markdown, re.M):
        # The dash after the verdict is only in the Markdown.
        for part in heading.split(" - ", 1):
            assert " ".join(part.split()) in text
    for cell in re.findall(r"\| (?:`)?([A-Za-z][\w ./%-]*?)(?:`)? (?=\|)", markdown):
        assert " ".join(cell.split()) in text


@pytest.mark.parametrize("case", CASES)
def test_markdown_shows_every_plot(case):
    shown = re.findall(r"^!\[[A-Za-z0-9 .-]+\]\((plots/[A-Za-z0-9_-]+\.svg)\)$",
                       read(GOLDEN / case / "report.md"), re.M)
    there = sorted(f"plots/{p.name}" for p in PLOTS if p.parts[-3] == case)
    assert sorted(shown) == there and len(set(shown)) == len(shown)
    assert read(GOLDEN / case / "report.html").count("<figure>") == len(shown)


@pytest.mark.parametrize("plot", PLOTS, ids=lambda p: f"{p.parts[-3]}-{p.stem}")
def test_plot_needs_nothing(plot):
    text = read(plot)
    assert "<script" not in text and "href" not in text and "url(" not in text
    assert text.count("<style>") == 1 and "@media (prefers-color-scheme:dark){" in text
    assert re.search(r'viewBox="0 0 \d+ \d+" role="img"', text)
    assert re.search(r"<title id=.*</title>\n<desc id=.*</desc>", text)
    # At most one decimal in every coordinate, and no number that is none.
    body = text.split("</style>")[1]
    shapes = re.sub(r">[^<]*<", "><", body)
    assert not re.search(r' (?:[xy][12]?|width|height|cx|cy|r|d)="[^"]*(\.\d\d|nan|inf|e[+-])', shapes)


@pytest.mark.skipif(shutil.which("xmllint") is None, reason="xmllint is not installed")
def test_plots_are_well_formed():
    subprocess.run(["xmllint", "--noout", "--nonet", *PLOTS], check=True)


@pytest.mark.skipif(shutil.which("rsvg-convert") is None, reason="rsvg-convert is not installed")
def test_another_program_draws_them(tmp_path):
    for plot in PLOTS:
        out = tmp_path / "plot.png"
        subprocess.run(["rsvg-convert", "-o", out, plot], check=True)
        width, height = struct.unpack(">II", out.read_bytes()[16:24])
        assert f'viewBox="0 0 {width} {height}"' in read(plot)
    assert len(colours(png(out)[2])) > 20


@pytest.mark.parametrize("env", [
    {"TZ": "Asia/Kathmandu", "LC_ALL": "C"},
    {"TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
    {"TZ": "UTC", "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"},
], ids=lambda e: e["TZ"])
def test_same_bytes_everywhere(nasgate, tmp_path, env):
    for case in CASES:
        out = tmp_path / case
        out.mkdir()
        done = nasgate("report", "-o", out, GOLDEN / case / "result.json", env=env)
        assert done.code == 0, done
        assert (out / "report.html").read_bytes() == (GOLDEN / case / "report.html").read_bytes()
        for plot in (p for p in PLOTS if p.parts[-3] == case):
            assert (out / "plots" / plot.name).read_bytes() == plot.read_bytes()


def test_plots_are_no_single_format(nasgate):
    done = nasgate("report", "--format", "plots", GOLDEN / "pass" / "result.json")
    assert done.code == 2 and "folder of files" in done.stderr


# What a browser makes of it.

needs_browser = pytest.mark.skipif(BROWSER is None, reason="chromium is not installed")


def browse(tmp_path, page, *options):
    profile = tmp_path / "profile"
    shutil.rmtree(profile, ignore_errors=True)
    done = subprocess.run(
        [BROWSER, *FLAGS, f"--user-data-dir={profile}", *options, page.as_uri()],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120,
        check=False, env={**os.environ, "HOME": str(tmp_path)})
    assert done.returncode == 0
    return done.stdout.decode("utf-8", "replace")


def png(path):
    """(width, height, rows of RGB bytes) of an 8-bit PNG without interlacing."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", data[at + 8:at + 21])
        elif kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    width, height, depth, colour, _, _, interlaced = head
    assert depth == 8 and colour in (2, 6) and not interlaced
    size = 3 if colour == 2 else 4
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        row = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + width * size]), before, size)
        rows.append([bytes(row[x:x + 3]) for x in range(0, width * size, size)])
        before = row
    return width, height, rows


def unfilter(kind, row, before, size):
    if kind == 2:
        return bytearray((a + b) & 255 for a, b in zip(row, before))
    for i in range(len(row)) if kind else ():
        left = row[i - size] if i >= size else 0
        up, corner = before[i], before[i - size] if i >= size else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + up) // 2) & 255
        else:
            guess = left + up - corner
            near = min((left, up, corner), key=lambda v: abs(guess - v))
            row[i] = (row[i] + near) & 255
    return row


def colours(rows):
    found = {}
    for row in rows:
        for pixel in row:
            found[pixel] = found.get(pixel, 0) + 1
    return found


@needs_browser
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_browser_shows_it(tmp_path, dark):
    shot = tmp_path / "shot.png"
    options = ["--blink-settings=preferredColorScheme=0"] if dark else []
    browse(tmp_path, GOLDEN / "fail" / "report.html", "--window-size=900,1500",
           f"--screenshot={shot}", *options)
    width, height, rows = png(shot)
    assert (width, height) == (900, 1500)
    found = colours(rows)
    most = max(found, key=found.get)
    assert most == (b"\x0d\x11\x17" if dark else b"\xff\xff\xff")
    assert found[most] > width * height // 2 and len(found) > 50
    bars = b"\x4c\x8b\xd6" if dark else b"\x2f\x6f\xb5"
    limit = b"\xff\x7b\x72" if dark else b"\xb4\x23\x18"
    assert found.get(bars, 0) > 200 and found.get(limit, 0) > 200
    # Nothing is wider than the page: its right edge is empty.
    assert {row[-1] for row in rows} == {most}


@needs_browser
def test_browser_has_all_parts(tmp_path):
    dom = browse(tmp_path, GOLDEN / "fail" / "report.html", "--dump-dom")
    page = Page(dom)
    assert page.seen["h1"] == 1 and page.seen["h2"] >= 4 and page.seen["svg"] == 5
    assert page.seen["table"] >= 12 and page.seen["details"] == page.seen["summary"] >= 8
    for part in ("FAIL", "Conditions", "Phases", "What limits this path", "How to reproduce",
                 "limit ≥ 400", "median 312.4", "average 9.41", "peak 9.44"):
        assert part in page.text


@needs_browser
def test_browser_runs_no_script_in_it(tmp_path):
    """Even a script that got into the page has no effect; the same page without the policy shows it."""
    text = read(GOLDEN / "pass" / "report.html")
    evil = text.replace("</main>", "<script>document.title = 'ran'</script>"
                        "<img src=x onerror=\"document.title = 'ran'\"></main>")
    page = tmp_path / "page.html"
    page.write_text(evil, encoding="utf-8")
    assert "<title>pass - backup-path-10g</title>" in browse(tmp_path, page, "--dump-dom")
    page.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", evil),
                    encoding="utf-8")
    assert "<title>ran</title>" in browse(tmp_path, page, "--dump-dom")
