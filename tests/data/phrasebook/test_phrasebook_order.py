"""Where the verb and "nicht" stand, against tables written by hand."""

import pytest
from phrasebook_by_hand import clause, does, question, statement, sub

from regard.data.phrasebook.realise import realise

POSITIONS = {
    "main": lambda deed: statement("the man", deed()),
    "front": lambda deed: statement("the man", deed(), front="today"),
    "after clause": lambda deed: statement(
        "the man", deed(), front=sub("because", clause("it", does("rain")))
    ),
    "yes or no": lambda deed: question("the man", deed()),
    "why": lambda deed: question("the man", deed(), "why"),
    "who": lambda deed: question("_", deed(), "who"),
    "subordinate": lambda deed: statement(
        "she", does("say", content=sub("that", clause("the man", deed())))
    ),
    "second of two": lambda deed: statement("the man", does("sing"), deed()),
    "not": lambda deed: statement("the man", deed(how="not")),
    "often": lambda deed: statement("the man", deed(how="often")),
    "can": lambda deed: statement("the man", deed(how="can")),
    "can, subordinate": lambda deed: statement(
        "she", does("say", content=sub("that", clause("the man", deed(how="can"))))
    ),
    "wants to, asked": lambda deed: question("the man", deed(how="want")),
    "can not": lambda deed: statement("the man", deed(how="can not")),
    "not, subordinate": lambda deed: statement(
        "she", does("say", content=sub("that", clause("the man", deed(how="not"))))
    ),
    "two, subordinate": lambda deed: statement(
        "she", does("say", content=sub("that", clause("the man", does("sing"), deed())))
    ),
}

DEEDS = {
    "sleep": lambda how="": does("sleep", how=how),
    "wake": lambda how="": does("wake", how=how),
    "open the door": lambda how="": does("open", "the door", how=how),
    "help a child": lambda how="": does("help", "a child", how=how),
    "wait for the bus": lambda how="": does("wait for", "the bus", how=how),
}

TABLE = """
sleep
    main: der Mann schläft
    front: heute schläft der Mann
    after clause: weil es regnet , schläft der Mann
    yes or no: schläft der Mann ?
    why: warum schläft der Mann ?
    who: wer schläft ?
    subordinate: sie sagt , dass der Mann schläft
    second of two: der Mann singt und schläft
    not: der Mann schläft nicht
    often: der Mann schläft oft
    can: der Mann kann schlafen
    can, subordinate: sie sagt , dass der Mann schlafen kann
    wants to, asked: will der Mann schlafen ?
    can not: der Mann kann nicht schlafen
    not, subordinate: sie sagt , dass der Mann nicht schläft
    two, subordinate: sie sagt , dass der Mann singt und schläft
wake
    main: der Mann wacht auf
    front: heute wacht der Mann auf
    after clause: weil es regnet , wacht der Mann auf
    yes or no: wacht der Mann auf ?
    why: warum wacht der Mann auf ?
    who: wer wacht auf ?
    subordinate: sie sagt , dass der Mann aufwacht
    second of two: der Mann singt und wacht auf
    not: der Mann wacht nicht auf
    often: der Mann wacht oft auf
    can: der Mann kann aufwachen
    can, subordinate: sie sagt , dass der Mann aufwachen kann
    wants to, asked: will der Mann aufwachen ?
    can not: der Mann kann nicht aufwachen
    not, subordinate: sie sagt , dass der Mann nicht aufwacht
    two, subordinate: sie sagt , dass der Mann singt und aufwacht
open the door
    main: der Mann macht die Tür auf
    front: heute macht der Mann die Tür auf
    after clause: weil es regnet , macht der Mann die Tür auf
    yes or no: macht der Mann die Tür auf ?
    why: warum macht der Mann die Tür auf ?
    who: wer macht die Tür auf ?
    subordinate: sie sagt , dass der Mann die Tür aufmacht
    second of two: der Mann singt und macht die Tür auf
    not: der Mann macht die Tür nicht auf
    often: der Mann macht oft die Tür auf
    can: der Mann kann die Tür aufmachen
    can, subordinate: sie sagt , dass der Mann die Tür aufmachen kann
    wants to, asked: will der Mann die Tür aufmachen ?
    can not: der Mann kann die Tür nicht aufmachen
    not, subordinate: sie sagt , dass der Mann die Tür nicht aufmacht
    two, subordinate: sie sagt , dass der Mann singt und die Tür aufmacht
help a child
    main: der Mann hilft einem Kind
    front: heute hilft der Mann einem Kind
    after clause: weil es regnet , hilft der Mann einem Kind
    yes or no: hilft der Mann einem Kind ?
    why: warum hilft der Mann einem Kind ?
    who: wer hilft einem Kind ?
    subordinate: sie sagt , dass der Mann einem Kind hilft
    second of two: der Mann singt und hilft einem Kind
    not: der Mann hilft keinem Kind
    often: der Mann hilft oft einem Kind
    can: der Mann kann einem Kind helfen
    can, subordinate: sie sagt , dass der Mann einem Kind helfen kann
    wants to, asked: will der Mann einem Kind helfen ?
    can not: der Mann kann keinem Kind helfen
    not, subordinate: sie sagt , dass der Mann keinem Kind hilft
    two, subordinate: sie sagt , dass der Mann singt und einem Kind hilft
wait for the bus
    main: der Mann wartet auf den Bus
    front: heute wartet der Mann auf den Bus
    after clause: weil es regnet , wartet der Mann auf den Bus
    yes or no: wartet der Mann auf den Bus ?
    why: warum wartet der Mann auf den Bus ?
    who: wer wartet auf den Bus ?
    subordinate: sie sagt , dass der Mann auf den Bus wartet
    second of two: der Mann singt und wartet auf den Bus
    not: der Mann wartet nicht auf den Bus
    often: der Mann wartet oft auf den Bus
    can: der Mann kann auf den Bus warten
    can, subordinate: sie sagt , dass der Mann auf den Bus warten kann
    wants to, asked: will der Mann auf den Bus warten ?
    can not: der Mann kann nicht auf den Bus warten
    not, subordinate: sie sagt , dass der Mann nicht auf den Bus wartet
    two, subordinate: sie sagt , dass der Mann singt und auf den Bus wartet
"""


def rows():
    deed = ""
    for line in TABLE.strip().splitlines():
        if line.startswith(" "):
            position, german = line.strip().split(": ")
            yield deed, position, german
        else:
            deed = line


@pytest.mark.parametrize(("deed", "position", "german"), list(rows()))
def test_german_verb(deed, position, german):
    assert realise(POSITIONS[position](DEEDS[deed])).target == german


def test_table_is_full():
    assert [row[:2] for row in rows()] == [(d, p) for d in DEEDS for p in POSITIONS]


ENGLISH = {
    "main": "the man opens the door",
    "front": "today the man opens the door",
    "after clause": "because it rains , the man opens the door",
    "yes or no": "does the man open the door ?",
    "why": "why does the man open the door ?",
    "who": "who opens the door ?",
    "subordinate": "she says that the man opens the door",
    "second of two": "the man sings and opens the door",
    "not": "the man does not open the door",
    "often": "the man often opens the door",
    "can": "the man can open the door",
    "can, subordinate": "she says that the man can open the door",
    "wants to, asked": "does the man want to open the door ?",
    "can not": "the man can not open the door",
    "not, subordinate": "she says that the man does not open the door",
    "two, subordinate": "she says that the man sings and opens the door",
}


@pytest.mark.parametrize(("position", "english"), list(ENGLISH.items()))
def test_english_verb(position, english):
    assert realise(POSITIONS[position](DEEDS["open the door"])).source == english
