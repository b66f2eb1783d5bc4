import {
  applyLabelForm,
  checkLabelDays,
  labelChoicesSchema,
  labelFormSchema,
  noLabelChoices,
} from '#domain/dispensing/label-choices.ts'
import { describeDraftLabels, discardAfter, findLabelGaps } from '#domain/dispensing/label-rules.ts'
import { noLabelRead, toInitials } from '#domain/dispensing/label.ts'
import { formatQuantity, formatUnits } from '#domain/dispensing/quantity.ts'
import { findLabelFlags } from '#server/dispensing/label-flags.ts'
import { readTsv } from '#tests/support/care-lists.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test.each([
  // The earliest of 12 months, the lot's expiry and the pharmacist's day.
  ['2026-11-22', null, null, '2027-11-22'],
  ['2026-11-22', '2027-03-31', null, '2027-03-31'],
  ['2026-11-22', '2029-01-01', null, '2027-11-22'],
  ['2026-11-22', '2027-03-31', '2027-01-15', '2027-01-15'],
  ['2026-11-22', null, '2030-01-01', '2027-11-22'],
  ['2028-02-29', null, null, '2029-02-28'],
])('filled on %s, lot until %s, chosen %s: discard after %s', (filledOn, lotExpiry, chosen, day) => {
  expect(discardAfter({ filledOn, lotExpiry, chosen })).toBe(day)
})

test('a label’s days cannot extend the lot or the year, or lie before the fill', () => {
  const check = (lotExpiry: string | null, chosen: string | null) =>
    Object.keys(
      checkLabelDays({ lotExpiry, discardAfter: chosen }, { filledOn: '2026-11-22', latest: '2027-03-31' }),
    )
  expect(check('2027-03-31', '2027-03-31')).toEqual([])
  expect(check(null, null)).toEqual([])
  expect(check('2026-11-21', null)).toEqual(['lotExpiry'])
  expect(check('2027-03-31', '2027-04-01')).toEqual(['discardAfter'])
  expect(check('2027-03-31', '2026-11-21')).toEqual(['discardAfter'])
})

test('quantities and initials are printed in words', () => {
  expect(formatQuantity(30, { unit: 'tablet', pack: null })).toBe('30 tablets')
  expect(formatQuantity(1, { unit: 'tablet', pack: null })).toBe('1 tablet')
  expect(formatQuantity(1080, { unit: 'suppository', pack: null })).toBe('1,080 suppositories')
  expect(formatQuantity(237, { unit: 'mL', pack: null })).toBe('237 mL')
  expect(formatQuantity(2, { unit: 'pack', pack: '60 g' })).toBe('2 packs of 60 g')
  expect(formatQuantity(3, { unit: 'caplet', pack: null })).toBe('3 caplets')
  expect(formatUnits(2, 'patch')).toBe('2 patches')
  expect(['Amara Diallo', 'Ada M. van Quill', '  ', 'émile-zola', '𝒜da'].map(toInitials)).toEqual([
    'AD',
    'AMV',
    '',
    'ÉZ',
    '𝒜',
  ])
})

test('FDA’s labels say which medicines have a Medication Guide or a REMS', async () => {
  // Of openFDA's labels: server/dispensing/label-flags.json.
  expect(await findLabelFlags('Abacavir')).toMatchObject({
    isRead: true,
    hasGuide: true,
    setId: 'ca73b519-015a-436d-aa3c-af53492825a1',
  })
  expect(await findLabelFlags('Bosentan')).toMatchObject({ hasRems: true })
  // No label of this ingredient was read. That is no "no".
  expect(await findLabelFlags('Lisinopril')).toEqual(noLabelRead)
  expect(await findLabelFlags(null)).toEqual(noLabelRead)
  // The lists' key of an ingredient counts: "Divalproex" is not how the label's list names it.
  expect(await findLabelFlags('Divalproex')).toEqual(noLabelRead)
  expect(await findLabelFlags('Divalproex', ['VALPROIC ACID'])).toMatchObject({
    isRead: true,
    hasGuide: true,
  })
  expect(await findLabelFlags('Mycophenolate mofetil', ['MYCOPHENOLIC ACID'])).toMatchObject({
    hasGuide: true,
  })
  // A label's salt that products do not name.
  expect(await findLabelFlags('Diclofenac', ['DICLOFENAC'])).toMatchObject({ isRead: true, hasGuide: true })
  const bowelPreparation =
    'Polyethylene glycol 3350; Potassium chloride; Sodium bicarbonate; Sodium chloride; Sodium sulfate'
  expect(await findLabelFlags(bowelPreparation)).toMatchObject({ hasGuide: true })
  // The REMS of one ingredient does not hide the guide of another.
  expect(await findLabelFlags('Vigabatrin; Abacavir')).toMatchObject({ hasGuide: true, hasRems: true })
  // One flagged ingredient of an unknown combination counts.
  expect(await findLabelFlags('Abacavir; Unobtainium')).toMatchObject({ isRead: true, hasGuide: true })
})

test('the committed flags and rules are those of the committed lists', () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
  const labels = readTsv('db/seed/care/label-safety.tsv.gz').map((row) => {
    const flags = `${row.medication_guide ? 'G' : ''}${row.rems_mentioned ? 'R' : ''}`
    return { ingredients: row.ingredients, flags, from: [row.spl_set_id, row.label_effective] }
  })
  expect(read('server/dispensing/label-flags.json')).toMatchObject({
    flagged: labels
      .filter(({ flags }) => flags)
      .map(({ ingredients, flags, from }) => [ingredients, flags, ...from]),
    readWithoutFlag: labels.filter(({ flags }) => !flags).map(({ ingredients }) => ingredients),
  })
  const rules = readTsv('db/seed/care/rules-import-refill.tsv').map((row) => Object.values(row))
  expect(read('server/reviews/import-rules.json')).toMatchObject({ rows: rules })
})

test('a label says what is missing until everything is recorded', () => {
  const at = { by: 'pharmacist', at: '2026-11-22T10:00:00.000Z' }
  const pharmacy = { name: 'Harbor', addressLines: ['1 Quay'], phone: '+1 555 0100', licenseNumber: 'H-1' }
  const complete = {
    label: { initials: 'AD', pharmacy, discardAfter: '2027-11-22', filledOn: '2026-11-22' },
    choices: {
      ...noLabelChoices,
      guide: 'enclosed' as const,
      remsDecision: { text: 'Enrolled.', ...at },
      counseling: { answer: 'declined' as const, ...at },
    },
    flags: { ...noLabelRead, isRead: true, hasGuide: true, hasRems: true },
    hasErrorProneCode: false,
    isFirstFill: true,
  }
  expect(findLabelGaps(complete)).toEqual([])
  expect(
    findLabelGaps({
      ...complete,
      label: {
        initials: null,
        pharmacy: { ...pharmacy, addressLines: [], phone: null },
        discardAfter: '2026-11-21',
        filledOn: '2026-11-22',
      },
      choices: noLabelChoices,
      hasErrorProneCode: true,
    }),
  ).toEqual([
    'A pharmacist has not cleared this line.',
    'The directions have an error-prone code. Write it out in words.',
    'The pharmacy has no address.',
    'The pharmacy has no phone number.',
    'The lot expired before the fill date.',
    'Record whether the Medication Guide is enclosed.',
    'Record the REMS decision.',
    'Record the answer to the offer of counseling.',
  ])
  // A refill needs its guide again, and no new offer of counseling.
  expect(
    findLabelGaps({
      ...complete,
      choices: { ...noLabelChoices, remsDecision: { text: 'Enrolled.', ...at } },
      isFirstFill: false,
    }),
  ).toEqual(['Record whether the Medication Guide is enclosed.'])
})

test('the label’s form bounds its warnings and names the field', () => {
  const form = { version: '0', storage: 'room' }
  expect(
    labelFormSchema.parse({ ...form, 'warn-skin': 'on', lot: ' A1 ', otherWarnings: '\r\nOne\n\n two ' }),
  ).toMatchObject({
    version: 0,
    warnings: ['skin'],
    otherWarnings: ['One', 'two'],
    lot: 'A1',
    lotExpiry: null,
    guide: null,
    counseling: null,
  })
  for (const [field, values] of Object.entries({
    otherWarnings: { 'warn-skin': 'on', 'warn-alcohol': 'on', otherWarnings: '1\n2\n3\n4' },
    lot: { lot: 'x'.repeat(41) },
    lotExpiry: { lotExpiry: '2026-02-30' },
    discardAfter: { discardAfter: 'soon' },
    storage: { storage: 'shelf' },
    counseling: { counseling: 'maybe' },
    remsDecision: { remsDecision: 'x'.repeat(501) },
    version: { version: '-1' },
  })) {
    const { error } = labelFormSchema.safeParse({ ...form, ...values })
    expect(
      error?.issues.map(({ path }) => path[0]),
      field,
    ).toEqual([field])
  }
})

test('a label’s days are refused with their reason', () => {
  const days = { filledOn: '2026-11-22', latest: '2027-03-31' }
  expect(checkLabelDays({ lotExpiry: '2026-11-22', discardAfter: '2026-11-22' }, days)).toEqual({})
  expect(checkLabelDays({ lotExpiry: '2026-11-21', discardAfter: '2026-11-21' }, days)).toEqual({
    lotExpiry: 'This lot expired before the fill date. Dispense another lot.',
    discardAfter: 'Enter the fill date or a later date.',
  })
  expect(checkLabelDays({ lotExpiry: null, discardAfter: '2027-04-01' }, days)).toEqual({
    discardAfter:
      'Enter Mar 31, 2027 or an earlier date. It can’t be later than the lot’s expiry date or 12 months after the fill.',
  })
})

test('a product without a pharmacy has no address or phone to miss', () => {
  const complete = {
    label: { initials: 'AD', pharmacy: null, discardAfter: '2026-11-22', filledOn: '2026-11-22' },
    choices: noLabelChoices,
    flags: { ...noLabelRead, isRead: true, hasGuide: false, hasRems: true },
    hasErrorProneCode: false,
    isFirstFill: false,
  }
  expect(findLabelGaps(complete)).toEqual(['The product has no pharmacy.', 'Record the REMS decision.'])
  expect(findLabelGaps({ ...complete, flags: noLabelRead, isFirstFill: true })).toEqual([
    'The product has no pharmacy.',
    'Record the answer to the offer of counseling.',
  ])
})

test('the label’s form reads every tick, and blank fields as no answer', () => {
  const ticks = ['with-food', 'plenty-of-water', 'swallow-whole', 'sunlight', 'skin']
  const others = ['drowsiness', 'alcohol', 'driving']
  const form = { version: '3', storage: 'refrigerator' }
  const ticked = (ids: string[]) => Object.fromEntries(ids.map((id) => [`warn-${id}`, 'on']))
  for (const ids of [ticks, others, []]) {
    expect(labelFormSchema.parse({ ...form, ...ticked(ids) })).toEqual({
      version: 3,
      warnings: ids,
      otherWarnings: [],
      storage: 'refrigerator',
      lot: null,
      lotExpiry: null,
      discardAfter: null,
      guide: null,
      remsDecision: null,
      counseling: null,
    })
  }
  const blank = { lot: ' ', lotExpiry: ' ', discardAfter: '', guide: '', remsDecision: ' ', counseling: '' }
  expect(labelFormSchema.parse({ ...form, ...blank })).toEqual(labelFormSchema.parse(form))
  expect(
    labelFormSchema.parse({
      ...form,
      lot: ' A\t1 ',
      lotExpiry: ' 2027-06-30 ',
      discardAfter: '2027-05-31',
      guide: 'enclosed',
      remsDecision: 'Enrolled.\r\nChecked.',
      counseling: 'done',
    }),
  ).toMatchObject({
    lot: 'A 1',
    lotExpiry: '2027-06-30',
    discardAfter: '2027-05-31',
    guide: 'enclosed',
    remsDecision: 'Enrolled.\nChecked.',
    counseling: 'done',
  })
})

test.each([
  [{ lot: 'x'.repeat(40), remsDecision: 'x'.repeat(500) }, null],
  [{ lot: 'x'.repeat(41) }, 'Enter at most 40 characters.'],
  [{ remsDecision: 'x'.repeat(501) }, 'Enter at most 500 characters.'],
  [{ lotExpiry: 'soon' }, 'Enter a valid date, like 2027-06-30.'],
  [{ storage: 'shelf' }, 'Choose how to store the medicine.'],
  [{ guide: 'maybe' }, 'Choose whether a Medication Guide is enclosed.'],
  [{ counseling: 'maybe' }, 'Choose the answer to the offer of counseling.'],
  [{ otherWarnings: `${'x'.repeat(90)}\n${'y'.repeat(90)}` }, null],
  [{ otherWarnings: `short\n${'x'.repeat(91)}` }, 'Each warning can have at most 90 characters.'],
  [{ 'warn-skin': 'on', otherWarnings: '1\n2\n3\n4' }, null],
  [
    { 'warn-skin': 'on', otherWarnings: '1\n2\n3\n4\n5' },
    'A label can have at most 5 warnings: patients read only the first few.',
  ],
])('the label’s form with %j: %s', (values, message) => {
  const { error } = labelFormSchema.safeParse({ version: '0', storage: 'room', ...values })
  expect(error?.issues.map((issue) => issue.message) ?? []).toEqual(message === null ? [] : [message])
})

test('a decision or an answer that did not change keeps who recorded it', () => {
  const earlier = { by: 'Amara', at: '2026-11-22T10:00:00.000Z' }
  const recorded = { by: 'Ben', at: '2026-11-23T10:00:00.000Z' }
  const before = {
    ...noLabelChoices,
    lot: 'A1',
    remsDecision: { text: 'Enrolled.', ...earlier },
    counseling: { answer: 'accepted' as const, ...earlier },
  }
  const form = { version: '0', storage: 'room', lot: 'B2', 'warn-skin': 'on' }
  const apply = (values: Record<string, string>, from = before) =>
    applyLabelForm(from, labelFormSchema.parse({ ...form, ...values }), recorded)
  expect(apply({ remsDecision: 'Enrolled.', counseling: 'accepted' })).toEqual({
    ...before,
    warnings: ['skin'],
    storage: 'room',
    lot: 'B2',
  })
  expect(apply({ remsDecision: 'Not enrolled.', counseling: 'done' })).toMatchObject({
    remsDecision: { text: 'Not enrolled.', ...recorded },
    counseling: { answer: 'done', ...recorded },
  })
  expect(apply({})).toMatchObject({ remsDecision: null, counseling: null })
  const first = applyLabelForm(
    noLabelChoices,
    labelFormSchema.parse({ ...form, remsDecision: 'Enrolled.', counseling: 'declined' }),
    recorded,
  )
  expect(first).toMatchObject({
    remsDecision: { text: 'Enrolled.', ...recorded },
    counseling: { answer: 'declined', ...recorded },
  })
})

test('stored choices of a label are what was recorded', () => {
  const recorded = { by: 'Ben', at: '2026-11-23T10:00:00.000Z' }
  const stored = {
    ...noLabelChoices,
    warnings: ['skin'],
    otherWarnings: ['Shake well.'],
    remsDecision: { text: 'Enrolled.', ...recorded },
    counseling: { answer: 'done', ...recorded },
  }
  expect(labelChoicesSchema.parse(stored)).toEqual(stored)
  expect(labelChoicesSchema.parse(noLabelChoices)).toEqual({
    warnings: [],
    otherWarnings: [],
    storage: 'package',
    lot: null,
    lotExpiry: null,
    discardAfter: null,
    guide: null,
    remsDecision: null,
    counseling: null,
  })
  expect(labelChoicesSchema.safeParse({ ...stored, remsDecision: { text: 'Enrolled.' } }).success).toBe(false)
})

test.for([
  [[], null],
  [['Simvastatin'], 'The label of Simvastatin is a draft and prints “Not for dispensing”.'],
  [
    ['Simvastatin', 'Lisinopril'],
    'The labels of Simvastatin and Lisinopril are drafts and print “Not for dispensing”.',
  ],
  // Staff who may not see medicines.
  [[null], 'A label is a draft and prints “Not for dispensing”.'],
  [[null, null], '2 labels are drafts and print “Not for dispensing”.'],
] satisfies [(string | null)[], string | null][])(
  'of drafts of %j, the preview says: %s',
  ([names, text]) => {
    expect(describeDraftLabels(names)).toBe(text)
  },
)
