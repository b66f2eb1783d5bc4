import { formatDose, formatStrength, formatStrengthText, formatUnit } from '#domain/dispensing/dose.ts'
import { findUnitProblem } from '#domain/dispensing/directions-unit.ts'
import { expandDirections } from '#domain/dispensing/expand-directions.ts'
import { errorProneCodes, sigCodes, unitCodes } from '#domain/dispensing/sig-codes.ts'
import { expect, test } from 'vitest'

test.each([
  ['1 tab po bid', 'Take 1 tablet by mouth twice a day'],
  ['1 TAB PO BID', 'Take 1 tablet by mouth twice a day'],
  ['1 tab. p.o. b.i.d.', 'Take 1 tablet by mouth twice a day'],
  ['2tabs po q 6 h prn pain', 'Take 2 tablets by mouth every 6 hours as needed for pain'],
  ['1-2 caps po q4-6h prn', 'Take 1 to 2 capsules by mouth every 4 to 6 hours as needed'],
  ['0.5 tab po qam', 'Take 0.5 tablet (half a tablet) by mouth every morning'],
  ['1.5 tabs po daily', 'Take 1.5 tablets by mouth daily'],
  ['5 mL po tid ac for 10 days', 'Take 5 mL by mouth 3 times a day before meals for 10 days'],
  ['2 puffs inh q4h prn wheezing', 'Inhale 2 puffs every 4 hours as needed for wheezing'],
  ['1 gtt right eye qid', 'Place 1 drop in the right eye 4 times a day'],
  ['2 drops into both ears bid', 'Place 2 drops in each ear twice a day'],
  ['1 spray each nostril q am', 'Use 1 spray in each nostril every morning'],
  [
    '1 tab sl q5min prn chest pain',
    'Place 1 tablet under the tongue every 5 minutes as needed for chest pain',
  ],
  ['1 supp pr nightly', 'Insert 1 suppository into the rectum nightly'],
  ['10 units subcut nightly', 'Inject 10 units under the skin nightly'],
  ['10,000 units subcut q12h', 'Inject 10,000 units under the skin every 12 hours'],
  ['apply aaa bid', 'Apply to the affected area twice a day'],
  ['aaa bid', 'Apply to the affected area twice a day'],
  ['1 patch top q24h', 'Apply 1 patch to the skin every 24 hours'],
  ['take 1 tablet by mouth as directed', 'Take 1 tablet by mouth as directed'],
  ['TAKE ONE TABLET IN THE MORNING', 'Take 1 tablet in the morning'],
  ['take two tablets daily', 'Take 2 tablets daily'],
  ['take three tablets daily', 'Take 3 tablets daily'],
  ['take four tablets daily', 'Take 4 tablets daily'],
  ['take five tablets daily', 'Take 5 tablets daily'],
  ['take six tablets daily', 'Take 6 tablets daily'],
  ['take seven tablets daily', 'Take 7 tablets daily'],
  ['take eight tablets daily', 'Take 8 tablets daily'],
  ['Take Two tablets daily', 'Take 2 tablets daily'],
  ['12.25 mL po daily', 'Take 12.25 mL by mouth daily'],
  ['1,250.75 units subcut daily', 'Inject 1,250.75 units under the skin daily'],
  ['10,000,000 units subcut daily', 'Inject 10,000,000 units under the skin daily'],
  ['1.5-2.5 mL po bid', 'Take 1.5 to 2.5 mL by mouth twice a day'],
  ['10-15 mL po bid', 'Take 10 to 15 mL by mouth twice a day'],
  ['1–2 tabs po bid', 'Take 1 to 2 tablets by mouth twice a day'],
  ['1-2tabs po bid', 'Take 1 to 2 tablets by mouth twice a day'],
  ['1.5-2.5tabs po bid', 'Take 1.5 to 2.5 tablets by mouth twice a day'],
  ['1 tab po q 4 - 6 hours', 'Take 1 tablet by mouth every 4 to 6 hours'],
  ['1 tab po q4 - 6h', 'Take 1 tablet by mouth every 4 to 6 hours'],
  ['1 tab po q8-12hr', 'Take 1 tablet by mouth every 8 to 12 hours'],
  ['1 tab po q 12 hour', 'Take 1 tablet by mouth every 12 hours'],
  ['1 tab po q1h', 'Take 1 tablet by mouth every hour'],
  ['1 tab po q15minutes', 'Take 1 tablet by mouth every 15 minutes'],
  ['1 tab po bid; 2 tabs po nightly', 'Take 1 tablet by mouth twice a day; 2 tablets by mouth nightly'],
  ['1  tab   po bid', 'Take 1 tablet by mouth twice a day'],
  ['1 tab po as needed for pain', 'Take 1 tablet by mouth as needed for pain'],
  ['1 tab po as needed pain', 'Take 1 tablet by mouth as needed for pain'],
  ['1 tab po prn, after meals', 'Take 1 tablet by mouth as needed, after meals'],
  ['2 tabs po stat, then 1 tab po daily', 'Take 2 tablets by mouth right away, then 1 tablet by mouth daily'],
  [
    '1 cap po daily. 2 caps po on Sunday.',
    'Take 1 capsule by mouth daily. Take 2 capsules by mouth on Sunday.',
  ],
])('%s', (typed, text) => {
  expect(expandDirections(typed)).toEqual({ text, unknown: [], errorProne: [] })
})

test('the form decides how directions begin when neither unit nor route does', () => {
  expect(expandDirections('bid', 'cream').text).toBe('Apply twice a day')
  expect(expandDirections('1 daily', 'tablet').text).toBe('Take 1 daily')
  expect(expandDirections('2 bid', 'inhaler').text).toBe('Inhale 2 twice a day')
  expect(expandDirections('1 bid', null).text).toBe('1 twice a day')
})

test.each([
  ['1 tab po qd', 'qd', 'daily'],
  ['1 tab po Q.O.D.', 'Q.O.D.', 'every other day'],
  ['10 U subcut bid', 'U', 'units'],
  ['10u subcut bid', '10u', '10 units'],
  ['1 tab po hs', 'hs', 'at bedtime, or half-strength'],
  ['1.0 tab po bid', '1.0', '1'],
  ['.5 tab po bid', '.5', '0.5'],
  ['2.50 mL po bid', '2.50', '2.5'],
  ['5 ml po bid', 'ml', 'mL'],
  ['5mL po bid', '5mL', '5 mL'],
  ['5 mg. po bid', 'mg.', 'mg'],
  ['10000 units subcut daily', '10000', '10,000'],
  ['1/2 tab po bid', '1/2', '0.5 (half)'],
  ['1 gtt OD bid', 'OD', 'daily, or right eye'],
  ['1 spray IN bid', 'IN', 'in the nose'],
  ['1 mL sub q daily', 'sub q', 'subcut'],
  ['1 tab per os bid', 'per os', 'po'],
  ['1 tab po q6PM', 'q6PM', 'daily at 6 PM'],
  ['1 tab po bid x7d', 'x7d', 'the number of days in words'],
  ['MS 5 mg po bid', 'MS', 'the medicine’s full name'],
  ['1 drop as bid', 'as', 'left ear'],
  ['5 mL/kg po bid', 'mL/kg', 'the words'],
  ['0.10 mL po bid', '0.10', '0.1'],
  ['10.0 mL po bid', '10.0', '10'],
  ['.25 mL po bid', '.25', '0.25'],
  ['1500.75 units subcut daily', '1500.75', '1,500.75'],
  ['5 g. po bid', 'g.', 'g'],
  ['1 tab po q10PM', 'q10PM', 'daily at 10 PM'],
  ['1 tab po bid x10d', 'x10d', 'the number of days in words'],
  ['1 tab po bid x3', 'x3', 'the number of days in words'],
  ['1 mL SUB Q daily', 'SUB Q', 'subcut'],
])('never expands an error-prone code: %s', (typed, code, writeInstead) => {
  const { text, errorProne } = expandDirections(typed)
  expect(errorProne).toEqual([{ code, writeInstead }])
  expect(text.split(/\s+/).join(' ')).toContain(code)
})

test('keeps and reports a word that it does not know', () => {
  expect(expandDirections('1 tab po bid zzz')).toEqual({
    text: 'Take 1 tablet by mouth twice a day zzz',
    unknown: ['zzz'],
    errorProne: [],
  })
  // A reason can be any word, but not a short one, which might be a code.
  expect(expandDirections('1 tab po prn sciatica').unknown).toEqual([])
  expect(expandDirections('1 tab po prn xyz').unknown).toEqual(['xyz'])
  expect(expandDirections('1 constructor po toString').unknown).toEqual(['constructor', 'toString'])
  expect(expandDirections('  ')).toEqual({ text: '', unknown: [], errorProne: [] })
})

test.each([
  ['1 tab po bid', 'capsule', /say tablet, but this medicine is a capsule/],
  ['1-2 caps po q4h prn pain', 'tablet', /say capsule, but this medicine is a tablet/],
  ['500 mg 1 tab po bid', 'capsule', /say tablet/],
  ['500 mg (1 tab) po bid', 'capsule', /say tablet/],
  ['Take 1 (one) tablet bid', 'capsule', /say tablet/],
  ['Take 1 (500 mg) tablet bid', 'capsule', /say tablet/],
  ['Take one 500 mg tablet bid', 'capsule', /say tablet/],
  ['Take 1 (500 mg) capsule bid', 'capsule', null],
  ['500 mg (1 cap) po bid', 'capsule', null],
  ['500 mg po bid with 1 capsule of the other medicine', 'tablet', null],
  ['0.5 tablet daily, with 1 capsule of the other medicine', 'tablet', null],
  ['2 puffs bid with your tablets', 'capsule', null],
  ['500 mg po bid', 'capsule', null],
  ['1 tab po bid', null, null],
  ['1 tab po bid', 'liquid', null],
] as const)('finds directions for another form: %s of a %s', (directions, form, problem) => {
  expect(findUnitProblem(directions, form) ?? '').toMatch(problem ?? /^$/)
})

test('no code is both expanded and error-prone, and expansion changes nothing twice', () => {
  const expanded = new Set([...Object.keys(sigCodes), ...Object.keys(unitCodes)])
  expect(Object.keys(errorProneCodes).filter((code) => expanded.has(code.toLowerCase()))).toEqual([])
  for (const typed of ['1 tab po bid', '2 puffs inh q4h prn wheezing', '1 gtt right eye qid', 'aaa bid']) {
    const { text } = expandDirections(typed)
    expect(expandDirections(text)).toEqual({ text, unknown: [], errorProne: [] })
  }
})

test('doses have a leading zero, no trailing zero, and commas', () => {
  expect([0.5, 5, 5.0, 1000, 0.125, 12500.25].map(formatDose)).toEqual([
    '0.5',
    '5',
    '5',
    '1,000',
    '0.125',
    '12,500.25',
  ])
  expect(['ug', 'µg', 'mcg/actuation', 'ml', 'IU', 'mg/5 ml', 'USP units/mL'].map(formatUnit)).toEqual([
    'mcg',
    'mcg',
    'mcg/actuation',
    'mL',
    'units',
    'mg/5 mL',
    'USP units/mL',
  ])
  expect(
    [
      'mcg',
      'iu',
      '[iu]',
      'int. units',
      'U',
      '[USP’U]',
      "[USP'U]",
      'cc',
      'L',
      'ml/l',
      'mg/2.50 ml',
      ' mg ',
    ].map(formatUnit),
  ).toEqual([
    'mcg',
    'units',
    'units',
    'units',
    'units',
    'units',
    'units',
    'mL',
    'L',
    'mL/L',
    'mg/2.5 mL',
    'mg',
  ])
  expect(formatDose(0.12345)).toBe('0.12345')
  expect(formatStrengthText('1000 MG')).toBe('1,000 mg')
  expect(formatStrengthText('10,000 UNIT/ML')).toBe('10,000 unit/mL')
  expect(formatStrength({ strength: '.50', strengthUnit: 'ug' })).toBe('0.5 mcg')
  expect(formatStrength({ strength: '300/7.5', strengthUnit: 'mg' })).toBe('300/7.5 mg')
  expect(formatStrength({ strength: '', strengthUnit: '' })).toBe('')
  expect(
    ['10.0 MG', '500 MCG/5 ML', '300 mg / 7.5 mg', '.5 G', '100 IU/ML', '0.05 %', '10MG'].map(
      formatStrengthText,
    ),
  ).toEqual(['10 mg', '500 mcg/5 mL', '300 mg / 7.5 mg', '0.5 g', '100 units/mL', '0.05 %', '10mg'])
})
