"""The shapes of sentences: what can consist of what, how often, and of how many English words.

Under each symbol a line reads "weight name: parts"; a part that is no symbol is one English word,
whichever it will be. A symbol with a dot ends in what it is about: a person, an animal, a small
thing (one that can lie in a box), a large one, or the weather.

The shapes see to it that a sentence has one reading:

- What ends in a clause comes last, so that nothing follows that could belong to either clause; only
  ", and" and ", but" begin a main clause anew.
- "and" without a comma joins what stands right before it: so the first of two deeds has no modal
  verb and no "not", the first of two deeds or clauses does not end in a clause, and the subject of
  the second clause is not two nouns itself.
- Only a subject has a place of its own (the cat on the rug); any other place, and any time, belongs
  to the verb before it.
"""

import re

from regard.data.phrasebook.lengths import Shapes

_SENTENCES = """
sentence
    6 statement: statement
    1 question: question
statement
    2 one: main
    1 joined: half , and rest
rest
    3 one: half
    1 joined: half , and rest
main
    10 plain: clause
    2 timed: time single
    5 conditioned: subordinate , single
half
    8 plain: closed
    4 plain: clause
    1 timed: time single
    1 conditioned: subordinate , single
subordinate
    1 one: because content
content
    6 one: closed
    2 one: clause
    3 two: closed and second
question
    6 yesno: does alone.person frame.person ?
    3 yesno: does alone.animal frame.animal ?
    3 yesno: does alone.person still.person subordinate ?
    1 yesno: alone.person be.person ?
    1 yesno: alone.animal be.animal ?
    1 yesno: alone.small be.small ?
    1 yesno: alone.large be.large ?
    4 who: who ending.person ?
    2 which: which.person ending.person ?
    2 which: which.animal ending.animal ?
    3 what: what does agent reach.thing ?
    3 whom: who does agent reach.person ?
    2 which object: which.thing does agent reach.thing ?
    2 which object: which.animal does agent reach.animal ?
    2 where: where does alone.person core.person ?
    2 where: where does alone.animal core.animal ?
    1 where: where is alone.person ?
    1 where: where is alone.animal ?
    1 where: where is alone.small ?
    3 when: when does alone.person still.person ?
    3 why: why does alone.person still.person ?
    2 why: why does alone.animal still.animal ?
    1 why: why alone.person be.person ?
"""

# A clause stands anyhow; it stands single after a front, closed before an "and", second after one.
_CLAUSES = """
WAY
    120 person: WAY.person
    40 animal: WAY.animal
    12 small: WAY.small
    6 large: WAY.large
    1 weather: WAY.weather
clause.KIND
    12 does: subject.KIND deeds.KIND
    2 not: calm.KIND refusal.KIND
    1 not: calm.KIND refusal.KIND subordinate
single.KIND
    5 does: subject.KIND ending.KIND
    1 not: calm.KIND refusal.KIND
closed.KIND
    5 does: subject.KIND deed.KIND
    1 not: calm.KIND refusal.KIND
second.KIND
    5 does: alone.KIND ending.KIND
    1 not: calm.KIND refusal.KIND
deeds.BEING
    6 deed: deed.BEING
    14 long: long.BEING
    6 circumstance: deed.BEING subordinate
    6 two: frame.BEING and ending.BEING
deeds.OTHER
    9 deed: deed.OTHER
    1 circumstance: deed.OTHER subordinate
ending.BEING
    6 deed: deed.BEING
    2 long: long.BEING
    1 circumstance: deed.BEING subordinate
ending.OTHER
    9 deed: deed.OTHER
    1 circumstance: deed.OTHER subordinate
deed.BEING
    12 act: manner frame.BEING
    2 act: often still.BEING
    1 be: mood be.BEING
deed.OTHER
    1 act: mood frame.OTHER
    1 be: mood be.OTHER
refusal.BEING
    6 act: denial still.BEING
    1 be: no be.BEING
refusal.OTHER
    1 act: doubt frame.OTHER
    2 be: no be.OTHER
long.BEING
    1 act: manner open.BEING
manner
    7 plain:
    2 modal: can
    1 want: wants to
often
    1 often: adverb
mood
    5 plain:
    1 often: adverb
denial
    5 not: does not
    2 modal not: can not
    1 want not: does not want to
doubt
    1 not: does not
no
    1 not: not
"""

# "frame" and "still" differ in what is free to follow: when something is denied, no time.
_FRAMES = """
FRAME.person
    8 do: verb free.FRAME
    4 act person: verb object.FRAME.person free.FRAME
    3 act animal: verb object.FRAME.animal free.FRAME
    10 act thing: verb object.FRAME.thing free.FRAME
    2 listen: verb to someone free.FRAME
    3 await person: verb for someone free.FRAME
    2 await animal: verb for something free.FRAME
    2 await thing: verb for something free.FRAME
    2 do: verb with.company
    4 make: verb something with.benefit
    1 feel person: verb object.FRAME.person
    1 feel animal: verb object.FRAME.animal
    2 feel thing: verb object.FRAME.thing
    12 hand: verb recipient something
    4 go: verb place
    5 put: verb something place
    2 live: verb place
    2 rest: verb place
    3 seem: verb quality
FRAME.animal
    8 do: verb free.FRAME
    4 act person: verb object.FRAME.person free.FRAME
    5 act animal: verb object.FRAME.animal free.FRAME
    1 feel person: verb object.FRAME.person
    4 go: verb place
    2 rest: verb place
    1 seem: verb quality
frame.small
    1 seem: verb quality
    3 belong: verb to someone
frame.large
    1 seem: verb quality
frame.weather
    1 weather: verb
core.person
    5 do: verb
    2 act person: verb someone
    2 act animal: verb something
    4 act thing: verb something
core.animal
    4 do: verb
    1 act person: verb someone
    2 act animal: verb something
be.BEING
    5 be: is quality
    1 be: is place
be.small
    4 be: is quality
    3 be: is place
be.large
    1 be: is quality
be.weather
    1 be: is quality
open.person
    3 act person: verb last.person
    2 act animal: verb last.animal
    4 act thing: verb last.thing
    1 do: verb place.last
    1 go: verb place.last
    16 say: verb that content
    6 tell: verb recipient that content
    6 ask: verb someone whether content
open.animal
    2 act person: verb last.person
    3 act animal: verb last.animal
    1 do: verb place.last
    1 go: verb place.last
"""

_PHRASES = """
subject.person
    4 pronoun: pronoun
    7 simple: simple
    1 place: definite place
    4 relative: definite relative.person
    1 both: simple and simple
subject.animal
    7 simple: simple
    1 place: definite place
    3 relative: definite relative.animal
    1 both: simple and simple
subject.THING
    7 simple: simple
    1 place: definite place
    2 relative: definite relative.thing
alone.person
    3 pronoun: pronoun
    5 simple: simple
    1 place: definite place
    1 relative: definite relative.person
alone.animal
    5 simple: simple
    1 place: definite place
    1 relative: definite relative.animal
alone.THING
    5 simple: simple
    1 place: definite place
    1 relative: definite relative.thing
calm.person
    1 pronoun: pronoun
    2 simple: simple
calm.animal
    1 simple: simple
calm.THING
    1 simple: simple
SUBJECT.weather
    1 pronoun: it
object.frame.person
    2 pronoun: pronoun
    6 simple: simple
    1 both: simple and simple
object.frame.THINGS
    6 simple: simple
    1 both: simple and simple
object.still.person
    2 pronoun: pronoun
    6 simple: simple
object.still.THINGS
    1 simple: simple
recipient
    2 pronoun: pronoun
    6 simple: simple
    1 both: simple and simple
someone
    2 pronoun: pronoun
    5 simple: simple
something
    1 simple: simple
agent
    2 pronoun: pronoun
    5 simple: simple
which.OBJECT
    3 whole: which noun
    1 whole: which adjective noun
last.OBJECT
    1 relative: definite final.OBJECT
relative.BEING
    4 subject: who deed.BEING
    1 subject: who refusal.BEING
    3 object: who agent reach.BEING
final.BEING
    5 subject: who deeds.BEING
    1 subject: who refusal.BEING
    3 object: who agent reach.BEING
FINAL.thing
    2 subject: that deed.large
    1 subject: that refusal.large
    4 object: that agent reach.thing
reach.OBJECT
    1 object: verb free.still
simple
    2 bare: noun
    1 bare: adjective noun
    14 whole: the noun
    8 whole: the adjective noun
    1 very: the very adjective noun
    2 whole: the adjective adjective noun
definite
    14 whole: the noun
    8 whole: the adjective noun
    1 very: the very adjective noun
    2 whole: the adjective adjective noun
quality
    3 plain: adjective
    1 very: very adjective
place
    1 place: preposition definite
place.last
    1 place: preposition last.thing
with.company
    1 with: with someone
with.benefit
    1 for: for someone
free.frame
    5 none:
    4 where: place
    4 when: time
    2 both: place time
free.still
    3 none:
    2 where: place
time
    2 time: word
    2 time: word word
    1 time: word word word
"""

# What a word in capitals stands for, one after the other.
_EACH = {
    "WAY": ("clause", "single", "closed", "second"),
    "SUBJECT": ("subject", "alone", "calm"),
    "KIND": ("person", "animal", "small", "large", "weather"),
    "BEING": ("person", "animal"),
    "OTHER": ("small", "large", "weather"),
    "THINGS": ("animal", "thing"),
    "THING": ("small", "large"),
    "OBJECT": ("person", "animal", "thing"),
    "FRAME": ("frame", "still"),
    "FINAL": ("relative", "final"),
}


def _expanded(table: str) -> str:
    """The table with each block, a symbol and its lines, once for each choice of its capitals."""
    blocks = re.split(r"\n(?=\S)", table)
    for word, choices in _EACH.items():
        blocks = [
            block.replace(word, choice)
            for block in blocks
            for choice in (choices if word in block else ("",))
        ]
    return "\n".join(blocks)


SHAPES = Shapes(_expanded(_SENTENCES + _CLAUSES + _FRAMES + _PHRASES))
draw = SHAPES.draw
