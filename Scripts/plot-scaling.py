#!/usr/bin/env python3
"""Draws what `ra-bench scaling --json` measured as an SVG: prefill over prompt lengths, decode over depths.

  Scripts/plot-scaling.py Benchmarks/results/scaling.svg NAME=FILE.json ...

FILE holds one JSON object on its last line. A file's peer_ figures become a line of their own, named after the peer."""
import json
import math
import sys

COLOURS = ["#1b6ca8", "#d1495b", "#2a9d8f", "#edae49", "#6d597a", "#8d99ae"]
WIDTH, HEIGHT, LEFT, TOP, GAP = 400, 260, 60, 40, 90


def series(arguments):
    lines = []
    for argument in arguments:
        name, path = argument.split("=", 1)
        with open(path) as file:
            data = json.loads(file.read().strip().splitlines()[-1])
        lines.append((name, data["rows"], ""))
        if any("peer_decode_tps" in row for row in data["rows"]):
            lines.append((name + ", " + data.get("peer", "peer"), data["rows"], "peer_"))
    return lines


def panel(x0, title, unit, lines, field, places):
    points = [(name, [(row["length"], row[prefix + field]) for row in rows if prefix + field in row and row["length"] in places])
              for name, rows, prefix in lines]
    top = max(value for _, line in points for _, value in line)
    step = 10 ** math.floor(math.log10(top))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if top / s <= 6)
    limit = math.ceil(top / step) * step
    index = {place: i / (len(places) - 1) for i, place in enumerate(places)}
    out = [f'<text x="{x0}" y="{TOP - 18}" class="t">{title}</text>']
    value = 0.0
    while value <= limit * 1.0001:
        y = TOP + HEIGHT * (1 - value / limit)
        out.append(f'<line x1="{x0}" x2="{x0 + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" class="g"/>')
        out.append(f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}{unit}</text>')
        value += step
    for place in places:
        x = x0 + WIDTH * index[place]
        out.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{place}</text>')
    for number, (name, line) in enumerate(points):
        colour = COLOURS[number % len(COLOURS)]
        dots = [(x0 + WIDTH * index[place], TOP + HEIGHT * (1 - value / limit)) for place, value in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in dots]
    return out


def main():
    lines = series(sys.argv[2:])
    for _, rows, prefix in lines:
        for row in rows:
            if prefix + "decode_share" in row:
                row[prefix + "share_percent"] = 100 * row[prefix + "decode_share"]
    second = LEFT + WIDTH + GAP
    width, height = second + WIDTH + 30, TOP + HEIGHT + 50 + 18 * len(lines)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        "<style>text{font:12px sans-serif;fill:#333}.t{font-weight:bold}.g{stroke:#ddd}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    out += panel(LEFT, "Prefill, tokens/s, over the prompt's length", "", lines, "prefill_tps", [32, 128, 512, 2048, 8192])
    out += panel(second, "Decode over depth, % of the rate at depth 0", "", lines, "share_percent",
                 [0, 512, 1024, 2048, 4096, 8192])
    for number, (name, _, _) in enumerate(lines):
        y = TOP + HEIGHT + 44 + 18 * number
        out.append(f'<rect x="{LEFT}" y="{y - 9}" width="18" height="4" fill="{COLOURS[number % len(COLOURS)]}"/>')
        out.append(f'<text x="{LEFT + 26}" y="{y - 3}">{name}</text>')
    out.append("</svg>")
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(out) + "\n")


main()
