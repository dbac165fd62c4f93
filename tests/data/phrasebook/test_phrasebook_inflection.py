"""Declension and conjugation against tables written by hand."""

import pytest
from phrasebook_by_hand import DETERMINERS, nominal

from regard.data.phrasebook import closed
from regard.data.phrasebook.english import Page
from regard.data.phrasebook.lexicon import ADJECTIVES, BE, NOUNS, VERBS
from regard.data.phrasebook.phrases import simple


def german(text, case):
    return " ".join(word for word, _ in simple(Page(), nominal(text), case))


CASES = ("nom", "acc", "dat")
# English, then nominative, accusative and dative.
DECLENSION = """
the old dog | der alte Hund | den alten Hund | dem alten Hund
the old cat | die alte Katze | die alte Katze | der alten Katze
the old horse | das alte Pferd | das alte Pferd | dem alten Pferd
the old dogs | die alten Hunde | die alten Hunde | den alten Hunden
the old cats | die alten Katzen | die alten Katzen | den alten Katzen
the old horses | die alten Pferde | die alten Pferde | den alten Pferden
this big ball | dieser große Ball | diesen großen Ball | diesem großen Ball
this big bag | diese große Tasche | diese große Tasche | dieser großen Tasche
this big book | dieses große Buch | dieses große Buch | diesem großen Buch
these big books | diese großen Bücher | diese großen Bücher | diesen großen Büchern
every small tree | jeder kleine Baum | jeden kleinen Baum | jedem kleinen Baum
every small city | jede kleine Stadt | jede kleine Stadt | jeder kleinen Stadt
every small house | jedes kleine Haus | jedes kleine Haus | jedem kleinen Haus
which new hat | welcher neue Hut | welchen neuen Hut | welchem neuen Hut
which new lamp | welche neue Lampe | welche neue Lampe | welcher neuen Lampe
which new shirt | welches neue Hemd | welches neue Hemd | welchem neuen Hemd
which new shirts | welche neuen Hemden | welche neuen Hemden | welchen neuen Hemden
a red apple | ein roter Apfel | einen roten Apfel | einem roten Apfel
a red flower | eine rote Blume | eine rote Blume | einer roten Blume
a red car | ein rotes Auto | ein rotes Auto | einem roten Auto
no red apple | kein roter Apfel | keinen roten Apfel | keinem roten Apfel
no red flower | keine rote Blume | keine rote Blume | keiner roten Blume
no red car | kein rotes Auto | kein rotes Auto | keinem roten Auto
no red cars | keine roten Autos | keine roten Autos | keinen roten Autos
my good friend | mein guter Freund | meinen guten Freund | meinem guten Freund
my good mother | meine gute Mutter | meine gute Mutter | meiner guten Mutter
my good child | mein gutes Kind | mein gutes Kind | meinem guten Kind
my good friends | meine guten Freunde | meine guten Freunde | meinen guten Freunden
our old teacher | unser alter Lehrer | unseren alten Lehrer | unserem alten Lehrer
our old queen | unsere alte Königin | unsere alte Königin | unserer alten Königin
our old bed | unser altes Bett | unser altes Bett | unserem alten Bett
their young boy | ihr junger Junge | ihren jungen Jungen | ihrem jungen Jungen
her young lion | ihr junger Löwe | ihren jungen Löwen | ihrem jungen Löwen
his brave farmer | sein mutiger Bauer | seinen mutigen Bauern | seinem mutigen Bauern
the tired neighbour | der müde Nachbar | den müden Nachbarn | dem müden Nachbarn
some green doors | einige grüne Türen | einige grüne Türen | einigen grünen Türen
many heavy boxes | viele schwere Kisten | viele schwere Kisten | vielen schweren Kisten
two lazy monkeys | zwei faule Affen | zwei faule Affen | zwei faulen Affen
three white eggs | drei weiße Eier | drei weiße Eier | drei weißen Eiern
blue coats | blaue Mäntel | blaue Mäntel | blauen Mänteln
cold water | kaltes Wasser | kaltes Wasser | kaltem Wasser
hot soup | heiße Suppe | heiße Suppe | heißer Suppe
fresh cheese | frischer Käse | frischen Käse | frischem Käse
the expensive cars | die teuren Autos | die teuren Autos | den teuren Autos
a dark room | ein dunkles Zimmer | ein dunkles Zimmer | einem dunklen Zimmer
a very small old key | ein sehr kleiner alter Schlüssel | einen sehr kleinen alten Schlüssel \
| einem sehr kleinen alten Schlüssel
"""


@pytest.mark.parametrize("row", DECLENSION.replace("\\\n", "").strip().splitlines())
def test_determiner_adjective_and_noun_agree(row):
    english, *forms = row.split(" | ")
    assert [german(english, case) for case in CASES] == forms


def test_table_has_every_determiner():
    told = {row.split()[0] for row in DECLENSION.strip().splitlines()}
    assert {determiner.english for determiner in DETERMINERS.values()} - told == {"four"}


# Pronouns: subject, object; nominative, accusative, dative.
PRONOUNS = """
I me ich mich mir
he him er ihn ihm
she her sie sie ihr
we us wir uns uns
they them sie sie ihnen
"""


@pytest.mark.parametrize("row", PRONOUNS.strip().splitlines())
def test_pronouns(row):
    subject, other, *forms = row.split()
    pronoun = getattr(closed, subject.upper())
    assert [pronoun.english[case] for case in CASES] == [subject, other, other]
    assert [pronoun.german[case] for case in CASES] == forms


# English: first person, third person; German: ich, er, wir.
CONJUGATION = """
watch watches beobachte beobachtet beobachten
carry carries trage trägt tragen
play plays spiele spielt spielen
go goes gehe geht gehen
work works arbeite arbeitet arbeiten
find finds finde findet finden
dance dances tanze tanzt tanzen
feed feeds füttere füttert füttern
climb climbs klettere klettert klettern
sleep sleeps schlafe schläft schlafen
see sees sehe sieht sehen
read reads lese liest lesen
eat eats esse isst essen
give gives gebe gibt geben
help helps helfe hilft helfen
catch catches fange fängt fangen
throw throws werfe wirft werfen
walk walks laufe läuft laufen
invite invites lade lädt laden
like likes mag mag mögen
know knows weiß weiß wissen
become becomes werde wird werden
greet greets begrüße begrüßt begrüßen
sit sits sitze sitzt sitzen
bake bakes backe backt backen
rain rains regne regnet regnen
"""


@pytest.mark.parametrize("row", CONJUGATION.strip().splitlines())
def test_verbs(row):
    english, third, *forms = row.split()
    verb = VERBS[english]
    assert [verb.finite[person] for person in ("I", "sg", "pl")] == [english, third, english]
    assert [verb.german_finite[person] for person in ("I", "sg", "pl")] == forms


@pytest.mark.parametrize(
    ("verb", "english", "forms"),
    [
        (BE, "am is are", "bin ist sind"),
        (closed.CAN, "can can can", "kann kann können"),
        (closed.MUST, "must must must", "muss muss müssen"),
        (closed.MAY, "may may may", "darf darf dürfen"),
        (closed.SHOULD, "should should should", "sollte sollte sollten"),
        (closed.WANT, "want wants want", "will will wollen"),
    ],
)
def test_irregular_verbs(verb, english, forms):
    assert " ".join(verb.finite[person] for person in ("I", "sg", "pl")) == english
    assert " ".join(verb.german_finite[person] for person in ("I", "sg", "pl")) == forms


def test_plurals():
    plurals = {noun.english: noun.plural for noun in NOUNS.values()}
    told = "man men, child children, mouse mice, knife knives, shelf shelves, box boxes, bus buses"
    told += ", city cities, story stories, key keys, boy boys, church churches, potato potatoes"
    assert {
        pair.split()[0]: pair.split()[1] for pair in told.split(", ")
    }.items() <= plurals.items()
    assert [word for word, plural in plurals.items() if not plural] == [
        *("milk", "water", "tea", "coffee"),
        *("bread", "cheese", "soup"),
    ]


def test_every_number_shows():
    assert all(noun.english != noun.plural for noun in NOUNS.values())


def test_adjectives_that_lose_an_e():
    stems = {adjective.german: adjective.stem for adjective in ADJECTIVES.values()}
    lost = {german: stem for german, stem in stems.items() if german != stem}
    assert lost == {"müde": "müd", "dunkel": "dunkl", "teuer": "teur"}
