import { AppError } from '#domain/errors.ts'
import { tryVariable } from '#server/env-error.ts'
import { toOperatorMessage } from '#server/errors.ts'
import { expect, test } from 'vitest'

/** What Node throws when no address of a host answers. */
const refused = new AggregateError([
  new Error('connect ECONNREFUSED ::1:1'),
  new Error('connect ECONNREFUSED 127.0.0.1:1'),
])

test.each([
  ['the error', refused],
  ['the cause of UNAVAILABLE', new AppError('UNAVAILABLE', undefined, { cause: refused })],
])('the first failed address of a host is reported when its failure is %s', async (_place, error) => {
  expect(toOperatorMessage(error)).toBe('connect ECONNREFUSED ::1:1')
  const trying = tryVariable('DATABASE_URL', () => Promise.reject(error))
  await expect(trying).rejects.toThrow('DATABASE_URL: connect ECONNREFUSED ::1:1')
})
