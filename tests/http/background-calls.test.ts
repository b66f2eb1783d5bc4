import { isBackgroundCall } from '#app/http/background-calls.ts'
import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop } from '#tests/support/shop.ts'
import { callProcedure } from '#tests/support/trpc-calls.ts'
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

eachShop((openShop) => {
  test('what an open case polls does not count as activity, and another call does', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const pharmacist = shop.visit()
    await signInAs(pharmacist, shop.db, await makeUser(shop.db, { roles: ['pharmacist'] }))
    const earlier = new Date(Date.now() - 5 * 60_000)
    await shop.db.updateTable('sessions').set({ lastSeenAt: earlier }).execute()
    const lastSeen = async () =>
      (await shop.db.selectFrom('sessions').select('lastSeenAt').executeTakeFirstOrThrow()).lastSeenAt
    await callProcedure(pharmacist, shop.origin, 'cases.viewers', { id: newId() })
    expect(await lastSeen()).toEqual(earlier)
    await callProcedure(pharmacist, shop.origin, 'goTo', { q: 'a' })
    expect((await lastSeen()).getTime()).toBeGreaterThan(earlier.getTime())
  })
})
