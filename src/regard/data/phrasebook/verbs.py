"""What is done: the verbs, each with what it stands with."""

# Headings are frames (what the verb stands with): who does it > to whom or what, as kinds or single
# nouns; for "go", "put" and "live", nouns.py says where. "zu|hören" comes apart; a second German
# word is an irregular third person, or first/third; "+dat" is the case of the object, "auf +acc"
# its preposition. A verb of two frames is written twice.
VERBS = """
do: person
    sing = singen
    dance = tanzen
    laugh = lachen
    work = arbeiten
    shop = ein|kaufen
    arrive = an|kommen
do: person animal
    sleep = schlafen schläft
    play = spielen
    run = rennen
    jump = springen
    swim = schwimmen
    wake = auf|wachen
    return = zurück|kommen
act: person > person animal thing
    see = sehen sieht
    find = finden
act: animal > person animal
    see = sehen sieht
    find = finden
act: person animal > person animal
    hear = hören
    watch = beobachten
    follow = folgen +dat
act: person > person
    greet = begrüßen
    invite = ein|laden lädt
    call = an|rufen
    help = helfen hilft +dat
    thank = danken +dat
listen: person > person
    listen to = zu|hören +dat
act: person > person city village school church
    visit = besuchen
act: person > animal
    feed = füttern
act: animal > animal
    chase = jagen
act: person animal > animal ball
    catch = fangen fängt
act: person > clothes vehicle cup plate bottle knife potato
    wash = waschen wäscht
act: person > window door shoe kitchen room table car
    clean = putzen
act: person > tool container furniture food
    carry = tragen trägt
act: person > food drink dish reading clothes tool vehicle
    sell = verkaufen
act: person > food dish
    eat = essen isst
act: person > drink
    drink = trinken
act: person > reading
    read = lesen liest
act: person > door window box bag bottle letter
    open = auf|machen
act: person > door window box bag bottle book
    close = zu|machen
act: person > room kitchen house garden
    tidy = auf|räumen
act: person > food reading tool
    hide = verstecken
make: person > food drink dish reading clothes tool vehicle furniture
    buy = kaufen
make: person > soup potato egg tea coffee
    cook = kochen
make: person > cake bread
    bake = backen
make: person > letter book story
    write = schreiben
make: person > vehicle furniture lamp umbrella
    repair = reparieren
make: person > house bridge church bed table
    build = bauen
make: person > animal house tree flower picture chair
    paint = malen
feel: person > person animal
    love = lieben
feel: person > person animal food drink dish city
    like = mögen mag/mag
feel: person > person clothes tool container vehicle furniture
    need = brauchen
feel: person animal > person animal
    trust = vertrauen +dat
belong: small > person
    belong to = gehören +dat
hand: person > food drink dish reading clothes tool container
    give = geben gibt
    bring = bringen
hand: person > animal reading tool clothes garden city
    show = zeigen
hand: person > reading picture flower clothes cake
    send = schicken
hand: person > vehicle umbrella book coat ball
    lend = leihen
hand: person > food drink dish chair umbrella
    offer = an|bieten
hand: person > story
    tell = erzählen
await: person > person vehicle letter
    wait for = warten auf +acc
await: person > person animal city house
    think of = denken an +acc
    dream of = träumen von +dat
await: person > person animal reading picture
    talk about = sprechen spricht über +acc
go: person animal > into to
    go = gehen
go: person animal > from
    come = kommen
go: person animal > into through
    run = rennen
go: person animal > through to
    walk = laufen läuft
go: person animal > onto
    climb = klettern
    jump = springen
put: person > food reading clothes tool
    put = legen
    throw = werfen wirft
live: person
    live = wohnen
rest: person animal
    sit = sitzen
    stand = stehen
seem: person animal small large
    look = aus|sehen sieht
seem: person animal
    become = werden wird
say: person
    say = sagen
    know = wissen weiß/weiß
    believe = glauben
    hope = hoffen
tell: person > person
    tell = erzählen
ask: person > person
    ask = fragen
weather: weather
    rain = regnen regnet
    snow = schneien
"""
