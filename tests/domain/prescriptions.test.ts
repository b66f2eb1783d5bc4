import { daysSince } from '#domain/days.ts'
import { decisionSchema, prescriptionDetailsSchema } from '#domain/prescriptions/prescription-details.ts'
import {
  applyDecision,
  detailsErrors,
  prescriptionStatuses,
  statusOn,
  statusMessages,
  type PrescriptionStatus,
} from '#domain/prescriptions/prescriptions.ts'
import { expect, test } from 'vitest'

const now = new Date('2026-01-05T12:00:00Z')

test.each([
  ['2026-01-05T00:00:00.000Z', 'approved'],
  ['2026-01-05T23:59:59.999Z', 'approved'],
  ['2026-01-06T00:00:00.000Z', 'expired'],
  // Still January 5 in New York, but UTC counts.
  ['2026-01-05T21:00:00-05:00', 'expired'],
])('a prescription that expires on January 5 is at %s %s', (moment, status) => {
  expect(statusOn(new Date(moment), { status: 'approved', expiryDate: '2026-01-05' })).toBe(status)
})

test('expiry overrides every decision; without an expiry date nothing expires', () => {
  for (const status of prescriptionStatuses) {
    expect(statusOn(now, { status, expiryDate: '2026-01-04' })).toBe('expired')
    expect(statusOn(now, { status, expiryDate: null })).toBe(status)
  }
})

test('every status has a label and a description', () => {
  expect(prescriptionStatuses.map((status) => statusMessages[status].label)).toEqual([
    'Under review',
    'Approved',
    'Rejected',
    'Expired',
  ])
  expect(statusMessages.under_review.sentence).toContain('1-2 business days')
})

type Stored = { status: PrescriptionStatus; statusReason: string | null; expiryDate: string | null }
const stored: Stored = { status: 'under_review', statusReason: null, expiryDate: null }
const rejected: Stored = { ...stored, status: 'rejected', statusReason: 'Not legible' }

test.each([
  [stored, { status: 'approved' }, { status: 'approved', statusReason: null }],
  [stored, { status: 'rejected' }, 'reason required'],
  [stored, { status: 'rejected', statusReason: null }, 'reason required'],
  [
    stored,
    { status: 'rejected', statusReason: 'Not legible' },
    { status: 'rejected', statusReason: 'Not legible' },
  ],
  [rejected, {}, { status: 'rejected', statusReason: 'Not legible' }],
  [rejected, { status: 'rejected' }, { status: 'rejected', statusReason: 'Not legible' }],
  [rejected, { statusReason: 'No name' }, { status: 'rejected', statusReason: 'No name' }],
  [rejected, { statusReason: null }, 'reason required'],
  [rejected, { status: 'approved' }, { status: 'approved', statusReason: null }],
  [rejected, { status: 'under_review' }, { status: 'under_review', statusReason: null }],
  [
    stored,
    { status: 'approved', statusReason: 'Two refills' },
    { status: 'approved', statusReason: 'Two refills' },
  ],
  [stored, { status: 'expired' }, { status: 'expired', statusReason: null }],
  [{ ...stored, expiryDate: '2026-01-04' }, { status: 'approved' }, 'expired'],
  [
    { ...stored, expiryDate: '2026-01-05' },
    { status: 'approved' },
    { status: 'approved', statusReason: null },
  ],
  // Approved before it expired: repeating it is not a new decision.
  [
    { ...stored, status: 'approved', expiryDate: '2026-01-04' },
    { status: 'approved' },
    { status: 'approved', statusReason: null },
  ],
] as const)('%j, decided %j, is %j', (before, decision, after) => {
  expect(applyDecision(now, before, decision)).toEqual(after)
})

const parsed = (details: Record<string, unknown>) => prescriptionDetailsSchema.safeParse(details)

test('all details can be omitted or blank', () => {
  const nothing = { doctorName: null, prescriptionDate: null, expiryDate: null, notes: null }
  expect(parsed({}).data).toEqual(nothing)
  expect(parsed(nothing).data).toEqual(nothing)
  expect(
    parsed({ doctorName: ' \u200B', prescriptionDate: '', expiryDate: ' ', notes: '\r\n\u0000' }).data,
  ).toEqual(nothing)
})

test('texts are kept without invisible characters', () => {
  expect(parsed({ doctorName: ' Dr. Zoë\u0000 O’Hara ', notes: 'one\r\ntwo\r' }).data).toMatchObject({
    doctorName: 'Dr. Zoë O’Hara',
    notes: 'one\ntwo',
  })
})

test.each([
  ['doctorName', 'x'.repeat(201)],
  ['doctorName', 7],
  ['doctorName', ['Dr. A']],
  ['notes', 'x'.repeat(2001)],
  ['notes', {}],
  ['prescriptionDate', '2026-02-29'],
  ['prescriptionDate', '05/01/2026'],
  ['prescriptionDate', '2026-1-5'],
  ['prescriptionDate', '2026-01-05T00:00:00Z'],
  ['prescriptionDate', '0001-01-01'],
  ['expiryDate', '2026-13-01'],
  ['expiryDate', 20260105],
  ['expiryDate', '+02026-01-05'],
])('%s cannot be %j', (field, value) => {
  const result = parsed({ [field]: value })
  expect(result.error?.issues.map(({ path }) => path)).toEqual([[field]])
})

test.each([
  ['2026-01-05', {}],
  // Already today in the easternmost time zone.
  ['2026-01-06', {}],
  ['2026-01-07', { prescriptionDate: 'The prescription date can’t be in the future.' }],
  [null, {}],
])('a prescription of %s: %j', (prescriptionDate, problems) => {
  expect(detailsErrors(now, { prescriptionDate })).toEqual(problems)
})

test('a decision distinguishes omitted from cleared fields', () => {
  expect(decisionSchema.parse({})).toEqual({})
  expect(decisionSchema.parse({ statusReason: ' ' })).toEqual({ statusReason: null })
  expect(decisionSchema.parse({ status: 'rejected', statusReason: null })).toEqual({
    status: 'rejected',
    statusReason: null,
  })
  expect(decisionSchema.safeParse({ status: 'done' }).error?.issues[0]?.path).toEqual(['status'])
  expect(decisionSchema.safeParse({ statusReason: 'x'.repeat(501) }).success).toBe(false)
})

test.each([
  ['2026-01-05T00:00:00Z', 0],
  ['2026-01-04T23:59:00Z', 1],
  ['2026-01-04T00:00:00Z', 1],
  ['2026-01-03T23:00:00Z', 2],
  ['2026-01-06T00:00:00Z', 0],
])('from %s it is %i calendar days to the afternoon of January 5', (moment, days) => {
  expect(daysSince(new Date(moment), now)).toBe(days)
})
