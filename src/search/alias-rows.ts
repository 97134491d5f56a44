import type { GameSlug } from '../domain/games.ts';

/**
 * What collectors and players call cards, by game: an alias and what it means in each line. A row is
 * there only if people really type it; nothing is abbreviated by rule. Aliases of which the search
 * finds the card anyway, by a word that only its name has, are left out.
 */
export const ALIAS_ROWS: Readonly<Record<GameSlug, string>> = {
  pokemon: `
moonbreon: umbreon vmax 215/203 evolving skies
umbreon alt art: umbreon vmax 215/203 evolving skies
alt art umbreon: umbreon vmax 215/203 evolving skies
rayquaza alt art: rayquaza vmax 218/203 evolving skies
alt art rayquaza: rayquaza vmax 218/203 evolving skies
alt art ray: rayquaza vmax 218/203 evolving skies
sylveon alt art: sylveon vmax 212/203 evolving skies
alt art sylveon: sylveon vmax 212/203 evolving skies
leafeon alt art: leafeon vmax 205/203 evolving skies
alt art leafeon: leafeon vmax 205/203 evolving skies
glaceon alt art: glaceon vmax 209/203 evolving skies
alt art glaceon: glaceon vmax 209/203 evolving skies
dragonite alt art: dragonite v 192/203 evolving skies
alt art dragonite: dragonite v 192/203 evolving skies
espeon alt art: espeon vmax 270/264 fusion strike
alt art espeon: espeon vmax 270/264 fusion strike
gengar alt art: gengar vmax 271/264 fusion strike
alt art gengar: gengar vmax 271/264 fusion strike
mew alt art: mew vmax 269/264 fusion strike
alt art mew: mew vmax 269/264 fusion strike
celebi alt art: celebi v 245/264 fusion strike
giratina alt art: giratina v 186/196 lost origin
alt art giratina: giratina v 186/196 lost origin
aerodactyl alt art: aerodactyl v 180/196 lost origin
alt art aerodactyl: aerodactyl v 180/196 lost origin
lugia alt art: lugia v 186/195 silver tempest
alt art lugia: lugia v 186/195 silver tempest
tyranitar alt art: tyranitar v 155/163 battle styles
alt art tyranitar: tyranitar v 155/163 battle styles
alt art ttar: tyranitar v 155/163 battle styles
blaziken alt art: blaziken vmax 201/198 chilling reign
alt art blaziken: blaziken vmax 201/198 chilling reign
machamp alt art: machamp v 172/189 astral radiance
alt art machamp: machamp v 172/189 astral radiance
charizard alt art: charizard v 154/172 brilliant stars
alt art charizard: charizard v 154/172 brilliant stars
alt art zard: charizard v 154/172 brilliant stars
heart latis: latias & latios gx 170/181 team up
bubble mew: mew ex 232/091 paldean fates
rainbow zard: charizard vmax 074/073 champion's path
rainbow charizard: charizard vmax 074/073 champion's path
shiny zard: charizard vmax sv107 shining fates
base set zard: charizard 4/102 base set
shadowless zard: charizard 4/102 base set shadowless
zard: charizard
chonkachu: pikachu vmax vivid voltage
rainbow chonkachu: pikachu vmax 188/185 vivid voltage
van gogh pikachu: pikachu with grey felt hat 085
pikachu van gogh: pikachu with grey felt hat 085
crystal charizard: charizard 146/144 skyridge
crystal zard: charizard 146/144 skyridge
crystal ho-oh: ho-oh 149/144 skyridge
crystal celebi: celebi 145/144 skyridge
crystal crobat: crobat 147/144 skyridge
crystal golem: golem 148/144 skyridge
crystal lugia: lugia 149/147 aquapolis
crystal nidoking: nidoking 150/147 aquapolis
crystal kingdra: kingdra 148/147 aquapolis
gold star charizard: charizard star 100/101 dragon frontiers
charizard gold star: charizard star 100/101 dragon frontiers
gold star zard: charizard star 100/101 dragon frontiers
gold star mew: mew star 101/101 dragon frontiers
mew gold star: mew star 101/101 dragon frontiers
gold star rayquaza: rayquaza star 107/107 deoxys
rayquaza gold star: rayquaza star 107/107 deoxys
gold star ray: rayquaza star 107/107 deoxys
gold star latios: latios star 106/107 deoxys
latios gold star: latios star 106/107 deoxys
gold star latias: latias star 105/107 deoxys
latias gold star: latias star 105/107 deoxys
gold star umbreon: umbreon star 17/17 pop series 5
umbreon gold star: umbreon star 17/17 pop series 5
gold star espeon: espeon star 16/17 pop series 5
espeon gold star: espeon star 16/17 pop series 5
gold star pikachu: pikachu star 104/110 holon phantoms
pikachu gold star: pikachu star 104/110 holon phantoms
gold star mewtwo: mewtwo star 103/110 holon phantoms
mewtwo gold star: mewtwo star 103/110 holon phantoms
gold star gyarados: gyarados star 102/110 holon phantoms
gyarados gold star: gyarados star 102/110 holon phantoms
gold star groudon: groudon star 111/113 delta species
groudon gold star: groudon star 111/113 delta species
gold star kyogre: kyogre star 112/113 delta species
kyogre gold star: kyogre star 112/113 delta species
gold star metagross: metagross star 113/113 delta species
metagross gold star: metagross star 113/113 delta species
gold star mudkip: mudkip star 107/109 team rocket returns
mudkip gold star: mudkip star 107/109 team rocket returns
gold star torchic: torchic star 108/109 team rocket returns
torchic gold star: torchic star 108/109 team rocket returns
gold star treecko: treecko star 109/109 team rocket returns
treecko gold star: treecko star 109/109 team rocket returns
gold star alakazam: alakazam star 99/100 crystal guardians
alakazam gold star: alakazam star 99/100 crystal guardians
gold star celebi: celebi star 100/100 crystal guardians
celebi gold star: celebi star 100/100 crystal guardians
gold star flareon: flareon star 100/108 power keepers
flareon gold star: flareon star 100/108 power keepers
gold star jolteon: jolteon star 101/108 power keepers
jolteon gold star: jolteon star 101/108 power keepers
gold star vaporeon: vaporeon star 102/108 power keepers
vaporeon gold star: vaporeon star 102/108 power keepers
gold star regice: regice star 90/92 legend maker
regice gold star: regice star 90/92 legend maker
gold star regirock: regirock star 91/92 legend maker
regirock gold star: regirock star 91/92 legend maker
gold star registeel: registeel star 92/92 legend maker
registeel gold star: registeel star 92/92 legend maker
ttar: tyranitar
pult: dragapult
zam: alakazam
garde: gardevoir
chomp: garchomp
pikarom: pikachu & zekrom gx
reshizard: reshiram & charizard gx
adp: arceus & dialga & palkia gx
mewmew: mewtwo & mew gx
mew3: mewtwo & mew gx
gengmimi: gengar & mimikyu gx
gardsylv: gardevoir & sylveon gx
lucmetal: lucario & melmetal gx
umbdark: umbreon & darkrai gx
irc: ice rider calyrex vmax
dce: double colorless energy
dte: double turbo energy
fss: forest seal stone
`,
  pokemonjp: '',
  mtg: `
ak: accumulated knowledge
asmo: asmoranomardicadaistinaculdacar
beb: blue elemental blast
reb: red elemental blast
pyro: pyroblast
hydro: hydroblast
bob: dark confidant
bolt: lightning bolt
bop: birds of paradise
birds: birds of paradise
bsa: baneslayer angel
bskull: batterskull
cotv: chalice of the void
chalice: chalice of the void
clamp: skullclamp
clique: vendilion clique
v clique: vendilion clique
coco: collected company
cradle: gaea's cradle
crucible: crucible of worlds
cryptic: cryptic command
cyc rift: cyclonic rift
decay: abrupt decay
deed: pernicious deed
dt: demonic tutor
dem tutor: demonic tutor
drain: mana drain
drc: dragon's rage channeler
drs: deathrite shaman
e tutor: enlightened tutor
vamp tutor: vampiric tutor
imp seal: imperial seal
ewit: eternal witness
e-wit: eternal witness
ee: engineered explosives
ei: expressive iteration
esg: elvish spirit guide
ssg: simian spirit guide
fof: fact or fiction
fon: force of negation
fov: force of vigor
fow: force of will
gary: gray merchant of asphodel
goyf: tarmogoyf
gq: ghost quarter
gris: griselbrand
gsz: green sun's zenith
hoof: craterhoof behemoth
hymn: hymn to tourach
iok: inquisition of kozilek
jtms: jace, the mind sculptor
jace tms: jace, the mind sculptor
jvp: jace, vryn's prodigy
kgc: karn, the great creator
k-command: kolaghan's command
kommand: kolaghan's command
kci: krark-clan ironworks
kiki: kiki-jiki, mirror breaker
led: lion's eye diamond
lili: liliana of the veil
lotv: liliana of the veil
loth: liliana, the last hope
chandra tod: chandra, torch of defiance
ek: elspeth, knight-errant
libby: library of alexandria
loa: lord of atlantis
loam: life from the loam
lftl: life from the loam
maze: maze of ith
mom: mother of runes
mopal: mox opal
mull: mulldrifter
ooze: scavenging ooze
scooze: scavenging ooze
obm: orcish bowmasters
path: path to exile
pte: path to exile
plow: swords to plowshares
swords: swords to plowshares
stp: swords to plowshares
pod: birthing pod
port: rishadan port
prime time: primeval titan
primetime: primeval titan
raga: ragavan, nimble pilferer
monkey: ragavan, nimble pilferer
rip: rest in peace
sad robot: solemn simulacrum
saga: urza's saga
scm: snapcaster mage
snap: snapcaster mage
snappy: snapcaster mage
tiago: snapcaster mage
sdt: sensei's divining top
top: sensei's divining top
sfm: stoneforge mystic
shops: mishra's workshop
workshop: mishra's workshop
snt: show and tell
s&t: show and tell
sofi: sword of fire and ice
soff: sword of feast and famine
sols: sword of light and shadow
sobm: sword of body and mind
sowp: sword of war and peace
sotj: sword of truth and justice
soss: sword of sinew and steel
sohh: sword of hearth and home
steve: sakura-tribe elder
superman: morphling
spaghetti monster: emrakul, the aeons torn
t3feri: teferi, time raveler
tef3: teferi, time raveler
tef pro: teferi's protection
thoracle: thassa's oracle
tim: prodigal sorcerer
titi: thing in the ice
tks: thought-knot seer
tnn: true-name nemesis
tog: psychatog
tox deluge: toxic deluge
tabernacle: the tabernacle at pendrell vale
bazaar: bazaar of baghdad
academy: tolarian academy
trini: trinisphere
3ball: trinisphere
twin: splinter twin
trop: tropical island
u sea: underground sea
usea: underground sea
volc: volcanic island
juzam: juzam djinn
vial: aether vial
w6: wrenn and six
w&6: wrenn and six
wog: wrath of god
yawg will: yawgmoth's will
ywill: yawgmoth's will
ad naus: ad nauseam
git probe: gitaxian probe
gitprobe: gitaxian probe
`,
  yugioh: `
bewd: blue-eyes white dragon
rebd: red-eyes black dragon
dm: dark magician
dmg: dark magician girl
bls: black luster soldier
bls envoy: black luster soldier - envoy of the beginning
ced: chaos emperor dragon - envoy of the end
dad: dark armed dragon
jd: judgment dragon
mst: mystical space typhoon
rota: reinforcement of the army
coth: call of the haunted
bth: bottomless trap hole
tt: torrential tribute
bom: book of moon
crow: d.d. crow
dd crow: d.d. crow
ash: ash blossom & joyous spring
ash blossom: ash blossom & joyous spring
ghost ogre: ghost ogre & snow rabbit
ghost belle: ghost belle & haunted mansion
veiler: effect veiler
imperm: infinite impermanence
nib: nibiru, the primal being
droll: droll & lock bird
roach: maxx "c"
reborn: monster reborn
hfd: harpie's feather duster
duster: harpie's feather duster
pod: pot of desires
pog: pot of greed
poe: pot of extravagance
pop: pot of prosperity
cbtg: called by the grave
ttt: triple tactics talent
talents: triple tactics talent
foolish: foolish burial
foolish goods: foolish burial goods
coh: change of heart
snatch: snatch steal
cydra: cyber dragon
tsuk: tsukuyomi
trag: tragoedia
brio: brionac, dragon of the ice barrier
trish: trishula, dragon of the ice barrier
brd: black rose dragon
rda: red dragon archfiend
ter: thousand-eyes restrict
noc: nobleman of crossout
sorl: swords of revealing light
mof: magician of faith
tiv: tribe-infecting virus
stein: cyber-stein
d prison: dimensional prison
d-fissure: dimensional fissure
pwwb: phoenix wing wind blast
compulse: compulsory evacuation device
tkro: thunder king rai-oh
e-con: enemy controller
econ: enemy controller
e-tele: emergency teleport
silent honor ark: number 101: silent honor ark
appo: apollousa, bow of the goddess
zeus: divine arsenal aa-zeus - sky thunder
aa-zeus: divine arsenal aa-zeus - sky thunder
ip: i:p masquerena
ip masquerena: i:p masquerena
sp: s:p little knight
sp little knight: s:p little knight
verte: predaplant verte anaconda
halq: crystron halqifibrax
dpe: destiny hero - destroyer phoenix enforcer
kash fenrir: kashtira fenrir
fuwa: mulcharmy fuwalos
ra: the winged dragon of ra
sphere mode: the winged dragon of ra - sphere mode
tcboo: there can be only one
lancea: artifact lancea
drnm: dark ruler no more
droplet: forbidden droplet
upstart: upstart goblin
graceful: graceful charity
exciton: evilswarm exciton knight
linkuri: linkuriboh
cwsd: crystal wing synchro dragon
pank: dinowrestler pankratops
`,
  lorcana: `
awnw: a whole new world
bp: be prepared
gys: grab your sword
ltsro: let the storm rage on
yhfm: you have forgotten me
fotos: friends on the other side
ftc: fire the cannons!
tink: tinker bell
giant tink: tinker bell - giant fairy
`,
  onepiece: `
gear 5: gear5
gear five: gear5
gear 5 luffy: monkey.d.luffy op05-119
gear 5 luffy: monkey.d.luffy gear5
luffy gear 5: monkey.d.luffy op05-119
luffy gear 5: monkey.d.luffy gear5
gear five luffy: monkey.d.luffy op05-119
gear five luffy: monkey.d.luffy gear5
luffy gear five: monkey.d.luffy op05-119
luffy gear five: monkey.d.luffy gear5
g5 luffy: monkey.d.luffy op05-119
luffy g5: monkey.d.luffy op05-119
nika: monkey.d.luffy op05-119
nika luffy: monkey.d.luffy op05-119
luffy nika: monkey.d.luffy op05-119
manga luffy: monkey.d.luffy op05-119 parallel
luffy manga: monkey.d.luffy op05-119 parallel
manga ace: portgas.d.ace op02-013 parallel
ace manga: portgas.d.ace op02-013 parallel
manga shanks: shanks op01-120 parallel
shanks manga: shanks op01-120 parallel
manga sogeking: sogeking op03-122 parallel
sogeking manga: sogeking op03-122 parallel
manga sabo: sabo op04-083 parallel
sabo manga: sabo op04-083 parallel
manga law: trafalgar law op05-069 parallel
law manga: trafalgar law op05-069 parallel
manga kid: eustass "captain" kid op05-074 parallel
kid manga: eustass "captain" kid op05-074 parallel
manga zoro: roronoa zoro op06-118 parallel
zoro manga: roronoa zoro op06-118 parallel
manga hancock: boa hancock op07-051 parallel
hancock manga: boa hancock op07-051 parallel
manga boa: boa hancock op07-051 parallel
manga rayleigh: silvers rayleigh op08-118 parallel
rayleigh manga: silvers rayleigh op08-118 parallel
manga roger: gol.d.roger op09-118 parallel
roger manga: gol.d.roger op09-118 parallel
manga buggy: buggy op09-051 parallel
manga teach: marshall.d.teach op09-093 parallel
manga blackbeard: marshall.d.teach op09-093 parallel
blackbeard: marshall.d.teach
whitebeard: edward.newgate
doffy: donquixote doflamingo
big mom: charlotte linlin
akainu: sakazuki
aokiji: kuzan
kizaru: borsalino
fujitora: issho
bon clay: mr.2.bon.kurei
`,
  swu: `
ecl: energy conversion lab
slb: superlaser blast
potds: power of the dark side
dlots: darth vader - dark lord of the sith
baby yoda: grogu
mando: the mandalorian
palp: emperor palpatine
slave 1: fett's firespray
slave i: fett's firespray
`,
  fab: `
cnc: command and conquer
c&c: command and conquer
e-strike: enlightened strike
estrike: enlightened strike
fst: fyendal's spring tunic
tunic: fyendal's spring tunic
aow: art of war
skullcap: arcanite skullcap
mom: mask of momentum
tof: tome of fyendal
brb: bloodrush bellow
starvo: bravo, star of the show
dori: dorinthea ironsong
scalers: snapdragon scalers
`,
};
