import { isUndecided, lineReviewStatuses, noLicenseMessage, rxNumber } from '#domain/dispensing/dispensing.ts'
import {
  countryOf,
  checkDestination,
  findDestinationRules,
  toCountryCode,
} from '#domain/dispensing/destination.ts'
import {
  checkFill,
  hasFillInProgress,
  lastValidDay,
  nextFillDay,
  type Fill,
  type FillProblem,
  type Item,
} from '#domain/dispensing/fill-rules.ts'
import {
  isSubstitutable,
  listDifferences,
  medicineSchema,
  toMedicine,
  unitsOf,
} from '#domain/dispensing/medicine.ts'
import { npiProblem } from '#domain/dispensing/npi.ts'
import { isTooSoon, resolveLine, type LineResolution } from '#domain/dispensing/resolve-line.ts'
import { toLineState } from '#domain/dispensing/to-line-state.ts'
import { fillOf, itemOf, lisinopril, sourceOf } from '#tests/support/prescription-items.ts'
import { describe, expect, test } from 'vitest'

const now = new Date('2026-03-10T12:00:00Z')
const rules = { now, opensAtPercent: 75 }

describe('what a line at checkout reads like', () => {
  const refused = (problem: FillProblem): LineResolution => ({ kind: 'refused', item: itemOf(), problem })
  const nothing = { needsPrescription: false, isTooSoon: false, allowedPacks: 0, needsUpload: false }
  const tooLarge = 'Not covered: this pack holds more than your prescription allows. Choose a smaller pack.'
  test.each<[LineResolution, object]>([
    [
      { kind: 'covered', item: itemOf(), refillsLeft: 1, daysSupply: 30 },
      { kind: 'covered', message: 'Covered by Dr. Natarajan’s prescription, 1 refill left', ...nothing },
    ],
    [
      { kind: 'to review', prescriptionId: 'p' },
      {
        kind: 'to review',
        message: 'A pharmacist will check this against the prescription you choose',
        ...nothing,
      },
    ],
    [
      { kind: 'needs prescription' },
      {
        kind: 'choose',
        message: 'Choose or upload a prescription for this medicine',
        ...nothing,
        needsPrescription: true,
      },
    ],
    [
      refused({ kind: 'different', difference: 'strength', offeredForm: 'tablet' }),
      {
        kind: 'refused',
        message: 'Not covered: this prescription is for 10 mg.',
        ...nothing,
        needsPrescription: true,
        needsUpload: true,
      },
    ],
    [
      refused({ kind: 'closed' }),
      {
        kind: 'refused',
        message: 'Not covered: this prescription is closed. Upload a new one.',
        ...nothing,
        needsUpload: true,
      },
    ],
    [
      refused({ kind: 'expired', on: '2026-03-09' }),
      {
        kind: 'refused',
        message: 'Not covered: this prescription expired on Mar 9. Upload a new one.',
        ...nothing,
        needsUpload: true,
      },
    ],
    [
      refused({ kind: 'nothing left', left: 0 }),
      {
        kind: 'refused',
        message: 'No refills left. Ask your doctor for a new prescription.',
        ...nothing,
        needsUpload: true,
      },
    ],
    [
      refused({ kind: 'nothing left', left: 25 }),
      {
        kind: 'refused',
        message: 'Only 25 tablets left on this prescription. Choose a smaller quantity.',
        ...nothing,
        allowedPacks: 2,
      },
    ],
    [refused({ kind: 'nothing left', left: 9 }), { kind: 'refused', message: tooLarge, ...nothing }],
    [
      refused({ kind: 'too many', allowed: 10 }),
      {
        kind: 'refused',
        message: 'Not covered: one fill is at most 10 tablets. Choose a smaller quantity.',
        ...nothing,
        allowedPacks: 1,
      },
    ],
    [refused({ kind: 'too many', allowed: 9 }), { kind: 'refused', message: tooLarge, ...nothing }],
    [
      refused({ kind: 'too early', on: '2026-03-28' }),
      { kind: 'refused', message: 'Available from Mar 28.', ...nothing, isTooSoon: true },
    ],
    [
      refused({ kind: 'in progress' }),
      {
        kind: 'refused',
        message: 'You already have an order for this medicine in progress.',
        ...nothing,
        isTooSoon: true,
      },
    ],
    [
      refused({ kind: 'in cart' }),
      {
        kind: 'refused',
        message: 'Your cart has this medicine twice. Remove one of them.',
        ...nothing,
        isTooSoon: true,
      },
    ],
  ])('%#', (resolution, state) => {
    expect(toLineState(resolution, 10)).toEqual(state)
  })

  test('only a wrong time is too soon', () => {
    const problems: FillProblem[] = [
      { kind: 'too early', on: '2026-03-28' },
      { kind: 'in progress' },
      { kind: 'in cart' },
      { kind: 'closed' },
      { kind: 'too many', allowed: 1 },
    ]
    expect(problems.map(isTooSoon)).toEqual([true, true, true, false, false])
  })
})

describe('the next fill', () => {
  const set = lisinopril.ingredientSet
  const released = { status: 'released', dispensedAt: new Date('2026-03-09T12:00:00Z') } as const
  test.each<[string, Fill[], { opensOn: string | null; isInProgress: boolean }]>([
    ['without a fill', [], { opensOn: null, isInProgress: false }],
    [
      'after a fill of other ingredients',
      [fillOf({ ingredientSet: 'metformin' })],
      { opensOn: null, isInProgress: false },
    ],
    [
      'after a fill of other ingredients that waits',
      [fillOf({ ingredientSet: 'metformin', status: 'cleared' })],
      { opensOn: null, isInProgress: false },
    ],
    ['after a released fill', [fillOf(released)], { opensOn: null, isInProgress: false }],
    [
      'after a reserved fill',
      [fillOf({ status: 'reserved', dispensedAt: null })],
      { opensOn: null, isInProgress: true },
    ],
    [
      'after a cleared fill',
      [fillOf({ status: 'cleared', dispensedAt: null })],
      { opensOn: null, isInProgress: true },
    ],
    // What a cleared line records of an earlier time does not count.
    [
      'after a cleared fill with a time',
      [fillOf({ status: 'cleared' })],
      { opensOn: null, isInProgress: true },
    ],
    ['after a fill without a time', [fillOf({ dispensedAt: null })], { opensOn: null, isInProgress: false }],
    ['after a fill', [fillOf()], { opensOn: '2026-01-28', isInProgress: false }],
    [
      'after two fills',
      [fillOf({ dispensedAt: new Date('2026-02-05T09:00:00Z') }), fillOf()],
      { opensOn: '2026-02-28', isInProgress: false },
    ],
    [
      'after a fill for more days',
      [fillOf({ daysSupply: 90 }), fillOf()],
      { opensOn: '2026-03-14', isInProgress: false },
    ],
  ])('%s', (_, fills, expected) => {
    const opensOn = nextFillDay(set, fills, 75)
    expect({ opensOn, isInProgress: hasFillInProgress(set, fills) }).toEqual(expected)
  })

  test('the next fill opens on its day', () => {
    const request = { medicine: lisinopril, units: 30, lineId: null, ...rules }
    const opensOn = (day: string, daysSupply: number) =>
      checkFill(itemOf(), [fillOf({ dispensedAt: new Date(`${day}T09:00:00Z`), daysSupply })], request)
    // 30 days at 75 % are 22.5, rounded up.
    expect(opensOn('2026-02-15', 30)).toBeNull()
    expect(opensOn('2026-02-16', 30)).toEqual({ kind: 'too early', on: '2026-03-11' })
  })

  test.each<[string, number, FillProblem | null]>([
    ['nothing dispensed', 0, null],
    ['one fill left', 60, null],
    ['a unit less than a fill left', 61, { kind: 'nothing left', left: 29 }],
    ['nothing left', 90, { kind: 'nothing left', left: 0 }],
    ['more dispensed than allowed', 95, { kind: 'nothing left', left: 0 }],
  ])('the next fill with %s', (_, units, problem) => {
    const fills = [fillOf({ units, dispensedAt: new Date('2025-10-01T09:00:00Z') })]
    expect(checkFill(itemOf(), fills, { medicine: lisinopril, units: 30, lineId: null, ...rules })).toEqual(
      problem,
    )
  })

  test('the next fill is valid until a year after the prescription was written', () => {
    expect(lastValidDay({ writtenOn: '2026-01-02', validUntil: '2027-01-02' })).toBe('2027-01-02')
    expect(lastValidDay({ writtenOn: '2026-01-02', validUntil: '2027-01-03' })).toBe('2027-01-02')
  })
})

describe('the items that a line is resolved against', () => {
  const line = { id: null, medicine: lisinopril, units: 30 }
  const resolve = (items: Item[], fills: Fill[] = []) => resolveLine(line, { items, fills }, null, rules)
  const childs = itemOf({ id: 'child’s', patientId: 'child' })
  test.each<[string, Item[], LineResolution['kind'], string | undefined]>([
    [
      'another medicine’s do not count',
      [itemOf({ medicine: { ...lisinopril, ingredientSet: 'x' } })],
      'needs prescription',
      undefined,
    ],
    ['two patients’ are chosen from', [itemOf(), childs], 'needs prescription', undefined],
    [
      'another patient’s closed one does not count',
      [itemOf(), { ...childs, status: 'closed' }],
      'covered',
      'item',
    ],
    [
      'another patient’s expired one does not count',
      [itemOf(), { ...childs, validUntil: '2026-03-09' }],
      'covered',
      'item',
    ],
    [
      'another patient’s counts on its last day',
      [itemOf(), { ...childs, validUntil: '2026-03-10' }],
      'needs prescription',
      undefined,
    ],
    [
      'the closest one says what is wrong, whatever the order',
      [
        itemOf({ id: 'stronger', medicine: { ...lisinopril, strength: '20 mg' } }),
        itemOf({ id: 'small', unitsPerFill: 20 }),
      ],
      'refused',
      'small',
    ],
    [
      'the closest one says what is wrong, in the other order',
      [itemOf({ id: 'small', unitsPerFill: 20 }), itemOf({ id: 'closed', status: 'closed' })],
      'refused',
      'small',
    ],
  ])('%s', (_, items, kind, id) => {
    const resolution = resolve(items)
    expect([resolution.kind, 'item' in resolution ? resolution.item.id : undefined]).toEqual([kind, id])
  })

  test('a covered line knows its refills and days', () => {
    expect(resolve([itemOf()])).toEqual({ kind: 'covered', item: itemOf(), refillsLeft: 2, daysSupply: 30 })
  })
})

describe('a medicine', () => {
  test('a medicine is read from its variant', () => {
    expect(lisinopril).toEqual({
      substances: 'Lisinopril',
      ingredientSet: 'lisinopril',
      strength: '10 mg',
      form: 'tablet',
      formText: 'TABLET',
      route: 'oral',
      brandName: null,
      unit: 'tablet',
      pack: null,
    })
    expect(medicineSchema.parse(lisinopril)).toEqual(lisinopril)
    expect(medicineSchema.safeParse({ ...lisinopril, form: 'pill' }).success).toBe(false)
    const entered = toMedicine(
      sourceOf(
        { genericName: '', labelStrength: null },
        { ingredients: 'Benazepril ;; Amlodipine', route: null },
      ),
    )
    expect(entered).toMatchObject({
      substances: 'Lisinopril',
      ingredientSet: 'amlodipine; benazepril',
      strength: '10 mg',
    })
    expect(toMedicine(sourceOf({ labelStrength: null, strength: '' })).strength).toBe('mg')
    expect(toMedicine(sourceOf({}, { ingredients: null })).ingredientSet).toBe('lisinopril')
  })

  const counted = ['tablet', 'capsule', 'caplet', 'lozenge', 'patch', 'suppository', 'film', 'ring', 'insert']
  test.each([...counted, 'packet', 'strip', 'dose', 'mL'])('a medicine counts every %s', (packageUnit) => {
    const source = sourceOf({ packageUnit, dosageForm: null })
    expect([toMedicine(source).unit, toMedicine(source).pack, unitsOf(source, 2)]).toEqual([
      packageUnit,
      null,
      60,
    ])
  })

  test.each(['cream', 'ointment', 'gel', 'inhaler', 'injection'] as const)(
    'keeps packs of %s whole',
    (dosageForm) => {
      const source = sourceOf({ dosageForm, packageUnit: 'mL' })
      expect([toMedicine(source).unit, toMedicine(source).pack, unitsOf(source, 2)]).toEqual([
        'pack',
        '30 mL',
        2,
      ])
    },
  )

  test.each([
    ['ophthalmic', 'mL', 'pack'],
    ['otic', 'mL', 'pack'],
    ['nasal', 'mL', 'pack'],
    ['inhalation', 'mL', 'pack'],
    ['oral', 'mL', 'mL'],
    [null, 'mL', 'mL'],
    ['nasal', 'strip', 'strip'],
    ['oral', 'kit', 'pack'],
  ])('a medicine with the route %s in %s is dispensed by the %s', (route, packageUnit, unit) => {
    expect(toMedicine(sourceOf({ dosageForm: 'liquid', packageUnit }, { route })).unit).toBe(unit)
  })

  test.each([
    [{}, null, [], true],
    [{ form: 'capsule' as const }, null, ['form'], true],
    [{ formText: 'TABLET, COATED' }, null, ['form'], true],
    [{ route: 'rectal' }, null, ['route'], false],
    [{ route: 'ORAL' }, null, [], true],
    [{ unit: 'pack', pack: '30 tablet' }, null, ['pack'], false],
    [{ unit: 'capsule' }, null, ['pack'], false],
    [{}, 'Zestril', ['brand'], true],
    [{ brandName: 'zestril' }, 'Zestril', [], true],
    [
      { ingredientSet: 'x', strength: '1 g', form: null, route: null, substances: 'X', unit: 'mL' },
      'Zestril',
      ['ingredient', 'strength', 'form', 'route', 'salt', 'pack', 'brand'],
      false,
    ],
  ])('a medicine with %j differs', (changes, brand, differences, isAllowed) => {
    expect(listDifferences(lisinopril, { ...lisinopril, ...changes }, brand)).toEqual(differences)
    expect(isSubstitutable(listDifferences(lisinopril, { ...lisinopril, ...changes }, brand))).toBe(isAllowed)
  })
})

test('a line is undecided while it waits, and a prescription has six digits', () => {
  expect(lineReviewStatuses.filter(isUndecided)).toEqual(['waiting', 'asked'])
  expect([rxNumber(123), rxNumber(1_234_567)]).toEqual(['Rx 000123', 'Rx 1234567'])
  expect(noLicenseMessage).toContain('record your license')
})

test.each([
  ['1234567893', null],
  ['1234567890', 'This NPI has a typing error: its check digit is wrong.'],
  ['91234567893', 'Enter the 10 digits of the NPI. It starts with 1 or 2.'],
  ['12345678933', 'Enter the 10 digits of the NPI. It starts with 1 or 2.'],
  ['3234567893', 'Enter the 10 digits of the NPI. It starts with 1 or 2.'],
])('the NPI %s: %s', (npi, problem) => {
  expect(npiProblem(npi)).toBe(problem)
})

describe('a destination', () => {
  test.each([
    ['United States', 'US'],
    ['u.s.', 'US'],
    ['USA', 'US'],
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['England', 'GB'],
    ['Scotland', 'GB'],
    ['Wales', 'GB'],
    ['Great Britain', 'GB'],
    ['Japan', 'JP'],
    ['jp', 'JP'],
    ['European Union', null],
    ['Unknown Region', null],
    ['QO', null],
    ['XK', null],
    ['ZZ', null],
    ['AC', null],
    ['EZ', null],
    ['UN', null],
    ['AQ', 'AQ'],
    ['', null],
  ])('the destination "%s" is %s', (name, code) => {
    expect(toCountryCode(name)).toBe(code)
  })

  const parts = {
    streetAddress: '1 Main St',
    city: 'Springfield',
    stateProvince: '',
    zipCode: '',
    country: 'Japan',
  }
  test.each([
    ['1 Main St, Springfield, US', null, 'US'],
    ['1 Main St, Springfield, US', parts, 'Japan'],
    ['Springfield, France', null, 'France'],
    ['France', null, 'France'],
    ['', null, ''],
  ])('the destination of "%s" is in its country', (text, address, country) => {
    expect(countryOf({ text, parts: address })).toBe(country)
  })

  test('a destination that no list knows is compared by its name', () => {
    const pharmacy = { id: 'a', name: 'A', country: 'Atlantis', shipsTo: ['ATLANTIS'] }
    const check = (country: string) => checkDestination(country, ['a'], [pharmacy])
    expect(check('atlantis')).toEqual({ isServed: true, isDomestic: true, pharmacies: [] })
    expect(check('Lemuria')).toEqual({ isServed: false, isDomestic: false, pharmacies: ['A'] })
  })

  test('a destination has the rules for imports into it', () => {
    const rule = {
      id: 'x',
      country: 'JP',
      direction: 'import',
      appliesTo: 'prescription medicines',
      situation: '',
      rule: '',
      limit: null,
      authority: '',
      source: '',
      sourceDate: null,
      howRead: '',
    }
    const ids = (changes: Partial<typeof rule>, country = 'Japan') =>
      findDestinationRules([{ ...rule, ...changes }], country, { isDomestic: false }).map(({ id }) => id)
    expect(ids({})).toEqual(['x'])
    expect(ids({ direction: 'export' })).toEqual([])
    expect(ids({ country: 'FR' })).toEqual([])
    expect(ids({}, 'Atlantis')).toEqual([])
    for (const appliesTo of [
      'DEA schedules',
      'controlled',
      'psychotropic',
      'targeted',
      'narcotic',
      'Non-prescription',
    ])
      expect(ids({ appliesTo }), appliesTo).toEqual([])
    expect(Object.keys(findDestinationRules([rule], 'Japan', { isDomestic: false })[0] ?? {})).not.toContain(
      'country',
    )
  })
})
