"""Plots as SVG, without a plotting library."""
import math
from xml.sax.saxutils import escape

COLOURS = ["#8a8a8a", "#d08b2c", "#b04a5a", "#2f6fb0", "#4c9a64", "#7a5ea8", "#3c3c3c", "#c06fa0"]
WIDTH, HEIGHT, MARGIN = 420, 260, 48


class Panel:
    """A diagram. Its scales are functions that map a value to 0...1."""

    def __init__(self, title, x_label, y_label, x_scale, y_scale, x_ticks, y_ticks, width=WIDTH, legend=(150, 40)):
        self._x, self._y, self.width, self._legend = x_scale, y_scale, width, legend
        self.parts = [text(width / 2, 18, title, "title")]
        self.parts.append(text(width / 2, HEIGHT - 6, x_label))
        self.parts.append(text(12, HEIGHT / 2, y_label, turned=True))
        for value, label in x_ticks:
            x = self.x(value)
            self.parts.append(line(x, self.y_of(0), x, self.y_of(1), "grid"))
            self.parts.append(text(x, HEIGHT - MARGIN + 14, label))
        for value, label in y_ticks:
            y = self.y(value)
            self.parts.append(line(self.x_of(0), y, self.x_of(1), y, "grid"))
            self.parts.append(text(MARGIN - 4, y + 3, label, "end"))

    def x_of(self, share):
        return MARGIN + share * (self.width - MARGIN - 34)

    def y_of(self, share):
        return HEIGHT - MARGIN - share * (HEIGHT - MARGIN - 30)

    def x(self, value):
        return self.x_of(min(1, max(0, self._x(value))))

    def y(self, value):
        return self.y_of(min(1, max(0, self._y(value))))

    def curve(self, name, points, colour, dots=False):
        path = " ".join("%.1f,%.1f" % (self.x(x), self.y(y)) for x, y in points)
        self.parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="1.6"/>' % (path, colour))
        if dots:
            self.parts += ['<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (self.x(x), self.y(y), colour)
                           for x, y in points]
        left, top = self.width - self._legend[0], self._legend[1]
        self._legend = (self._legend[0], top + 14)
        self.parts.append(line(left, top - 3, left + 16, top - 3, "", colour))
        self.parts.append(text(left + 20, top, name, "start"))


def text(x, y, words, kind="", turned=False):
    turn = ' transform="rotate(-90 %.1f %.1f)"' % (x, y) if turned else ""
    return '<text x="%.1f" y="%.1f" class="%s"%s>%s</text>' % (x, y, kind, turn, escape(str(words)))


def line(x1, y1, x2, y2, kind, colour=None):
    stroke = ' stroke="%s" stroke-width="2"' % colour if colour else ""
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"%s/>' % (x1, y1, x2, y2, kind, stroke)


def linear(low, high):
    return lambda value: (value - low) / (high - low)


def logarithmic(low, high):
    return lambda value: math.log(max(value, low) / low) / math.log(high / low)


def sheet(panels, path):
    style = (
        "text{font:11px sans-serif;fill:#222;text-anchor:middle}.title{font-weight:bold;font-size:12px}"
        ".start{text-anchor:start}.end{text-anchor:end}.grid{stroke:#e2e2e2}")
    body, left = "", 0
    for panel in panels:
        body += '<g transform="translate(%d 0)">%s</g>' % (left, "".join(panel.parts))
        left += panel.width
    with open(path, "w") as file:
        file.write(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d"><style>%s</style>'
            '<rect width="100%%" height="100%%" fill="#fff"/>%s</svg>\n' % (left, HEIGHT, left, style, body))


def round_above(value):
    """Rounds up to 1, 2, 4 or 8 times a power of ten."""
    unit = 10 ** math.floor(math.log10(value))
    return next(unit * step for step in (1, 2, 4, 8, 10) if unit * step >= value)


def latency(results):
    panel = Panel(
        "One event, from the wire to Notify", "milliseconds", "share of events", logarithmic(0.2, 50),
        linear(0, 1), [(v, v) for v in (0.2, 0.5, 1, 2, 5, 10, 20, 50)],
        [(v / 4, "%d %%" % (25 * v)) for v in range(5)], legend=(140, 155))
    for colour, (name, values) in zip(COLOURS, results["figures"]["latency_ms"].items()):
        values = sorted(values)
        panel.curve(name, [(v, (i + 1) / len(values)) for i, v in enumerate(values)], colour)
    return panel


def cost(results):
    steps = [(int(level), step) for level, step in results["history"].items()]
    highest = round_above(max(step["event_cpu_ms"] for _, step in steps) * 1.2)
    panel = Panel(
        "CPU of one more event", "messages stored", "milliseconds",
        logarithmic(min(1000, steps[0][0]), 1_000_000), linear(0, highest),
        [(1000, "1 000"), (10_000, "10 000"), (100_000, "100 000"), (1_000_000, "1 000 000")],
        [(highest * part / 4, "%g" % (highest * part / 4)) for part in range(5)])
    for colour, (name, key) in zip(COLOURS[3:], (
            ("alone, with notification", "event_cpu_ms"), ("in a burst", "burst_cpu_ms"))):
        panel.curve(name, [(level, step[key]) for level, step in steps], colour, dots=True)
    return panel


def herd(results):
    panel = Panel(
        "100 000 daemons come back", "seconds after the server is back", "share of the fleet a second",
        linear(0, 300), logarithmic(0.0001, 1), [(v, v) for v in range(0, 301, 60)],
        [(v, "%g %%" % (v * 100)) for v in (0.0001, 0.001, 0.01, 0.02, 0.1, 1)],
        width=640, legend=(230, 40))
    for colour, (name, arrivals) in zip(COLOURS, results["herd"].items()):
        panel.curve(name, [(s, n / sum(arrivals)) for s, n in enumerate(arrivals) if n], colour)
    return panel
