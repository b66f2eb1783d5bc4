import { failedDeletion } from '#app/routes/admin/accounts/failed-deletion.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { expect, test } from 'vitest'

const refusal = (code: ErrorCode, message: string): Error =>
  Object.assign(new Error(message), { data: { code } })

test('a deletion whose question the admin cancelled is not reported as failed', () => {
  expect(failedDeletion(refusal('CONFIRMATION_REQUIRED', 'Prescription orders won’t ship.'))).toBe(null)
})

test('a deletion that failed says why', () => {
  const failed = (text: string) => ({ kind: 'error', title: 'Delete Failed', text })
  expect(failedDeletion(refusal('NOT_FOUND', 'User not found'))).toEqual(failed('User not found'))
  for (const error of [refusal('INTERNAL', 'x'), new Error('No reply')])
    expect(failedDeletion(error)).toEqual(failed('Failed to delete user'))
})
