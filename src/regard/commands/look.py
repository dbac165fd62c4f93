"""regard look: a run, sentences -> what the attention did, as a page, in the terminal, live."""

import shlex
import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regard.commands import options
from regard.commands.device import choose
from regard.commands.output import output
from regard.errors import RecipeError

if TYPE_CHECKING:
    from regard.trace import Trace


def look(
    run: Annotated[
        Path | None, typer.Argument(help="A run, or one of its checkpoints.", show_default=False)
    ] = None,
    sentences: Annotated[
        list[str] | None, typer.Argument(help="What to translate and look at.", show_default=False)
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="A translation to look at instead of the model's own.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="The page to write; attention.html if nothing is asked.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Show it in the terminal.")] = False,
    serve: Annotated[bool, typer.Option("--serve", help="Live, in a browser.")] = False,
    port: Annotated[int, typer.Option(help="Where --serve listens, on this machine alone.")] = 8080,
    lesson: Annotated[
        bool, typer.Option("--lesson", help="The lesson about attention; needs no model.")
    ] = False,
    device: options.Device = "auto",
) -> None:
    """Show what the attention did: one file, opened in any browser, offline; or live."""
    if lesson or not run:
        if run or serve or text or target or not lesson:
            raise RecipeError("give a run to look into, or --lesson alone for the lesson")
        return _lesson(html or Path("lesson.html"))
    if not sentences and not serve:
        raise RecipeError('there is no sentence to look at; give one: regard look RUN "..."')
    if serve and (html or text):
        raise RecipeError("--serve shows its own page; leave out --html and --text, or --serve")
    if target is not None and len(sentences or []) != 1:
        raise RecipeError("--target is the translation of one sentence; give exactly one")
    if serve:
        return _serve(run, sentences or [], target, port, device)
    from regard.commands.looking import Looking

    looking = Looking(run, choose(device), command=_command())
    traces = [looking.trace(sentence, target=target) for sentence in sentences or []]
    if text:
        typer.echo("\n".join(_in_terminal(trace) for trace in traces))
    if html or not text:
        _write(html or Path("attention.html"), traces[0].page(*traces[1:]), traces[0].translation)
    return None


def _lesson(path: Path) -> None:
    from regard.look.page import page

    _write(path, page(), "the lesson")


def _write(path: Path, page: str, what: str) -> None:
    with output(path) as file:
        file.write(page.encode())
    typer.echo(f"{path}: {what}; open it in a browser")


def _in_terminal(trace: "Trace") -> str:
    """The translation, and which word of the source each of its words looked at."""
    from regard.look.terminal import columns

    found = f"{trace.text}\n{trace.translation}\n"
    if not trace.layers("cross"):
        return found + "(this model has no attention to the source)\n"
    words = trace.words()
    shown = words.to_text()
    if not sys.stdout.isatty() or max(map(columns, shown.splitlines())) <= get_terminal_size()[0]:
        return found + shown
    strongest = [
        f"  {links[0].query_text}: "
        + ", ".join(f"{link.key_text} {link.weight:.2f}" for link in links)
        for links in words.strongest(top=3)
        if links
    ]
    title = shown.partition("\n")[0]
    return "\n".join([found + title, *strongest, ""])


def _serve(run: Path, sentences: list[str], target: str | None, port: int, device: str) -> None:
    try:
        import uvicorn

        from regard.look.server import application
    except ImportError:
        raise RecipeError("--serve needs two packages more: pip install 'regard[look]'") from None
    from regard.commands.looking import Looking
    from regard.look.page import page
    from regard.trace import packed

    looking = Looking(run, choose(device), command=_command())
    traces = [packed(looking.trace(sentence, target=target)) for sentence in sentences]
    data: dict[str, Any] = {"live": {"checkpoints": looking.names}, "traces": traces}
    server = uvicorn.Config(
        application(page(data, live=True), looking.answer),
        host="127.0.0.1", port=port, log_level="warning", server_header=False,
    )  # fmt: skip
    listening = _listen(port)
    typer.echo(f"http://127.0.0.1:{listening.getsockname()[1]}/  (Ctrl-C ends it)")
    sys.stdout.flush()
    uvicorn.Server(server).run(sockets=[listening])


def _listen(port: int) -> Any:
    import socket

    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise RecipeError(
            f"port {port} cannot be had: {getattr(error, 'strerror', None) or error}; give another"
            " --port, or 0 for any"
        ) from None
    return listening


def _command() -> str:
    return shlex.join(["regard", *sys.argv[1:]])
