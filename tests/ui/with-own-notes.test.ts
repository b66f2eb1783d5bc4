import { withOwnNotes } from '#app/routes/checkout/with-own-notes.ts'
import { expect, test } from 'vitest'

const alertsOf = (html: string) => ({ html, confirmationId: null, patientId: '' })
const reply = (userId: string) => ({ intent: '', values: { userId }, message: null, fields: {} })
const checked = (userId: string) => ({ ...reply(userId), alerts: alertsOf('checked'), delivery: '3 days' })
const page = { userId: 'b', alerts: alertsOf('loaded'), delivery: '5 days' }

test.each([
  ['without a reply, the loaded notes show', null, null, 'loaded', '5 days'],
  ['notes of the page’s account replace the loaded ones', null, checked('b'), 'checked', '3 days'],
  ['a refused form of the page’s account shows its notes', reply('b'), checked('b'), 'checked', '3 days'],
  ['notes of an earlier account do not stay', null, checked('a'), 'loaded', '5 days'],
  ['a form of an earlier account shows nothing', reply('a'), null, undefined, undefined],
  ['a form of an earlier account shows no notes either', reply('a'), checked('a'), undefined, undefined],
])('%s', (_name, failure, notes, html, delivery) => {
  const shown = withOwnNotes(page, failure, notes)
  expect([shown?.alerts?.html, shown?.delivery]).toEqual([html, delivery])
})
