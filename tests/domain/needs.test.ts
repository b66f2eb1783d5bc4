import { findEmergency } from '#domain/search/emergency-terms.ts'
import { findNeed } from '#domain/search/needs.ts'
import { fold } from '#domain/text.ts'
import { needTable } from '#server/search/need-table.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const needOf = (text: string, mistyped = false) => findNeed(text, needTable, { mistyped })

test.each([
  ['headache', 'headache'],
  ['Heartburn', 'heartburn'],
  ['acid reflux medicine', 'heartburn'],
  ['medication for high blood pressure', 'high blood pressure'],
  ['blood pressure pills', 'high blood pressure'],
  ['Athlete’s foot', 'athlete s foot'],
  ["athlete's foot cream", 'athlete s foot'],
  ['something for my allergies', 'allergy'],
  ['birth control', 'birth control'],
  ['poison ivy', 'insect bites'],
  ['pink eye drops', 'pink eye'],
  ['uti', 'urinary tract infection'],
  ['panic attack', 'anxiety'],
  ['something to help me sleep', 'insomnia'],
  ['dolor de cabeza', 'headache'],
  ['pastillas para dormir', 'insomnia'],
  ['jarabe para la tos', 'cough'],
  ['brûlures d’estomac', 'heartburn'],
  ['sirop pour la toux', 'cough'],
  ['fungus toenail', 'nail fungus'],
])('%s names the need %s', (text, term) => expect(needOf(text)?.term).toBe(term))

test('a form or a part of the body beside the term narrows it', () => {
  expect(needOf('allergy eye drops')).toMatchObject({ term: 'itchy eyes', forms: [], routes: [] })
  expect(needOf('allergy nasal spray')).toMatchObject({
    term: 'allergy',
    forms: ['liquid', 'inhaler'],
    routes: ['nasal'],
  })
  expect(needOf('the pill')).toMatchObject({ term: 'birth control', forms: [] })
  expect(needOf('migraine shots')).toMatchObject({ forms: ['injection'], routes: [] })
  expect(needOf('headache gelcaps')).toMatchObject({ forms: ['tablet', 'capsule'] })
})

test('a word for a child narrows the need instead of hiding it', () => {
  for (const text of [
    'kids fever',
    'fever medicine for kids',
    "children's fever",
    'my child has a fever',
    'fièvre bébé',
  ])
    expect(needOf(text), text).toMatchObject({ term: 'fever', forChild: true })
  expect(needOf('fever')).toMatchObject({ forChild: false })
  expect(needOf('kids')).toBeNull()
})

test('a query that says for whom or why names no need', () => {
  for (const text of [
    'headache pregnancy',
    'headache for my dog',
    'heartburn after surgery',
    'headache constructor',
    'mouth rash',
    'lisinopril',
    '',
  ])
    expect(needOf(text)).toBeNull()
})

test('a mistyped term is only found when asked for', () => {
  for (const text of ['hedache', 'heartburm', 'constipaton']) {
    expect(needOf(text)).toBeNull()
    expect(needOf(text, true)).not.toBeNull()
  }
  expect(needOf('gat', true)).toBeNull()
})

test.each([
  ['chest pain', 'emergency'],
  ['what helps with chest pains at night', 'emergency'],
  ['pain in my chest', 'emergency'],
  ['stroke', 'emergency'],
  ['heat stroke', 'emergency'],
  ['I can’t breathe', 'emergency'],
  ['trouble breething inhaler', 'emergency'],
  ['shortness of breath', 'emergency'],
  ['anaphylaxis', 'emergency'],
  ['anaphilaxis epipen', 'emergency'],
  ['asthma attack', 'emergency'],
  ['overdose', 'poison'],
  ['tylenol overdoze', 'poison'],
  ['took too many pills', 'poison'],
  ['poisoning', 'poison'],
  ['my toddler swallowed ibuprofen', 'poison'],
  ['chestpain', 'emergency'],
  ['suicidal', 'crisis'],
  ['SUICIDE', 'crisis'],
  ['sucidal thoughts', 'crisis'],
  ['i want to die', 'crisis'],
  ['overdose to kill myself', 'crisis'],
  ['dolor en el pecho', 'emergency'],
  ['no puedo respirar', 'emergency'],
  ['sobredosis de paracetamol', 'poison'],
  ['quiero morir', 'crisis'],
  ['douleur à la poitrine', 'emergency'],
  ['j’ai pris trop de comprimés', 'poison'],
  ['pensées suicidaires', 'crisis'],
  ['ibuprofen for my dog', 'animal'],
  ['cat antibiotics', 'animal'],
  ['amoxicilina para perros', 'animal'],
  ['vermifuge pour chien', 'animal'],
  ['my dog ate ibuprofen', 'poison'],
])('%s is answered with help: %s', (text, kind) => expect(findEmergency(text)?.kind).toBe(kind))

test.each([
  ['chest pain', 'en'],
  ['alcohol intoxication', 'en'],
  ['dolor en el pecho', 'es'],
  ['anafilaxia', 'es'],
  ['mi hijo tiene convulsiones', 'es'],
  ['amoxicilina para perros', 'es'],
  ['douleur à la poitrine', 'fr'],
  ['intoxication alimentaire', 'fr'],
  ['crise d’asthme', 'fr'],
  ['vermifuge pour chien', 'fr'],
])('the help for %s is in %s', (text, language) => expect(findEmergency(text)?.language).toBe(language))

test('the words that matter are found at the end of a long query', () => {
  expect(findEmergency(`${'please '.repeat(60)}chest pain`)?.kind).toBe('emergency')
  expect(findEmergency('\u0000\ud800 %00')).toBeNull()
  expect(findEmergency('cooking spray')).toBeNull()
})

test('what an animal did to a person is answered with medicines', () => {
  for (const text of ['cat hair', 'dog epithelium', 'allergic to my cat', 'cat allergy', 'dog bite cream'])
    expect(findEmergency(text), text).toBeNull()
  expect(findEmergency('PET scan')).toBeNull()
  expect(findEmergency('snake bite')?.kind).toBe('emergency')
})

test('no need and no medicine of the demo is an emergency', () => {
  const catalog: unknown = JSON.parse(readFileSync('db/seed/demo-catalog.json', 'utf8'))
  const names = [...JSON.stringify(catalog).matchAll(/"(?:name|brandName)":"([^"]+)"/g)].map(
    ([, name = '']) => name,
  )
  expect(names.length).toBeGreaterThan(1000)
  const terms = [...needTable.classes.keys(), ...needTable.aliases.keys()]
  expect([...terms, ...names].filter((text) => findEmergency(text) !== null)).toEqual([])
})

test('every row of the table names a class of the committed list, and every term is folded', () => {
  const lines = readFileSync('db/seed/care/ingredient-classes.tsv', 'utf8').split('\n').slice(1)
  const listed = lines.map((line) => line.split('\t'))
  const rows = [...needTable.classes.values()].flat()
  expect(rows.length).toBeGreaterThan(300)
  const unknown = rows.filter(
    ({ system, code, name }) =>
      !listed.some(([, of, listedCode = '', listedName]) =>
        system === 'ATC'
          ? of === 'ATC' && code !== '' && listedCode.startsWith(code)
          : of === system && code === '' && listedName === name,
      ),
  )
  expect(unknown).toEqual([])
  const terms = [...needTable.classes.keys(), ...needTable.aliases.keys()]
  expect(terms.filter((term) => fold(term) !== term)).toEqual([])
  expect([...needTable.aliases.values()].filter((term) => !needTable.classes.has(term))).toEqual([])
  expect([...needTable.aliases.keys()].filter((term) => needTable.classes.has(term))).toEqual([])
})
