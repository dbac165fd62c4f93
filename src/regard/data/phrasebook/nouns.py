"""What is spoken of: the nouns, the adjectives that fit them, and where things can be.

One line a word, English = German. Every English word has one German word, and no two words share a
form that the grammar could mix up: no plural like "sheep", no noun that is a verb as well.
"""

# Headings are kinds. "man/men" gives an irregular plural; no German plural: a mass noun; "weak"
# stands for nouns like den Jungen.
NOUNS = """
person
    man/men = der Mann, Männer
    woman/women = die Frau, Frauen
    child/children = das Kind, Kinder
    girl = das Mädchen, Mädchen
    boy = der Junge, Jungen weak
    teacher = der Lehrer, Lehrer
    doctor = der Arzt, Ärzte
    farmer = der Bauer, Bauern weak
    neighbour = der Nachbar, Nachbarn weak
    student = der Student, Studenten weak
    friend = der Freund, Freunde
    mother = die Mutter, Mütter
    father = der Vater, Väter
    sister = die Schwester, Schwestern
    brother = der Bruder, Brüder
    queen = die Königin, Königinnen
    guest = der Gast, Gäste
animal
    cat = die Katze, Katzen
    dog = der Hund, Hunde
    mouse/mice = die Maus, Mäuse
    horse = das Pferd, Pferde
    cow = die Kuh, Kühe
    bird = der Vogel, Vögel
    lion = der Löwe, Löwen weak
    bear = der Bär, Bären weak
    monkey = der Affe, Affen weak
    rabbit = das Kaninchen, Kaninchen
    duck = die Ente, Enten
    fox = der Fuchs, Füchse
    goat = die Ziege, Ziegen
food
    apple = der Apfel, Äpfel
    pear = die Birne, Birnen
    egg = das Ei, Eier
    cake = der Kuchen, Kuchen
    potato = die Kartoffel, Kartoffeln
drink
    milk = die Milch
    water = das Wasser
    tea = der Tee
    coffee = der Kaffee
dish
    bread = das Brot
    cheese = der Käse
    soup = die Suppe
reading
    book = das Buch, Bücher
    letter = der Brief, Briefe
    newspaper = die Zeitung, Zeitungen
    story = die Geschichte, Geschichten
clothes
    coat = der Mantel, Mäntel
    hat = der Hut, Hüte
    shoe = der Schuh, Schuhe
    shirt = das Hemd, Hemden
tool
    ball = der Ball, Bälle
    key = der Schlüssel, Schlüssel
    cup = die Tasse, Tassen
    plate = der Teller, Teller
    bottle = die Flasche, Flaschen
    knife/knives = das Messer, Messer
    umbrella = der Regenschirm, Regenschirme
    lamp = die Lampe, Lampen
    flower = die Blume, Blumen
    picture = das Bild, Bilder
container
    box = die Kiste, Kisten
    basket = der Korb, Körbe
    bag = die Tasche, Taschen
vehicle
    car = das Auto, Autos
    bus = der Bus, Busse
    train = der Zug, Züge
    bicycle = das Fahrrad, Fahrräder
furniture
    table = der Tisch, Tische
    chair = der Stuhl, Stühle
    bed = das Bett, Betten
    sofa = das Sofa, Sofas
    rug = der Teppich, Teppiche
    shelf/shelves = das Regal, Regale
opening
    door = die Tür, Türen
    window = das Fenster, Fenster
building
    house = das Haus, Häuser
    kitchen = die Küche, Küchen
    room = das Zimmer, Zimmer
    school = die Schule, Schulen
    church = die Kirche, Kirchen
    store = der Laden, Läden
    station = der Bahnhof, Bahnhöfe
    bridge = die Brücke, Brücken
outside
    garden = der Garten, Gärten
    park = der Park, Parks
    forest = der Wald, Wälder
    village = das Dorf, Dörfer
    city = die Stadt, Städte
    market = der Markt, Märkte
    street = die Straße, Straßen
    river = der Fluss, Flüsse
    tree = der Baum, Bäume
"""

ADJECTIVES = """
    big = groß
    small = klein
    beautiful = schön
    friendly = freundlich
    hungry = hungrig
    tired = müde
    happy = glücklich
    sad = traurig
    clever = klug
    strong = stark
    lazy = faul
    brave = mutig
    fast = schnell
    loud = laut
    quiet = ruhig
    dirty = schmutzig
    heavy = schwer
    empty = leer
    expensive = teuer
    cheap = billig
    good = gut
    long = lang
    dark = dunkel
    fresh = frisch
    sweet = süß
    cold = kalt
    warm = warm
    hot = heiß
    old = alt
    young = jung
    new = neu
    red = rot
    blue = blau
    green = grün
    white = weiß
    black = schwarz
    brown = braun
"""

# Which adjectives fit a kind; of two, one before the bar stands first and one after it second.
FITTING = """
person: big small beautiful friendly hungry tired happy sad clever strong lazy brave | old young
animal: big small beautiful hungry tired clever strong lazy fast loud | old young white black brown
food: big small good cheap expensive | fresh sweet warm cold
drink: good cheap expensive | fresh sweet warm cold hot
dish: good cheap expensive | fresh warm cold hot
reading: good beautiful long sad expensive | old new
clothes: beautiful dirty expensive cheap big small long | warm old new red blue green white black
tool: big small beautiful dirty expensive cheap | old new red blue green white
container: big small dirty heavy empty | old new red blue brown
vehicle: big small fast loud dirty expensive | old new red blue white black
furniture: big small beautiful heavy expensive | old new white brown red
opening: big small heavy dirty | old new white green
building: big small beautiful dark quiet empty | old new white
outside: big small beautiful dark quiet | old green
weather: dark | cold warm hot
"""

# What a place is for: preposition, nouns. "place" is where persons and animals are, "spot" where
# small things are.
PLACES = """
place in: garden park forest village city house kitchen room school church store
place on: rug sofa bed chair bridge street
place under: table bed tree bridge
place behind: house tree door church school
place beside: tree river bed sofa station house
place at: window door table river station
spot in: box basket bag kitchen room
spot on: table chair shelf bed rug
spot under: table chair bed sofa
spot behind: door sofa box
spot beside: lamp box bed
live in: house village city forest
live beside: river church school forest
go into: garden house kitchen room school forest city park store church
go to: market school station river church village window door doctor
go through: garden park forest village city street
go onto: bridge bed sofa chair table
go from: garden house kitchen school forest city store
put into: box basket bag
put onto: table chair shelf bed rug
"""
