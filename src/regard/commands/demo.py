"""regard demo: the whole way on the embedded corpus, in minutes."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from regard.commands import options
from regard.commands.device import choose
from regard.commands.output import output, write_json

SENTENCE = "the cat watches the mouse on the rug"


def demo(
    run: Annotated[Path, typer.Option(help="Where to put the run.")] = Path("runs/demo"),
    json: options.Json = None,
    device: options.Device = "auto",
) -> int:
    """Learn the embedded corpus, translate its held-out sentences, and print the scores."""
    from regard.commands.looking import Looking
    from regard.commands.progress import Screen
    from regard.train.loop import train
    from regard.train.recipe import read_recipe
    from regard.train.record import listeners
    from regard.translator import Translator

    recipe = read_recipe(Path(__file__).with_name("demo.toml"))
    place = choose(device)
    started = time.perf_counter()
    with Screen() as screen:
        outcome = train(recipe, run, device=place, listeners=[*listeners(run), screen])
    if outcome.reason == "interrupted":
        typer.echo("saved; regard demo goes on from there", err=True)
        return 128 + outcome.signal
    figures: dict[str, Any] = {"learning": {"seconds": time.perf_counter() - started}}
    typer.echo(f"\n{'held-out set':14}{'exact match':>12}{'BLEU':>8}{'seconds':>9}")
    translator = Translator.load(run, device=place)
    phrasebook = recipe.data.phrasebook
    assert phrasebook
    for name, examples in phrasebook.held_out().items():
        if name != "dev":
            pairs = [(example.source, example.target) for example in examples]
            figures[name] = _score(translator, pairs)
            typer.echo(
                f"{name:14}{figures[name]['exact_match']:>11.1%}"
                f"{figures[name]['bleu']:>9.2f}{figures[name]['seconds']:>9.1f}"
            )
    translation = translator.translate([SENTENCE])[0].text
    typer.echo(f"\n{SENTENCE}\n{translation}\n")
    page = run / "attention.html"
    trace = Looking(run, place, command=f"regard demo --run {run}").trace(SENTENCE)
    with output(page) as file:
        file.write(trace.page().encode())
    typer.echo(f"What its attention did, in any browser: {page}\n")
    typer.echo("What to try next:")
    typer.echo(f'  echo "the old dog sleeps in the garden" | regard translate {run}')
    typer.echo(f'  regard look {run} "the old dog sleeps in the garden" --text')
    typer.echo("  regard phrasebook --out data/phrasebook    the corpus itself, to look at")
    typer.echo("  regard train RECIPE                        your own text; see recipes/")
    write_json(json, figures)
    return 0


def _score(translator: Any, pairs: list[tuple[str, str]]) -> dict[str, float]:
    from regard.evaluate import bleu

    started = time.perf_counter()
    found = [translation.text for translation in translator.translate([s for s, _ in pairs])]
    seconds = time.perf_counter() - started
    wanted = [target for _, target in pairs]
    right = sum(a == b for a, b in zip(found, wanted, strict=True))
    return {
        "exact_match": right / len(pairs),
        "bleu": bleu(found, wanted, tokenize="none").score,
        "seconds": seconds,
    }
