import { buildMedicineNames, splitNames, type MedicineName } from '#domain/screening/medicine-names.ts'
import {
  listNameKeys,
  listRepairedKeys,
  listUnknownWords,
  recognizeText,
} from '#domain/screening/recognize-text.ts'
import { splitText, textBounds, type TextKind } from '#domain/screening/split-text.ts'
import { withinOneEdit } from '#domain/search/edit-distance.ts'
import { expect, test } from 'vitest'

const substances = [
  ['WARFARIN SODIUM', 'WARFARIN'],
  ['METFORMIN (METFORMIN HYDROCHLORIDE)', 'METFORMIN'],
  ['FISH OIL', 'FISH OIL'],
  ['WATER', 'WATER'],
  ['ACETAMINOPHEN', 'ACETAMINOPHEN'],
  ['CODEINE PHOSPHATE', 'CODEINE'],
  ['LISINOPRIL', 'LISINOPRIL'],
  ['AMOXICILLIN', 'AMOXICILLIN'],
  ["ST. JOHN'S WORT", "ST. JOHN'S WORT"],
  ['HEPARIN SODIUM', 'HEPARIN'],
  ['GLYCOPYRROLATE', 'GLYCOPYRROLATE'],
  ['GLYCOPYRRONIUM (GLYCOPYRRONIUM BROMIDE)', 'GLYCOPYRRONIUM'],
] as const
const stored = buildMedicineNames({
  names: substances.map(([name, ingredient]) => ({ name, ingredient, products: 1 })),
  brands: [
    { brand: 'Coumadin', ingredient: 'WARFARIN' },
    { brand: 'Tylenol', ingredient: 'ACETAMINOPHEN' },
    { brand: 'Tylenol with Codeine', ingredient: 'ACETAMINOPHEN' },
    { brand: 'Janumet', ingredient: 'SITAGLIPTIN' },
  ],
  tradeNames: [
    { tradeName: 'JANUMET', ingredients: 'METFORMIN + SITAGLIPTIN', products: 2 },
    { tradeName: 'CORTISPORIN', ingredients: 'HYDROCORTISONE + NEOMYCIN', products: 1 },
    { tradeName: 'CORTISPORIN', ingredients: 'HYDROCORTISONE + NEOMYCIN + POLYMYXIN B', products: 1 },
    { tradeName: 'WARFARIN AND WATER', ingredients: 'WARFARIN + WATER', products: 1 },
    { tradeName: 'FIORICET W/ CODEINE', ingredients: 'BUTALBITAL + CODEINE', products: 1 },
  ],
  groups: ['penicillin', 'sulfonamide-antibacterial', 'heparin', 'peanut', 'nsaid'],
})
const known = new Map<string, MedicineName[]>()
for (const { nameKey, kind, label, meaning } of stored)
  known.set(nameKey, [...(known.get(nameKey) ?? []), { kind, label, meanings: splitNames(meaning) }])
const nameWords = [...new Set([...known.keys()].flatMap((key) => key.split('_')))]

function recognize(kind: TextKind, text: string) {
  const split = splitText(kind, text)
  const spellings = new Map(
    listUnknownWords(kind, split.parts, known).map((word) => [
      word,
      nameWords.filter((name) => withinOneEdit(name, word)),
    ]),
  )
  const { found, notChecked, saysNone } = recognizeText(kind, split, known, spellings)
  return {
    names: found.map(({ label }) => label),
    meanings: found.map((name) => name.meanings.join(' + ')),
    notChecked,
    saysNone,
  }
}

test.each<[text: string, meanings: string[], notChecked: string[]]>([
  ['Coumadin 5mg, metformin and fish oil', ['WARFARIN', 'METFORMIN', 'FISH OIL'], []],
  ['warfrin;lisinoprl 10 mg once a day', ['WARFARIN', 'LISINOPRIL'], []],
  ['Metformin HCl 500 mg twice daily with food', ['METFORMIN'], []],
  ['Warfarin sodium (Coumadin)', ['WARFARIN'], []],
  ['Tylenol with codeine No. 3', ['ACETAMINOPHEN + CODEINE'], []],
  // The directories have both names; products have one.
  ['glycopyrronium bromide', ['GLYCOPYRROLATE'], []],
  // The list of brands names one ingredient of a combination; trade names name all.
  ['Janumet twice a day', ['METFORMIN + SITAGLIPTIN'], []],
  ['cortisporin', ['HYDROCORTISONE + NEOMYCIN + POLYMYXIN B'], []],
  ['Fioricet w/ codeine', ['BUTALBITAL + CODEINE'], []],
  ['acetaminophen/codeine 300/30', ['ACETAMINOPHEN', 'CODEINE'], []],
  ["St. John's Wort\nlisinopril", ["ST. JOHN'S WORT", 'LISINOPRIL'], []],
  ['take with a glass of water', [], []],
  ['zyzzyxol 20 mg and lisinopril', ['LISINOPRIL'], ['zyzzyxol 20 mg']],
  ['warfarin (stopped in 2020), lisinopril', ['LISINOPRIL'], ['warfarin', 'stopped in 2020']],
  ['I no longer take warfarin, lisinopril daily', ['LISINOPRIL'], ['I no longer take warfarin']],
  ['a penicillin', [], ['a penicillin']],
  ['warfarin 5 mg (not on Sundays)', ['WARFARIN'], ['not on Sundays']],
  ['lisinopril - not with food', ['LISINOPRIL'], []],
  ['metformin (no refills left), warfarin', ['METFORMIN', 'WARFARIN'], ['no refills left']],
  ['warfarin (not taking anymore)', [], ['warfarin', 'not taking anymore']],
  ['warfarin (not taking it anymore)', [], ['warfarin', 'not taking it anymore']],
  ['warfarin (she no longer takes it)', [], ['warfarin', 'she no longer takes it']],
  ['warfarin (I’m not taking it anymore)', [], ['warfarin', 'I’m not taking it anymore']],
  ["warfarin (I don't take it)", [], ['warfarin']],
  ["I don't take warfarin, lisinopril daily", ['LISINOPRIL'], ["I don't take warfarin"]],
  ['warfarin - I stopped it', [], ['warfarin', 'I stopped it']],
  ['warfarin - started after I stopped lisinopril', ['WARFARIN'], ['started after I stopped lisinopril']],
  ['warfarin - no longer', [], ['warfarin', 'no longer']],
  ["He doesn't take warfarin", [], ["He doesn't take warfarin"]],
  ["warfarin (he doesn't take it)", [], ['warfarin']],
  ['warfarin (I quit)', [], ['warfarin', 'I quit']],
  ['metformin 1,000 mg, lisinopril 2.5 mg', ['METFORMIN', 'LISINOPRIL'], []],
  ['Warfarin. Lisinopril', ['WARFARIN', 'LISINOPRIL'], []],
  ['no warfarin. lisinopril', ['LISINOPRIL'], ['no warfarin']],
  ['no warfarin\nlisinopril; metformin', ['LISINOPRIL', 'METFORMIN'], ['no warfarin']],
  ['warfarin and zyzzyxol', ['WARFARIN'], ['zyzzyxol']],
  ['warfarin/lisinopril', ['WARFARIN', 'LISINOPRIL'], []],
  ['warfarin - lisinopril', ['WARFARIN', 'LISINOPRIL'], []],
  ['warfarin plus metformin also lisinopril', ['WARFARIN', 'METFORMIN', 'LISINOPRIL'], []],
  // The same medicine twice counts once.
  ['warfarin, Coumadin, warfarin 5 mg', ['WARFARIN'], []],
  ['warfrin, metformn', ['WARFARIN', 'METFORMIN'], []],
  ['tylenol with codiene', ['ACETAMINOPHEN', 'CODEINE'], []],
  ['fsih oil', [], ['fsih oil']],
  ['fish oli', [], ['fish oli']],
  ['Tylenoll with codeine', ['ACETAMINOPHEN', 'CODEINE'], []],
  ['water', ['WATER'], []],
  ['former warfarin user', [], ['former warfarin user']],
])('medicines in %j', (text, meanings, notChecked) => {
  expect(recognize('medications', text)).toMatchObject({ meanings, notChecked })
})

test.each<[text: string, names: string[], notChecked: string[], saysNone: boolean]>([
  ['Penicillin (hives), sulfa', ['Penicillin', 'Sulfa'], [], false],
  ['no penicillin allergy', [], ['no penicillin allergy'], false],
  ['No penicillin, sulfa or peanut allergy', [], ['No penicillin', 'sulfa or peanut allergy'], false],
  ['penicillin - no; peanuts', ['Peanut'], ['penicillin'], false],
  ['allergic to NSAIDs but not codeine', ['NSAID'], [], false],
  ['No known drug allergies except penicilin', ['Penicillin'], [], false],
  ['No known allergies', [], [], true],
  ['NKDA', [], [], true],
  ['None', [], [], true],
  ['bee stings', [], ['bee stings'], false],
  ['Codeine - stopped breathing', ['Codeine'], ['stopped breathing'], false],
  ['lisinopril, stopped because of a cough', ['Lisinopril'], ['stopped because of a cough'], false],
  ['Codeine (not taking anymore)', ['Codeine'], ['not taking anymore'], false],
  ['Codeine - no longer use', ['Codeine'], ['no longer use'], false],
  ['Discontinued amoxicillin after hives', ['Amoxicillin'], [], false],
  ['Do not give penicillin', ['Penicillin'], [], false],
  ["Don't take NSAIDs", ['NSAID'], [], false],
  ['Was told not to take codeine', ['Codeine'], [], false],
  ['Does not tolerate penicillin', ['Penicillin'], [], false],
  ['can not tolerate codeine', ['Codeine'], [], false],
  ['should not be given penicillin', ['Penicillin'], [], false],
  ['must not receive sulfa', ['Sulfa'], [], false],
  ['never ever take codeine', ['Codeine'], [], false],
  ['not able to take codeine', ['Codeine'], [], false],
  ['do not eat peanuts', ['Peanut'], [], false],
  ['should not have codeine', ['Codeine'], [], false],
  ['I do not have a penicillin allergy', [], ['I do not have a penicillin allergy'], false],
  ['Should not have penicillin due to an allergy', ['Penicillin'], [], false],
  ['Must not have penicillin because of anaphylactic reaction', ['Penicillin'], [], false],
  ['I do not have penicillin as I get an allergic reaction', ['Penicillin'], [], false],
  ["Can't have penicillin because of an allergy", ['Penicillin'], [], false],
  ["I don't have any problem with penicillin", [], ["I don't have any problem with penicillin"], false],
  ['I do not have a sensitivity to penicillin', [], ['I do not have a sensitivity to penicillin'], false],
  ["She doesn't have a penicillin allergy", [], ["She doesn't have a penicillin allergy"], false],
  ["isn't allergic to penicillin", [], ["isn't allergic to penicillin"], false],
  ['Never taken penicillin', [], ['Never taken penicillin'], false],
  ["I haven't taken penicillin", [], ["I haven't taken penicillin"], false],
  ['I have not ever used sulfa', [], ['I have not ever used sulfa'], false],
  // They may have stopped because of a reaction.
  ['I have not used sulfa since 2010', ['Sulfa'], [], false],
  ['never to be used: penicillin', ['Penicillin'], ['never to be used'], false],
  ['sulfa should never be taken, peanut', ['Sulfa', 'Peanut'], [], false],
  ['has never tolerated codeine', ['Codeine'], [], false],
  ['penicillin (not sure)', ['Penicillin'], ['not sure'], false],
  ['Penicillin. No sulfa', ['Penicillin'], ['No sulfa'], false],
  ['penicillin, penicillin, codeine', ['Penicillin', 'Codeine'], [], false],
  ['no penicillin, sulfa nor peanut allergy', [], ['no penicillin', 'sulfa nor peanut allergy'], false],
  ['no penicillin, codeine', ['Codeine'], ['no penicillin'], false],
  ['codeine, no penicillin or sulfa', ['Codeine'], ['no penicillin or sulfa'], false],
  ['penicillin to be taken never', ['Penicillin'], [], false],
  ['has never been able to take codeine', ['Codeine'], [], false],
  ['water', ['Water'], [], false],
])('allergies in %j', (text, names, notChecked, saysNone) => {
  expect(recognize('allergies', text)).toMatchObject({ names, notChecked, saysNone })
})

test('a name of a group and of an ingredient counts as the group', () => {
  expect(recognize('allergies', 'heparin')).toMatchObject({ meanings: ['heparin'] })
  expect(recognize('medications', 'heparin')).toMatchObject({ meanings: ['HEPARIN'] })
})

test('a hostile text is read in linear time and within the bounds; the rest is not checked', () => {
  const texts = [
    'a b c d e f ',
    'warfarinnn xyzzyxx ',
    ',',
    '(((',
    'no, ',
    'and ',
    '\u00A0',
    '1/',
    '.5,',
  ].map((pump) => pump.repeat(10_000))
  const started = process.cpuUsage()
  for (const text of texts) {
    const split = splitText('medications', text)
    expect(split.parts.flatMap(({ words }) => words).length).toBeLessThanOrEqual(textBounds.words)
    expect(listNameKeys(split.parts).length).toBeLessThanOrEqual(textBounds.words * 6)
    const spellings = new Map([['warfarinnn', ['warfarin', 'warfare', 'b', 'c', 'd']]])
    expect(listRepairedKeys(split.parts, spellings).length).toBeLessThan(50_000)
    const { notChecked } = recognizeText('medications', split, known, spellings)
    if (text.trim().length > textBounds.characters) expect(notChecked).toContain(split.unread)
  }
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000)
})

test('a name that the directories have only with a salt is the one of most products', () => {
  const names = [
    { name: 'LITHIUM CITRATE', ingredient: 'LITHIUM CITRATE', products: 2 },
    { name: 'LITHIUM CARBONATE', ingredient: 'LITHIUM CARBONATE', products: 87 },
  ]
  const built = buildMedicineNames({ names, brands: [], tradeNames: [], groups: [] })
  expect(built.filter(({ nameKey }) => nameKey === 'lithium')).toMatchObject([
    { kind: 'ingredient', label: 'Lithium', meaning: 'LITHIUM CARBONATE' },
  ])
})

test('the keys of a text are those of each run of its words, up to six', () => {
  const keys = (text: string) => listNameKeys(splitText('medications', text).parts)
  expect(keys('fish oil')).toEqual(['fish_oil', 'fish', 'oil'])
  expect(keys('fish, oil, fish')).toEqual(['fish', 'oil'])
  expect(keys('alpha bravo charlie delta echo foxtrot golf')).toHaveLength(6 + 6 + 5 + 4 + 3 + 2 + 1)
})

test('other spellings are looked up with the words around them', () => {
  const { parts } = splitText('medications', 'fisch oil')
  expect(listRepairedKeys(parts, new Map([['fisch', ['fish']]]))).toEqual(['fish_oil', 'fish'])
  expect(listRepairedKeys(parts, new Map())).toEqual([])
  const spellings = new Map([['fisch', ['a', 'b', 'c', 'd', 'e']]])
  expect(listRepairedKeys(parts, spellings)).toEqual(
    ['a', 'b', 'c', 'd'].flatMap((word) => [`${word}_oil`, word]),
  )
})

test('spellings are found for unknown words of five letters or more, at most 40', () => {
  const unknown = (text: string) =>
    listUnknownWords('medications', splitText('medications', text).parts, known)
  expect(unknown('warfrin, lisinopril, abcd, ab12345, tablet')).toEqual(['warfrin'])
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const many = Array.from({ length: 50 }, (_, i) => `zyzzy${letters[i % 26]}${letters[(i * 7) % 25]}`)
  expect(unknown(many.join(', '))).toEqual(many.slice(0, 40))
})

test('a recognized name keeps what was typed and whether it was corrected', () => {
  const split = splitText('medications', 'Fish  Oil, warfrin')
  const { found } = recognizeText('medications', split, known, new Map([['warfrin', ['warfarin']]]))
  expect(found.map(({ typed, isRepaired }) => [typed, isRepaired])).toEqual([
    ['fish oil', false],
    ['warfrin', true],
  ])
})
