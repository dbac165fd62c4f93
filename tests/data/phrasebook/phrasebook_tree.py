"""Gold trees read back, and what stands together in them; shares nothing with the grammar."""

import re
from typing import NamedTuple


class Tree(NamedTuple):
    label: str
    children: list
    word: str = ""

    def child(self, *labels):
        return next((tree for tree in self.children if tree.label in labels), None)

    def all(self):
        found = [self]
        for tree in found:
            found += tree.children
        return found

    def leaves(self):
        return [word for child in self.children for word in child.leaves()] or [self.word]


def read(text):
    tokens = re.findall(r"\(|\)|[^\s()]+", text)
    open_trees = [Tree("", [])]
    for before, token in zip(["", *tokens], tokens, strict=False):
        if token == ")":
            closed = open_trees.pop()
            open_trees[-1].children.append(closed)
        elif before == "(":
            open_trees.append(Tree(token, []))
        elif token != "(":
            open_trees[-1] = Tree(open_trees[-1].label, [], token)
    [whole] = open_trees
    [tree] = whole.children
    return tree
