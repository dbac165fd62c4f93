"""A dictionary form -> its inflected forms, English and German, present tense.

Genders are written m, f, n, and p for any plural; cases nom, acc, dat; persons I, sg (he, she, it,
one noun) and pl (we, they, several).
"""

GENDERS = "mfnp"
CASES = ("nom", "acc", "dat")

# Endings in the order of GENDERS, one row a case; "-" is no ending.
_STRONG = {"nom": "er e es e", "acc": "en e es e", "dat": "em er em en"}
_MIXED = {"nom": "er e es en", "acc": "en e es en", "dat": "en en en en"}
_WEAK = {"nom": "e e e en", "acc": "en e e en", "dat": "en en en en"}
_EIN = {"nom": "- e - e", "acc": "en e - e", "dat": "em er em en"}
_DER = {"nom": "der die das die", "acc": "den die das die", "dat": "dem der dem den"}
_NONE = {"nom": "- - - -", "acc": "- - - -", "dat": "- - - -"}

# How a determiner declines, and how the adjective after it does.
_PATTERNS = {
    "der": (_DER, _WEAK),
    "dieser": (_STRONG, _WEAK),
    "ein": (_EIN, _MIXED),
    "viele": (_STRONG, _STRONG),
    "zwei": (_NONE, _STRONG),
}


def _cell(table: dict[str, str], case: str, gender: str) -> str:
    return table[case].split()[GENDERS.index(gender)].strip("-")


def german_determiner(stem: str, pattern: str) -> dict[tuple[str, str], tuple[str, str]]:
    """(case, gender) -> the determiner and the ending of an adjective after it."""
    own, adjective = _PATTERNS[pattern]
    return {
        (case, gender): (stem + _cell(own, case, gender), _cell(adjective, case, gender))
        for case in CASES
        for gender in GENDERS
    }


def german_noun(singular: str, plural: str, *, weak: bool) -> dict[tuple[str, bool], str]:
    """(case, plural) -> the noun; a weak one is, but for the nominative, like its plural."""
    dative = plural if plural.endswith(("n", "s")) else plural + "n"
    return {
        ("nom", False): singular,
        ("acc", False): plural if weak else singular,
        ("dat", False): plural if weak else singular,
        ("nom", True): plural,
        ("acc", True): plural,
        ("dat", True): dative if plural else "",
    }


def german_relative() -> dict[tuple[str, str], str]:
    """(case, gender) -> the relative pronoun: the article but for one form."""
    forms = {(case, gender): _cell(_DER, case, gender) for case in CASES for gender in GENDERS}
    return forms | {("dat", "p"): "denen"}


def german_stem(adjective: str) -> str:
    """What the endings of an adjective are put to: müde, dunkel and teuer lose an e."""
    if adjective.endswith(("el", "uer")):
        return adjective[:-2] + adjective[-1]
    return adjective.removesuffix("e")


def german_verb(infinitive: str, irregular: str = "") -> dict[str, str]:
    """Person -> the finite verb; irregular gives the third person, or first/third."""
    stem = infinitive.removesuffix("n").removesuffix("e")
    first, _, third = irregular.rpartition("/")
    link = "e" if stem.endswith(("d", "t")) else ""
    return {"I": first or stem + "e", "sg": third or stem + link + "t", "pl": infinitive}


def english_s(word: str) -> str:
    """A word with the s of the plural and of the third person: boxes, cities, keys."""
    if word.endswith(("s", "x", "ch", "sh", "o")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def english_verb(base: str) -> dict[str, str]:
    """Person -> the finite verb."""
    return {"I": base, "sg": english_s(base), "pl": base}
