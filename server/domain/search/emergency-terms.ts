import { fold } from '../text.ts'
import { withinOneEdit } from './edit-distance.ts'

/** Which help a search is answered with instead of medicines. */
export type EmergencyKind = 'emergency' | 'crisis' | 'poison'

/**
 * What must not be answered with medicines. A term matches anywhere in a query, word by word;
 * words of six letters and more match with one typing mistake. Folded: "can't" is "can t". The
 * order counts: a query that names several is answered with the first.
 */
const terms = {
  crisis: `
    suicide, suicidal, suiside, sucidal, sucide, suisidal, self harm, selfharm, kill myself,
    killing myself, kill me, end my life, ending my life, take my life, taking my life, want to die,
    wanna die, wish i was dead, wish i were dead, hurt myself, hurting myself, harm myself,
    harming myself, cutting myself, better off dead, no reason to live, don t want to live,
    dont want to live, do not want to live, don t want to be alive, dont want to be alive, how to die,
    painless death, lethal dose, fatal dose, deadly dose, unalive`,
  poison: `
    overdose, overdosed, overdosing, over dose, over dosed, took too many, took too much, taken too many,
    taken too much, take too many, take too much, ate too many, swallowed too many, poison, poisoned,
    poisoning, poisonous, carbon monoxide, drank bleach, drank cleaner, drank antifreeze,
    swallowed bleach, swallowed a battery, swallowed battery, swallowed a magnet, swallowed magnets,
    button battery, child swallowed, kid swallowed, baby swallowed, toddler swallowed, son swallowed,
    daughter swallowed, child ate, kid ate, baby ate, toddler ate, dog ate, cat ate,
    accidental ingestion, child took, kid took, baby took, toddler took, son took, daughter took`,
  emergency: `
    chest pain, chest pains, chestpain, chestpains, chest pressure, chest tightness, chest tight, tight chest, pain in chest,
    pain in my chest, pain in the chest, pressure in my chest, chest hurts, chest hurt, chest is tight,
    tightness in chest, tightness in my chest, heart attack, heartattack, cardiac arrest, left arm pain,
    arm and jaw pain, stroke, strokes, stoke, face drooping, face droop, slurred speech, slurring words,
    sudden numbness, sudden weakness, sudden confusion, sudden vision loss, sudden headache,
    worst headache, thunderclap headache, sudden severe headache, trouble breathing, trouble breathe,
    difficulty breathing, difficult breathing, difficulty in breathing, hard to breathe, hard to breath,
    problems breathing, can t breathe, cant breathe, can t breath, cant breath, cannot breathe,
    cannot breath, can not breathe, unable to breathe, not breathing, stopped breathing,
    struggling to breathe, gasping for air, short of breath, shortness of breath, out of breath,
    breathless, choking, blue lips, lips are blue, anaphylaxis, anaphylactic, anaphilaxis, anafilaxis,
    anaphalaxis, anafalactic, anaphalactic, anaphylatic, severe allergic reaction,
    severe allergy reaction, bad allergic reaction, allergic shock, throat closing, throat is closing,
    throat swelling, throat swollen shut, swollen throat, tongue swelling, swollen tongue,
    tongue is swelling, face swelling, asthma attack, asthma attacks, seizure, seizures, siezure,
    siezures, seizing, convulsion, convulsions, unconscious, unresponsive, passed out, won t wake up,
    wont wake up, can t wake, cant wake, severe bleeding, heavy bleeding, bleeding heavily,
    bleeding won t stop, bleeding wont stop, won t stop bleeding, wont stop bleeding,
    can t stop bleeding, cant stop bleeding, coughing blood, coughing up blood, cough up blood,
    vomiting blood, vomit blood, throwing up blood, blood in vomit, head injury, concussion,
    diabetic coma, electric shock, electrocuted, snake bite, snakebite, bitten by a snake,
    pulmonary embolism, blood clot in lung, blood clot in leg, sepsis, severe burn, severe burns,
    third degree burn, broken bone, drowning, drowned, gunshot, stab wound`,
} satisfies Record<EmergencyKind, string>

/** Everyday rashes: not poisoning. */
const harmless = /\bpoison(?:ous)? (?:ivy|oak|sumac|ivey)\b/g

const mistypedFrom = 6

/** Words that are one letter away from a term and mean something else. */
const otherWords: ReadonlySet<string> = new Set([
  'poisons',
  'unresponsible',
  'strike',
  'struck',
  'seizer',
  'sizing',
  'cooking',
])

const kinds = ['crisis', 'poison', 'emergency'] as const
const phrases = kinds.flatMap((kind) =>
  terms[kind].split(',').map((term) => ({ kind, words: term.trim().split(' ') })),
)

const isSameWord = (typed: string | undefined, word: string): boolean =>
  typed === word ||
  (typed !== undefined &&
    word.length >= mistypedFrom &&
    typed.length >= mistypedFrom &&
    typed[0] === word[0] &&
    !otherWords.has(typed) &&
    withinOneEdit(typed, word))

/** Ten times what a search reads: the words that matter may come last. */
const maxLength = 2000

/** The kind of help that a query needs instead of medicines, or null. Never throws. */
export function findEmergency(text: string): EmergencyKind | null {
  const words = fold(text.slice(0, maxLength)).replace(harmless, ' ').split(' ').filter(Boolean)
  const found = phrases.find(({ words: term }) =>
    words.some((_, at) => term.every((word, i) => isSameWord(words[at + i], word))),
  )
  return found?.kind ?? null
}
