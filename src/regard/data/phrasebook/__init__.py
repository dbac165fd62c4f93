"""A seed -> English-German sentence pairs, with gold word alignments and gold English trees.

The phrasebook is an embedded corpus: sentences of everyday life that a synchronous grammar makes.
Chance chooses an abstract sentence, which is then said once in English and once in German:

    seed, length ─> shape ─> abstract sentence ─> English, German, alignment, tree
             shapes.py   speak.py            realise.py

Each English sentence has exactly one German one. Words see to it: every English word is the form of
one word, which has one German word for each use that English shows; every noun shows its number;
there is no "you", and "it" is only the weather. And the shapes see to it: what could belong to two
places never stands where the two would differ in German (`shapes.py` says how).

Sentences are written without capitals, but for "I" and German nouns, and without a full stop;
commas and question marks are words of their own. In the alignment, "does" counts with the German
finite verb, "to" with the infinitive, both parts of a verb that comes apart with the English verb,
"not a" with kein; a German comma is aligned only if English has it too.

>>> from itertools import islice
>>> for example in islice(examples(seed=1, shortest=6, longest=8), 2):
...     print(example.source, "->", example.target)
every day his cow does not become strong -> jeden Tag wird seine Kuh nicht stark
I say that some big churches look quiet -> ich sage , dass einige große Kirchen ruhig aussehen
"""

from regard.data.phrasebook.realise import Example
from regard.data.phrasebook.sets import examples, held_out

__all__ = ["Example", "examples", "held_out"]
