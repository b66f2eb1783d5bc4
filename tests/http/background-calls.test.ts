import { isBackgroundCall } from '#app/http/background-calls.ts'
import { expect, test } from 'vitest'

test.each([
  ['/trpc/cases.viewers', true],
  ['/trpc/imports.progress,cases.viewers', true],
  // A person did something in the same batch.
  ['/trpc/cases.viewers,cases.list', false],
  ['/trpc/cases.list', false],
  ['/trpc/', false],
  ['/admin/cases.viewers', false],
])('%s is sent by a page itself: %s', (path, isBackground) => {
  expect(isBackgroundCall(path)).toBe(isBackground)
})
