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

from regard.data.phrasebook.frames import FRAMES, PHRASES
from regard.data.phrasebook.lengths import Shapes

_SENTENCES = """
sentence
    10 statement: statement
    1 question: question
statement
    2 one: main
    1 joined: half , and rest
rest
    3 one: half
    1 joined: half , and rest
main
    10 plain: clause
    2 timed: time timed
    10 conditioned: subordinate , single
half
    8 plain: closed
    4 plain: clause
    1 timed: time timed
    1 conditioned: subordinate , single
subordinate
    1 one: because content
content
    5 one: closed
    2 one: clause
    5 two: closed and second
question
    6 yesno: does alone.person frame.person ?
    3 yesno: does alone.animal frame.animal ?
    2 yesno: does alone.weather frame.weather ?
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

# A clause stands anyhow; single after another one and a comma, timed after a time, closed before an
# "and", second after one.
_CLAUSES = """
WAY
    20 person: WAY.person
    7 animal: WAY.animal
    2 small: WAY.small
    1 large: WAY.large
    0.1 weather: WAY.weather
clause.KIND
    12 does: subject.KIND deeds.KIND
    2 not: calm.KIND refusal.KIND
    1 not: calm.KIND refusal.KIND subordinate
single.KIND
    5 does: subject.KIND ending.KIND
    1 not: calm.KIND refusal.KIND
timed.BEING
    6 does: subject.BEING steady.BEING
    2 does: subject.BEING long.BEING
    1 not: calm.BEING refusal.BEING
timed.OTHER
    6 does: subject.OTHER deed.OTHER
    1 not: calm.OTHER refusal.OTHER
closed.KIND
    5 does: subject.KIND deed.KIND
    1 not: calm.KIND refusal.KIND
second.KIND
    5 does: alone.KIND ending.KIND
    1 not: calm.KIND refusal.KIND
deeds.BEING
    6 deed: deed.BEING
    30 long: long.BEING
    18 circumstance: deed.BEING subordinate
    9 two: frame.BEING and ending.BEING
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
    24 act: manner frame.BEING
    4 act: often still.BEING
    3 act: mood feel.BEING
    2 be: mood be.BEING
steady.BEING
    12 act: manner still.BEING
    1 act: mood feel.BEING
    1 be: mood be.BEING
deed.OTHER
    1 act: mood frame.OTHER
    1 be: mood be.OTHER
refusal.BEING
    12 act: denial still.BEING
    1 act: doubt feel.BEING
    1 be: no be.BEING
refusal.OTHER
    1 act: doubt frame.OTHER
    1 be: no be.OTHER
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

# What a word in capitals stands for, one after the other.
_EACH = {
    "WAY": ("clause", "single", "timed", "closed", "second"),
    "SUBJECT": ("subject", "alone", "calm"),
    "KIND": ("person", "animal", "small", "large", "weather"),
    "BEING": ("person", "animal"),
    "NOUN": ("animal", "small", "large"),
    "OTHER": ("small", "large", "weather"),
    "THINGS": ("animal", "thing"),
    "THING": ("small", "large"),
    "OBJECT": ("person", "animal", "thing"),
    "FRAME": ("frame", "still"),
}

SHAPES = Shapes(_SENTENCES + _CLAUSES + FRAMES + PHRASES, each=_EACH)
draw = SHAPES.draw
