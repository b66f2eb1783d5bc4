import { findMismatch, type LogPosition } from '#db/engine/replica-position.ts'
import { expect, test } from 'vitest'

const primary: LogPosition = { systemId: '77', database: 'shop', timeline: '0000000A', position: 90n }

test.each<[ReturnType<typeof findMismatch>, Partial<LogPosition>]>([
  [null, {}],
  [null, { position: 89n }],
  ['ahead of the primary', { position: 91n }],
  ['follows another timeline', { timeline: '00000009' }],
  ['follows another timeline', { timeline: '0000000B', position: 91n }],
  ['not a replica of this database', { systemId: '78', timeline: '00000009' }],
  ['not a replica of this database', { database: 'other' }],
])('%s: %o', (mismatch, difference) => {
  expect(findMismatch(primary, { ...primary, ...difference })).toBe(mismatch)
})
