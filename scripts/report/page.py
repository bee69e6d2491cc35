"""The page: templates of web/ filled in. Whatever comes from a file goes through escaped()."""
import html
import json
import os
import string
import time

from common.files import short_names

from . import summary

WEB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "web")


def escaped(text):
    return html.escape(str(text), quote=True)


def template(name):
    with open(os.path.join(WEB, name), encoding="utf-8") as file:
        return string.Template(file.read())


def labels(results):
    return short_names([result.path for result in results])


def status_mark(result):
    kind = result.status if result.status in ("done", "running") else "ended"
    reason = summary.reason_of(result)
    return f'<span class="status {kind}">{escaped(result.status)}</span>' + (f" ({escaped(reason)})" if reason else "")


def headlines(results):
    for result, label in zip(results, labels(results)):
        yield f"<li><strong>{escaped(label)}</strong>, {escaped(result.solver)}: {status_mark(result)}</li>"


def table(results):
    lines = []
    for row in summary.rows(results):
        cells = "".join(f"<td><data value=\"{escaped(cell.exact)}\" title=\"{escaped(cell.exact)}\">{escaped(cell.text)}</data></td>"
                        if cell.exact is not None else f"<td>{escaped(cell.text)}</td>" for cell in row.cells)
        lines.append(f"<tr><th scope=\"row\" title=\"{escaped(row.meaning)}\">{escaped(row.label)}</th>{cells}</tr>")
    return f"<table{' class=many' if len(results) > 1 else ''}>" + "\n".join(lines) + "</table>"


def commands(results):
    return "".join(f"<dt>{escaped(label)}</dt><dd><code>{escaped(result.command_line)}</code></dd>"
                   for result, label in zip(results, labels(results)))


def metres(value):
    return f"{value:.2g} m"


def notes(number, result, player):
    """What the player does not show as the file has it."""
    shown, has = len(player.about["number"]), len(result.frames)
    told = [f"{shown} of the {has} frames of the file are shown, evenly thinned." if shown < has - len(player.dropped)
            else "The only frame of the file is shown." if has == 1 else "All frames of the file are shown." if shown == has else ""]
    if player.dropped:
        told.append(f"Frames with numbers that are not finite are left out: {', '.join(map(str, player.dropped))}.")
    offs = [f"{kind} by at most {metres(off)}" for kind, off in
            (("objects that can move", player.off), ("fixed ones", player.off_fixed)) if off is not None]
    told.append(f"Positions are rounded, each coordinate of {' and of '.join(offs)}.")
    if not player.about["counts"]["moving"]:
        told.append("Nothing in this scene moves.")
    elif player.about["speed_grid"] is None:
        told.append("Speeds cannot be shown: " + ("some are not finite." if result.has_velocities else "the file has no velocities."))
    else:
        told.append(f"Speeds are rounded by at most {player.about['speed_grid'] / 2:.2g} m/s.")
    forces = player.about["forces"]
    told.append(f"Forces cannot be shown: {player.no_forces}." if not forces else
                f"Forces are those of contacts, the longest {forces['longest']:.3g} N; their components are rounded by at most "
                f"{forces['newton'] / 2:.2g} N, and those below a hundredth of the longest are left out.")
    return f'<p class="small" data-note-of="{number}" {"hidden" if number else ""}>{escaped(" ".join(filter(None, told)))}</p>'


def player_section(results, players):
    shown = [(result, label, player) for result, label, player in zip(results, labels(results), players) if player]
    choices = "".join(f"<option value=\"{k}\">{escaped(label)}: {escaped(result.solver)}</option>" for k, (result, label, _) in enumerate(shown))
    return template("player.html").substitute(
        one_run="hidden" if len(shown) == 1 else "", choices=choices,
        notes="\n".join(notes(k, result, player) for k, (result, _, player) in enumerate(shown)))


def embedded(players, script):
    """The runs as JSON, their geometry, and the script. In JSON every < is written as \\u003c, so that it ends no element."""
    runs, blocks = [], []
    for k, player in enumerate(player for player in players if player):
        runs.append({**player.about, "parts": {name: f"run{k}-{name}" for name in player.parts}})
        blocks += [f'<script type="application/octet-stream" id="run{k}-{name}">{part}</script>' for name, part in player.parts.items()]
    text = json.dumps(runs, allow_nan=False).replace("<", "\\u003c")
    if "</script" in script.lower() or "<!--" in script:
        script = script.replace("<!--", "\\x3c!--").replace("</script", "<\\/script")
    return "\n".join([f'<script type="application/json" id="runs">{text}</script>', *blocks, f"<script>{script}</script>"])


def plots_section(pictures, trouble):
    if not pictures and not trouble:
        return ""
    figures = "".join(f'<figure style="--inches: {picture.inches:g}"{" class=broad" if picture.inches > 10 else ""}>'
                      f'<img src="{picture.address}" alt="{escaped(picture.kind)}"></figure>' for picture in pictures)
    note = f'<p class="trouble">{escaped(trouble)}</p>' if trouble else ""
    return f'<section><h2>Plots</h2>{note}<div class="plots">{figures}</div></section>'


def licences(text):
    return f"<details><summary>Licences of what this page contains</summary><pre>{escaped(text)}</pre></details>" if text else ""


def written(results, players, trouble, pictures, plot_trouble, bundle):
    """The page. `trouble` says why there is no player; an empty `bundle` stands for none."""
    scenes = list(dict.fromkeys(result.name for result in results))
    section = (player_section(results, players) if any(players) and bundle else
               f'<section><h2>Frames</h2><p class="trouble">{escaped(trouble)}</p></section>')
    with open(os.path.join(WEB, "page.css"), encoding="utf-8") as file:
        style = file.read()
    return template("page.html").substitute(
        title=escaped(", ".join(scenes)), style=style, headlines="\n".join(headlines(results)), player=section,
        table=table(results), commands=commands(results), plots=plots_section(pictures, plot_trouble), made=time.strftime("%Y-%m-%d %H:%M"),
        licences=licences(bundle.licences if bundle else ""), data=embedded(players, bundle.script) if bundle and any(players) else "")
