import { actionChoices, actionsOf, auditQuerySchema, maxDays } from '#domain/audit/audit-query.ts'
import { auditActions, signInActions } from '#domain/audit/audit.ts'
import { addDays } from '#domain/days.ts'
import { newId } from '#domain/ids.ts'
import { toFieldErrors } from '#domain/parse-input.ts'
import { expect, test } from 'vitest'

const today = '2026-03-31'
const errorsOf = (query: Record<string, string>): Record<string, string> => {
  const { error } = auditQuerySchema(today).safeParse(query)
  return error ? toFieldErrors(error) : {}
}

test('empty fields filter nothing', () => {
  const empty = { who: null, about: null, action: null, from: null, to: null, before: null }
  expect(auditQuerySchema(today).parse({})).toEqual(empty)
  expect(
    auditQuerySchema(today).parse({ who: '', about: '', action: '', from: '', to: '', before: 'x' }),
  ).toEqual(empty)
})

test('bad input names its field', () => {
  expect(errorsOf({ who: 'ida', about: '1', action: 'nothing', from: '2026-02-30', to: 'tomorrow' })).toEqual(
    {
      who: 'Choose someone from the list.',
      about: 'No account has this ID.',
      action: 'Choose from the list.',
      from: 'Enter a date.',
      to: 'Enter a date.',
    },
  )
})

test('the last day is not before the first', () => {
  const message = 'Choose a day that isn’t before “From”.'
  expect(errorsOf({ from: '2026-03-02', to: '2026-03-01' })).toEqual({ to: message })
  expect(errorsOf({ from: '2026-04-01' })).toEqual({ to: message })
  expect(errorsOf({ from: '2026-03-02', to: '2026-03-02' })).toEqual({})
})

test('without a person, the days are few', () => {
  const from = addDays(today, -maxDays)
  const message = 'Choose at most 92 days, or a person.'
  expect(errorsOf({ from })).toEqual({ from: message })
  expect(errorsOf({ from, to: today })).toEqual({ from: message })
  expect(errorsOf({ from: addDays(from, 1) })).toEqual({})
  expect([errorsOf({ from, who: newId() }), errorsOf({ from, about: 'shop' })]).toEqual([{}, {}])
})

test('a choice is one action or a group of them', () => {
  expect(actionsOf('role.changed')).toEqual(['role.changed'])
  expect(actionsOf('access')).toEqual(signInActions)
  const views = actionsOf('views')
  expect(views).toEqual(
    expect.arrayContaining([
      'profile.read',
      'prescription.file-read',
      'account.exported',
      'record.opened',
      'account.listed',
    ]),
  )
  expect(views.filter((name) => /changed|created|updated|reported/.test(name))).toEqual([])
  expect(actionsOf('toString')).toEqual([])
})

test('every action can be chosen', () => {
  expect(actionChoices.actions.map(({ value }) => value).toSorted()).toEqual(
    Object.keys(auditActions).toSorted(),
  )
})
