/**
 * The long tail of words: a year of conversations holds thousands, most of them seldom. The words of the facts are among them, so that they are said in other sessions
 * too. In a random but constant order; the earlier a word, the more often it is taken.
 */
import { seededRandom } from '../seeded-random.ts'

const listed = (words: string): readonly string[] => seededRandom(7).shuffle([...new Set(words.split(/\s+/).filter((word) => word !== ''))])

export const NOUNS = listed(`
  account acid acorn address adhesive advert airport alarm album algorithm alloy almond alphabet altar aluminium ambulance amplifier anchor ankle anthem antenna apple apron aquarium arch archive
  armchair arrow article ash atlas attic auction avalanche avocado axe backpack badge bag bakery balcony ball balloon bamboo banana bandage banjo bank banner barge bark barrel basement basin basket
  bath battery bay beach bead beam bean bear beard bed beer beetle bell belt bench berry bicycle bill binder biology bird birthday biscuit blade blanket blood blueprint board boat boiler bolt bone
  book boot border bottle boulder boundary bow bowl box bracket brain branch brass bread breeze brick bridge brooch brook broom brother brush bubble bucket budget buffalo bug bulb bulletin bumper
  bundle bus bush butter button cabbage cabin cable cactus cage cake calendar calf camel camera camp canal candle canoe canvas cap captain car caravan card cardigan cargo carpet carrot cart cartoon
  castle catalogue caterpillar cathedral cave ceiling cell cellar cement census ceremony chain chair chalk chamber channel chapel chapter chart cheese cherry chess chest chestnut child chimney chin
  chisel chocolate choir church cinema circle circuit circus clarinet clay clerk cliff clinic clock cloth cloud clover club clue coach coal coast coat cobbler code coffee coin collar colleague
  college colony column comb comet compass compost computer concert concrete conference contract copper coral cord cork corn corner corridor cottage cotton couch council counter court cousin cow
  crab cradle craft crane crate crayon cream creek crew cricket crop crown crumb crystal cup cupboard curb currency curtain curve cushion customer cycle dairy dam dance data daughter dawn deadline
  deck deer degree delta dentist deposit desert desk dessert device diagram dial diamond diary dice dictionary diet dinner diploma disc dish ditch doctor dog doll dome door dough dove dragon drain
  drawer dress drill drum duck dune dust dwarf eagle ear earth easel echo eclipse edge editor eel egg elbow elevator elm ember emblem employer engine envelope equation eraser essay estate evening
  exam exhibit exit eye fabric factory fair falcon fan farm fashion faucet feather fence fern ferry festival fever fiddle field figure film filter finger fire fish fist flag flame flashlight flask
  flat fleet flight flock flood floor flour flower flute foam fog folder font footpath forest fork form fort fossil fountain fox fraction frame freezer fridge friend frog frost fruit fuel funnel fur
  furnace fuse galaxy gallery game garage garden garlic gate gauge gear gem gift ginger glacier glass glove glue goat gold goose grain grandmother grape graph grass gravel gravity grill guest guide
  guitar gutter gym hail hair hall hammer hammock hand handle harbour harp hat hawk hay headline heart heat hedge heel helmet hen herb heron hill hinge hive hobby holiday honey hood hook horn horse
  hospital hotel hour house husband hut hydrant ice icon idea igloo index infection injury ink inn insect instrument insulation insurance invitation invoice iris iron island ivory jacket jar jazz
  jelly jetty jewel job joint journal judge jug juice jungle jury kayak kennel kettle key keyboard kid kidney kiln king kitchen kite kitten knee knife knot label lace ladder lake lamb lamp lane
  language lantern lava lawn lawyer leaf leak lease leather lecture ledge leg legend lemon lens leopard lesson letter lever library licence lid light lily lime line lion lip list lizard loaf loan
  lobby lock log login loop lounge luggage lumber lunch lung machine magnet mail manager manor map marble margin market marriage mask mast mat match mattress maze meadow meal measure meat medal
  medicine melody melon memory menu meter microphone midwife mill mine mint mirror mist mitten model mole money monkey month monument moon moss moth mother motor mountain mouse mouth mud mug mural
  muscle museum mushroom music mustard nail name napkin neck needle neighbour nephew nerve nest net newspaper niece night noise noodle nose note notebook novel nurse nut oak oar oat ocean office
  oil olive onion orange orbit orchard orchestra oven owl owner oyster package page paint palace palm pan panel paper parade parcel parent park parrot party passport pasta paste path patient pattern
  pavement peach peak pear pearl pebble pedal pen pencil pepper perfume pet petal pharmacy phone photo piano picnic picture pie pig pigeon pillow pilot pin pine pipe pitcher plane planet plank plant
  plate platform player plaza plot plough plug plum plumber pocket podcast poem poet pole policy pond pony pool porch port postcard pot potato pottery powder present press price prince printer prison
  prize profession program project proof puddle pump pumpkin puppet puppy purse puzzle pyramid quarry queen queue quilt rabbit rack radar radio raft rail rain rake ramp ranch rash raven razor receipt
  recipe record reef region relay rent report resin rhythm ribbon rice ring river road robin robot rock rocket roof room root rope rose route rowing rug ruler rye saddle safe sail salad salary salmon
  salt sand sandal sandwich sauce saucer sausage savings saw scale scarf school science scissors scooter screen screw script sculpture sea seal seat seed sentence server sewer shadow shed sheep sheet
  shelf shell shelter shield ship shirt shoe shop shore shoulder shovel shower shrimp shutter sibling signal silk silver sink sister skate sketch ski skirt sky sled sleeve slice slide slipper slope
  smoke snail snake snow soap sock sofa soil soldier son song soup spade spark sparrow speech spice spider spine spinach sponge spoon sport spring square squirrel stable stadium staff stage stain
  stairs stamp star statue steam steel stem step stew stick stone stool storm story stove strap straw stream street string studio subject sugar suit suitcase summer sun surgeon sweater swing sword
  syrup table tail talk tank tap tape target tax taxi tea teacher team telescope temple tenant tent terrace test theatre theory thesis thread throat throne thumb thunder ticket tide tie tiger tile
  timber tin tissue toast tool tooth torch tornado tower town toy track tractor trail train tray treasure tree trench triangle tribe trip trolley trophy trousers truck trumpet trunk tube tuba tulip
  tunnel turkey turnip turtle twig uncle uniform university valley van vase vault vegetable vehicle veil vein velvet venue verb vest vet village vine vinegar violin virus visa voice volcano vote
  wagon waist waiter wall wallet walnut wardrobe warehouse wasp watch water wave wax weather web wedding weed weight well whale wheat wheel whip whistle wick widow wife wig willow wind window wine wing
  winter wire wolf wood wool workshop worm wound wrench wrist yard yarn yeast yoga yolk zebra zip zone
`)

export const ADJECTIVES = listed(`
  able absent acid active actual afraid ancient angry annual average bare basic bitter blank blind bold brave brief bright broad broken brown calm careful central certain cheap clean clear clever
  close cloudy coarse cold common complex constant cool correct crisp crowded cruel curly current daily damp dark dead deaf dear deep dense dim dirty distant double dry dull dusty eager early
  eastern elastic electric empty entire equal exact external extra faint fair false familiar famous fancy fast fat final fine firm flat flexible foreign formal fragile free fresh frozen full funny
  gentle giant golden grand grateful green grey handy happy harsh heavy helpful hidden hollow honest humble hungry ideal idle ill inner iron junior keen kind large late lazy lean legal level light
  liquid local lonely long loose loud low loyal lucky magic main major mature mild minor mixed modern modest muddy narrow native neat nervous noble noisy normal northern odd old open ordinary outer
  pale partial patient plain pleasant polite poor popular precise pretty private proper proud public pure purple quick quiet rapid rare raw ready real regular remote rich rigid ripe rough round royal
  rude rural sacred sad salty secret senior sharp shiny short shy silent silver similar simple single slim slow small smart smooth soft solid sour spare special square stable stale steep sticky stiff
  strange strict strong stupid sudden sweet swift tall tame tender thick thin thirsty tidy tight tiny tired tough tropical ugly uneven unique upper urban urgent useful usual vague vast violent vivid
  warm weak wealthy western wet white whole wide wild wise wooden yellow young
`)

export const VERBS = listed(`
  accept adjust admire adopt announce apply argue arrange assemble avoid bake balance bend bind blend block boil borrow break brew build burn bury buy calculate call cancel carry carve catch charge
  check choose chop clean climb close collect combine compare complain connect cook copy correct count cover crack create cross cure cut damage decorate deliver describe design destroy develop dig
  discuss dissolve divide draw dream dress drill drink drive drop dry dust dye earn eat edit empty enlarge escape examine exchange explain explore extend fasten feed fetch fill film find finish fix
  float fold forget frame freeze fry gather glue grind grow guard guess guide hang harvest heat help hide hire hunt imagine improve inspect install invite iron join jump keep knit label launch
  learn lend lift load lock lower mark marry measure melt mend mix move name notice open order organise pack paint park paste peel pick plant play polish post pour praise predict prepare press print
  produce promise protect pull pump push raise reach read record recycle reduce refuse remove rent repair replace report rescue rest return ride roast roll sail save scan scrub search sell send serve
  sew shake shape sharpen shift shorten shut sing sketch slice smell solve sort spell spill split spread squeeze stack start steal steer stir stitch store strip study sweep swim switch taste teach
  tear test throw tie touch trace trade train translate travel trim trust tune turn twist type unlock unpack update use visit wake walk warm wash watch water wear weave weigh whisper win wipe wrap
  write
`)
