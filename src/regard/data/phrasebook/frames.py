"""What stands with a verb, and what a noun phrase consists of; `shapes.py` says how to read it."""

# "frame" and "still" differ in what is free to follow: when something is denied, no time.
FRAMES = """
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
    4 go: verb place
    2 rest: verb place
    1 seem: verb quality
feel.person
    1 feel person: verb object.still.person
    1 feel animal: verb object.still.animal
    2 feel thing: verb object.still.thing
feel.animal
    1 feel person: verb object.still.person
    1 feel animal: verb object.still.animal
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

PHRASES = """
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
    2 relative: definite relative.THING
alone.person
    3 pronoun: pronoun
    5 simple: simple
    1 place: definite place
    1 relative: definite relative.person
alone.NOUN
    5 simple: simple
    1 place: definite place
    1 relative: definite relative.NOUN
calm.person
    1 pronoun: pronoun
    2 simple: simple
calm.NOUN
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
relative.THING
    2 subject: that deed.large
    1 subject: that refusal.large
    4 object: that agent reach.thing
final.thing
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
