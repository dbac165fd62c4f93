"""text -> what to be wary of before it is scored."""

import re
from collections.abc import Sequence

_ALONE = re.compile(r"(?<=\s)[.,;:?!)](?=\s|$)|(?<=\s)(?:@-@|&(?:quot|apos|amp);)(?=\s|$)")
_JOINED = re.compile(r"\w[.,;:?!](?=\s|$)")
_ENOUGH = 20
"""Lines, or marks, below which nothing is concluded."""


def tokenised(texts: Sequence[str]) -> bool:
    """Whether punctuation mostly stands alone, as it does in this: a dog , who sleeps ."""
    alone = sum(len(_ALONE.findall(text)) for text in texts)
    joined = sum(len(_JOINED.findall(text)) for text in texts)
    return alone > joined and alone + joined >= min(_ENOUGH, len(texts))


def hyphens_split(texts: Sequence[str]) -> bool:
    """Whether a tokeniser has cut words at their hyphens already."""
    return any("@-@" in text for text in texts)


def lowercased(texts: Sequence[str]) -> bool:
    """Whether there are no capitals, in a script that has them."""
    whole = "".join(texts)
    return whole.upper() != whole and whole.lower() == whole and len(texts) >= _ENOUGH


def warnings(
    name: str, texts: Sequence[str], references: Sequence[str], *, tokenize: str, lowercase: bool
) -> list[str]:
    """What may make the scores of `texts` other than they seem.

    Args:
        name: Whose texts they are.
        texts: Translations, one a sentence.
        references: What they should be.
        tokenize: The tokenizer that BLEU is about to use.
        lowercase: Whether it will ignore case.
    """
    found = []
    ours, theirs = tokenised(texts), tokenised(references)
    if ours != theirs:
        which = (name, "the reference") if ours else ("the reference", name)
        found.append(f"{which[0]} looks tokenised and {which[1]} does not; make them alike")
    elif ours and tokenize != "none":
        found.append(
            f"{name} looks tokenised, and {tokenize} cuts it again; figures of detokenised text"
            " compare with others', and --tokenize none takes the words as they are"
        )
    elif not ours and tokenize == "none":
        found.append(f"{name} does not look tokenised; --tokenize 13a separates punctuation")
    if not lowercase and lowercased(texts):
        if lowercased(references):
            found.append(
                f"{name} and the reference look lowercased: the figures do not compare with those"
                " of cased text, whatever the signature says"
            )
        else:
            found.append(
                f"{name} looks lowercased and the reference does not; --lowercase ignores case"
            )
    if hyphens_split(texts) or hyphens_split(references):
        found.append(
            f"{name} has hyphens cut by its tokeniser (@-@); BLEU the paper's way counts them as"
            " they stand"
        )
    return found
