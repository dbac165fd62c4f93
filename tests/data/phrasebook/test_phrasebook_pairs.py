"""Whole sentences, alignments and trees written by hand."""

import re

import pytest
from phrasebook_by_hand import clause, does, nominal, prepositional, question, said, statement, sub

from regard.data.phrasebook.realise import realise

RAIN = clause("it", does("rain"))

PAIRS = [
    (
        statement("the cat", does("watch", "the mouse", where="on the rug")),
        "the cat watches the mouse on the rug",
        "die Katze beobachtet die Maus auf dem Teppich",
    ),
    (statement("I", said("be", "tired")), "I am tired", "ich bin müde"),
    (statement("we", said("be", "very hungry")), "we are very hungry", "wir sind sehr hungrig"),
    (statement("the sofa", said("look", "old")), "the sofa looks old", "das Sofa sieht alt aus"),
    (
        statement("the mice", said("look", "hungry", how="not")),
        "the mice do not look hungry",
        "die Mäuse sehen nicht hungrig aus",
    ),
    (
        statement("the boy", said("become", "strong")),
        "the boy becomes strong",
        "der Junge wird stark",
    ),
    (statement("it", does("snow", how="often")), "it often snows", "es schneit oft"),
    (statement("it", said("be", "cold", how="not")), "it is not cold", "es ist nicht kalt"),
    (
        statement("my mother", does("give", "an apple", to="the child")),
        "my mother gives the child an apple",
        "meine Mutter gibt dem Kind einen Apfel",
    ),
    (
        statement("she", does("show", "her books", to="him")),
        "she shows him her books",
        "sie zeigt ihm ihre Bücher",
    ),
    (
        statement("the guests", does("offer", "hot tea", to="the students")),
        "the guests offer the students hot tea",
        "die Gäste bieten den Studenten heißen Tee an",
    ),
    (
        statement("he", does("lend", "his bicycle", to="our neighbour", how="not")),
        "he does not lend our neighbour his bicycle",
        "er leiht unserem Nachbarn sein Fahrrad nicht",
    ),
    (
        statement("they", does("send", "letters", to="their brother", how="not")),
        "they do not send their brother letters",
        "sie schicken ihrem Bruder keine Briefe",
    ),
    (
        statement("I", does("drink", "milk", how="not")),
        "I do not drink milk",
        "ich trinke keine Milch",
    ),
    (
        statement("the lion", does("see", "a very old fox", how="not")),
        "the lion does not see a very old fox",
        "der Löwe sieht keinen sehr alten Fuchs",
    ),
    (
        statement("the bears", does("follow", "the farmer")),
        "the bears follow the farmer",
        "die Bären folgen dem Bauern",
    ),
    (
        statement("the girl", does("thank", "me", when="today")),
        "the girl thanks me today",
        "das Mädchen dankt mir heute",
    ),
    (
        statement("the boy", does("feed", "the horses", when="every day")),
        "the boy feeds the horses every day",
        "der Junge füttert jeden Tag die Pferde",
    ),
    (
        statement("he", does("read", "a book", where="in the garden", when="in the evening")),
        "he reads a book in the garden in the evening",
        "er liest am Abend ein Buch im Garten",
    ),
    (
        statement("we", does("invite", "the doctors", when="on sunday")),
        "we invite the doctors on sunday",
        "wir laden am Sonntag die Ärzte ein",
    ),
    (
        statement("the woman", does("call", "her sister", how="must"), front="now"),
        "now the woman must call her sister",
        "jetzt muss die Frau ihre Schwester anrufen",
    ),
    (
        statement("the child", does("go", goal="to the school")),
        "the child goes to the school",
        "das Kind geht zur Schule",
    ),
    (
        statement("the queen", does("go", goal="to the market")),
        "the queen goes to the market",
        "die Königin geht zum Markt",
    ),
    (
        statement("the duck", does("run", goal="into the house")),
        "the duck runs into the house",
        "die Ente rennt ins Haus",
    ),
    (
        statement("the monkey", does("climb", goal="onto the bridge")),
        "the monkey climbs onto the bridge",
        "der Affe klettert auf die Brücke",
    ),
    (
        statement("the goats", does("come", goal="from the village")),
        "the goats come from the village",
        "die Ziegen kommen aus dem Dorf",
    ),
    (
        statement("the dog", does("walk", goal="through the forest")),
        "the dog walks through the forest",
        "der Hund läuft durch den Wald",
    ),
    (
        statement("he", does("put", "the key", goal="into the bag", how="not")),
        "he does not put the key into the bag",
        "er legt den Schlüssel nicht in die Tasche",
    ),
    (
        statement("the friends", does("live", goal="in a city")),
        "the friends live in a city",
        "die Freunde wohnen in einer Stadt",
    ),
    (
        statement("the bird", does("sit", goal="at the window")),
        "the bird sits at the window",
        "der Vogel sitzt am Fenster",
    ),
    (
        statement("the shoes", does("be", goal="under the bed")),
        "the shoes are under the bed",
        "die Schuhe sind unter dem Bett",
    ),
    (
        statement("the father", does("bake", "bread", where="for his guests")),
        "the father bakes bread for his guests",
        "der Vater backt Brot für seine Gäste",
    ),
    (
        statement("we", does("dance", where="with them")),
        "we dance with them",
        "wir tanzen mit ihnen",
    ),
    (
        statement("she", does("shop", where="without her sister", how="want")),
        "she wants to shop without her sister",
        "sie will ohne ihre Schwester einkaufen",
    ),
    (
        statement("the student", does("wait for", "the train", where="at the station")),
        "the student waits for the train at the station",
        "der Student wartet am Bahnhof auf den Zug",
    ),
    (
        statement("he", does("dream of", "the house")),
        "he dreams of the house",
        "er träumt vom Haus",
    ),
    (
        statement("they", does("talk about", "us", how="should not")),
        "they should not talk about us",
        "sie sollten nicht über uns sprechen",
    ),
    (
        statement("I", does("think of", "her", how="always")),
        "I always think of her",
        "ich denke immer an sie",
    ),
    (
        statement("this umbrella", does("belong to", "the teacher", how="not")),
        "this umbrella does not belong to the teacher",
        "dieser Regenschirm gehört dem Lehrer nicht",
    ),
    (
        statement("the children", does("listen to", "the queen")),
        "the children listen to the queen",
        "die Kinder hören der Königin zu",
    ),
    (
        statement("the cat and the dog", does("sleep", where="on the sofa")),
        "the cat and the dog sleep on the sofa",
        "die Katze und der Hund schlafen auf dem Sofa",
    ),
    (
        statement("he", does("buy", "an umbrella and two hats")),
        "he buys an umbrella and two hats",
        "er kauft einen Regenschirm und zwei Hüte",
    ),
    (
        statement("the woman", does("close", "the window"), does("wake", how="not")),
        "the woman closes the window and does not wake",
        "die Frau macht das Fenster zu und wacht nicht auf",
    ),
    (
        statement("she", does("sing"), then=("and", statement("the birds", does("sleep")))),
        "she sings , and the birds sleep",
        "sie singt , und die Vögel schlafen",
    ),
    (
        statement(
            "I",
            does("work"),
            then=("but", statement("he", does("play"), front=sub("if", RAIN))),
        ),
        "I work , but if it rains , he plays",
        "ich arbeite , aber wenn es regnet , spielt er",
    ),
    (
        statement(nominal("the cat", place="on the rug"), does("hear", "us")),
        "the cat on the rug hears us",
        "die Katze auf dem Teppich hört uns",
    ),
    (
        statement(nominal("the man", relative=clause("_", does("dance"))), does("laugh")),
        "the man who dances laughs",
        "der Mann , der tanzt , lacht",
    ),
    (
        statement(
            nominal("the women", relative=clause("he", does("help", "_"))),
            does("arrive"),
            front="today",
        ),
        "today the women who he helps arrive",
        "heute kommen die Frauen , denen er hilft , an",
    ),
    (
        statement(
            "the girl",
            does("hide", nominal("the ball", relative=clause("the dog", does("find", "_")))),
        ),
        "the girl hides the ball that the dog finds",
        "das Mädchen versteckt den Ball , den der Hund findet",
    ),
    (
        statement(
            "he",
            does(
                "call", nominal("the doctor", relative=clause("_", does("help", "us"))), how="can"
            ),
        ),
        "he can call the doctor who helps us",
        "er kann den Arzt anrufen , der uns hilft",
    ),
    (
        statement(
            "we",
            does(
                "sleep",
                where=prepositional("in the house", relative=clause("I", does("build", "_"))),
            ),
        ),
        "we sleep in the house that I build",
        "wir schlafen in dem Haus , das ich baue",
    ),
    (
        statement(
            "the boy",
            does(
                "say",
                content=sub("that", clause("the cows", does("eat", "apples", how="not"))),
            ),
        ),
        "the boy says that the cows do not eat apples",
        "der Junge sagt , dass die Kühe keine Äpfel essen",
    ),
    (
        statement(
            "she",
            does(
                "ask",
                "me",
                content=sub("whether", clause("we", does("arrive", when="today"))),
            ),
        ),
        "she asks me whether we arrive today",
        "sie fragt mich , ob wir heute ankommen",
    ),
    (
        statement(
            "we",
            does(
                "tell",
                to="the teacher",
                content=sub("that", clause("the school", said("be", "empty"))),
            ),
        ),
        "we tell the teacher that the school is empty",
        "wir erzählen dem Lehrer , dass die Schule leer ist",
    ),
    (
        statement(
            "the guests",
            does("return", circumstance=sub("when", clause("it", does("rain")))),
        ),
        "the guests return when it rains",
        "die Gäste kommen zurück , wenn es regnet",
    ),
    (
        statement(
            "he",
            does("laugh"),
            front=sub(
                "although",
                clause("the dog", does("see", "him")),
                clause("the bears", does("wake")),
            ),
        ),
        "although the dog sees him and the bears wake , he laughs",
        "obwohl der Hund ihn sieht und die Bären aufwachen , lacht er",
    ),
    (
        statement(
            "I",
            does("wait for", "him", how="not"),
            front=sub("until", clause("he", does("open", "the door", how="want"))),
        ),
        "until he wants to open the door , I do not wait for him",
        "bis er die Tür aufmachen will , warte ich nicht auf ihn",
    ),
    (
        question("the teacher", does("see", "the children")),
        "does the teacher see the children ?",
        "sieht der Lehrer die Kinder ?",
    ),
    (
        question("the cups", said("be", "dirty")),
        "are the cups dirty ?",
        "sind die Tassen schmutzig ?",
    ),
    (
        question("the queen", does("offer", "a cake", to="him", how="may")),
        "may the queen offer him a cake ?",
        "darf die Königin ihm einen Kuchen anbieten ?",
    ),
    (question("he", does("see", "_"), "who"), "who does he see ?", "wen sieht er ?"),
    (question("he", does("help", "_"), "who"), "who does he help ?", "wem hilft er ?"),
    (question("they", does("eat", "_"), "what"), "what do they eat ?", "was essen sie ?"),
    (
        question("_", does("give", "flowers", to="us"), "who"),
        "who gives us flowers ?",
        "wer gibt uns Blumen ?",
    ),
    (
        question("_", does("invite", "the boy"), "which girls"),
        "which girls invite the boy ?",
        "welche Mädchen laden den Jungen ein ?",
    ),
    (
        question("the doctor", does("follow", "_"), "which dog"),
        "which dog does the doctor follow ?",
        "welchem Hund folgt der Arzt ?",
    ),
    (question("the keys", does("be"), "where"), "where are the keys ?", "wo sind die Schlüssel ?"),
    (
        question("our guest", does("arrive", how="can"), "when"),
        "when can our guest arrive ?",
        "wann kann unser Gast ankommen ?",
    ),
    (
        question("she", does("clean", "the shoes", circumstance=sub("if", RAIN))),
        "does she clean the shoes if it rains ?",
        "putzt sie die Schuhe , wenn es regnet ?",
    ),
]


@pytest.mark.parametrize(("sentence", "english", "german"), PAIRS)
def test_pair(sentence, english, german):
    example = realise(sentence)
    assert (example.source, example.target) == (english, german)


def find(english):
    return next(realise(sentence) for sentence, source, _ in PAIRS if source == english)


# English words by their German ones: "0-0 1-1" reads source-target.
ALIGNMENTS = {
    "the cat watches the mouse on the rug": "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7",
    # the mice do not look hungry -> die Mäuse sehen nicht hungrig aus
    "the mice do not look hungry": "0-0 1-1 2-2 2-5 3-3 4-2 4-5 5-4",
    # I do not drink milk -> ich trinke keine Milch
    "I do not drink milk": "0-0 1-1 2-2 3-1 4-3",
    # the lion does not see a very old fox -> der Löwe sieht keinen sehr alten Fuchs
    "the lion does not see a very old fox": "0-0 1-1 2-2 3-3 4-2 5-3 6-4 7-5 8-6",
    # he reads a book in the garden in the evening -> er liest am Abend ein Buch im Garten
    "he reads a book in the garden in the evening": "0-0 1-1 2-4 3-5 4-6 5-6 6-7 7-2 8-2 9-3",
    # the boy feeds the horses every day -> der Junge füttert jeden Tag die Pferde
    "the boy feeds the horses every day": "0-0 1-1 2-2 3-5 4-6 5-3 6-4",
    # now the woman must call her sister -> jetzt muss die Frau ihre Schwester anrufen
    "now the woman must call her sister": "0-0 1-2 2-3 3-1 4-6 5-4 6-5",
    # she wants to shop without her sister -> sie will ohne ihre Schwester einkaufen
    "she wants to shop without her sister": "0-0 1-1 2-5 3-5 4-2 5-3 6-4",
    # the student waits for the train at the station -> der Student wartet am Bahnhof auf den Zug
    "the student waits for the train at the station": "0-0 1-1 2-2 3-5 4-6 5-7 6-3 7-3 8-4",
    # the children listen to the queen -> die Kinder hören der Königin zu
    "the children listen to the queen": "0-0 1-1 2-2 2-5 3-2 3-5 4-3 5-4",
    # she sings , and the birds sleep -> sie singt , und die Vögel schlafen
    "she sings , and the birds sleep": "0-0 1-1 2-2 3-3 4-4 5-5 6-6",
    # I work , but if it rains , he plays -> ich arbeite , aber wenn es regnet , spielt er
    "I work , but if it rains , he plays": "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-9 9-8",
    # the man who dances laughs -> der Mann , der tanzt , lacht
    "the man who dances laughs": "0-0 1-1 2-3 3-4 4-6",
    # we sleep in the house that I build -> wir schlafen in dem Haus , das ich baue
    "we sleep in the house that I build": "0-0 1-1 2-2 3-3 4-4 5-6 6-7 7-8",
    # who does he help ? -> wem hilft er ?
    "who does he help ?": "0-0 1-1 2-2 3-1 4-3",
    # does she clean the shoes if it rains ? -> putzt sie die Schuhe , wenn es regnet ?
    "does she clean the shoes if it rains ?": "0-0 1-1 2-0 3-2 4-3 5-5 6-6 7-7 8-8",
}


@pytest.mark.parametrize(("english", "alignment"), list(ALIGNMENTS.items()))
def test_alignment(english, alignment):
    pairs = " ".join(f"{source}-{target}" for source, target in find(english).alignment)
    assert pairs == alignment


TREES = [
    "(S (NP (DT the) (NN cat)) (VP (VBZ watches) (NP (DT the) (NN mouse)) "
    "(PP (IN on) (NP (DT the) (NN rug)))))",
    "(S (NP (PRP we)) (VP (VBP are) (ADJP (RB very) (JJ hungry))))",
    "(S (NP (DT the) (NN lion)) (VP (VBZ does) (RB not) (VP (VB see) "
    "(NP (DT a) (ADJP (RB very) (JJ old)) (NN fox)))))",
    "(S (NP (PRP he)) (VP (VBZ reads) (NP (DT a) (NN book)) (PP (IN in) (NP (DT the) (NN garden))) "
    "(PP (IN in) (NP (DT the) (NN evening)))))",
    "(S (ADVP (RB now)) (NP (DT the) (NN woman)) (VP (MD must) (VP (VB call) "
    "(NP (PRP$ her) (NN sister)))))",
    "(S (NP (PRP she)) (VP (VBZ wants) (S (VP (TO to) (VP (VB shop) (PP (IN without) "
    "(NP (PRP$ her) (NN sister))))))))",
    "(S (NP (DT the) (NN woman)) (VP (VP (VBZ closes) (NP (DT the) (NN window))) (CC and) "
    "(VP (VBZ does) (RB not) (VP (VB wake)))))",
    "(S (S (NP (PRP she)) (VP (VBZ sings))) (, ,) (CC and) "
    "(S (NP (DT the) (NNS birds)) (VP (VBP sleep))))",
    "(S (NP (NP (DT the) (NN cat)) (PP (IN on) (NP (DT the) (NN rug)))) "
    "(VP (VBZ hears) (NP (PRP us))))",
    "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBZ dances))))) "
    "(VP (VBZ laughs)))",
    "(S (NP (DT the) (NN girl)) (VP (VBZ hides) (NP (NP (DT the) (NN ball)) "
    "(SBAR (WHNP (WDT that)) (S (NP (DT the) (NN dog)) (VP (VBZ finds)))))))",
    "(S (NP (NP (DT the) (NN cat)) (CC and) (NP (DT the) (NN dog))) "
    "(VP (VBP sleep) (PP (IN on) (NP (DT the) (NN sofa)))))",
    "(S (SBAR (IN although) (S (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (PRP him)))) (CC and) "
    "(S (NP (DT the) (NNS bears)) (VP (VBP wake))))) (, ,) (NP (PRP he)) (VP (VBZ laughs)))",
    "(S (NP (DT the) (NNS guests)) (VP (VBP return) (SBAR (WHADVP (WRB when)) "
    "(S (NP (PRP it)) (VP (VBZ rains))))))",
    "(SQ (VBP are) (NP (DT the) (NNS cups)) (ADJP (JJ dirty)) (. ?))",
    "(SBARQ (WHNP (WP what)) (SQ (VBP do) (NP (PRP they)) (VP (VB eat))) (. ?))",
    "(SBARQ (WHNP (WDT which) (NNS girls)) (SQ (VP (VBP invite) (NP (DT the) (NN boy)))) (. ?))",
    "(SBARQ (WHADVP (WRB where)) (SQ (VBP are) (NP (DT the) (NNS keys))) (. ?))",
]


@pytest.mark.parametrize("tree", TREES)
def test_tree(tree):
    assert find(" ".join(re.findall(r" ([^ ()]+)\)", tree))).tree == tree
