import { getProfile } from '#server/accounts/get-profile.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

test('a profile is for somebody who is signed in', async () => {
  const nobody = expect.objectContaining({ code: 'UNAUTHENTICATED' })
  await expect(getProfile(testContext(neverAsked))).rejects.toEqual(nobody)
  await expect(updateProfile(testContext(neverAsked), {})).rejects.toEqual(nobody)
})

/** No query may run on it. */
const neverAsked = new Proxy({} as Parameters<typeof testContext>[0], {
  get: () => {
    throw new Error('The database was asked.')
  },
})

eachEngine((_engine, openDb) => {
  test('what is saved is read again, and stands sealed in the row', async () => {
    const db = await openDb()
    const id = await makeUser(db, { email: 'zoe@customer.example' })
    const ctx = testContext(db, { user: signedIn(id) })
    const changes = {
      lastName: 'Quillfeather',
      dateOfBirth: '1984-03-12',
      weight: 146.5,
      cellPhone: '+1 (555) 867-5309',
      allergies: 'Xanomeline',
      shippingStreetAddress: '12 Harbour Lane',
    }
    const saved = await updateProfile(ctx, changes)
    expect(saved).toMatchObject({
      id,
      email: 'zoe@customer.example',
      firstName: 'Zoë',
      lastName: 'Quillfeather',
      weight: 146.5,
      shippingStreet: '12 Harbour Lane',
      hasIdDocument: false,
    })
    expect(await getProfile(ctx)).toEqual(saved)
    const [row] = await db.selectFrom('users').selectAll().execute()
    expect(row).toMatchObject({ version: 2, cellPhoneHash: expect.any(String) })
    expect(JSON.stringify(row)).not.toMatch(/Quillfeather|1984-03|146\.5|8675309|867-5309|Xanomeline|Harbour/)
    expect(
      await db.selectFrom('auditLog').select(['action', 'actorId', 'subjectId']).orderBy('id').execute(),
    ).toEqual([
      { action: 'account.created', actorId: null, subjectId: id },
      { action: 'profile.updated', actorId: id, subjectId: id },
      { action: 'profile.read', actorId: id, subjectId: id },
    ])
  })

  test('of many saves at once none loses what another changed', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    const changes = {
      firstName: 'a',
      lastName: 'b',
      weight: 1,
      cellPhone: 'c',
      homePhone: 'd',
      allergies: 'e',
      shippingCity: 'f',
      billingCity: 'g',
    }
    await Promise.all(Object.entries(changes).map(([field, value]) => updateProfile(ctx, { [field]: value })))
    expect(await getProfile(ctx)).toMatchObject(changes)
  })

  test('a phone is found by its digits, and by nothing once it is gone', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    const hashes: unknown[] = []
    for (const cellPhone of ['+1 555 0142', '1-555-0142', null]) {
      await updateProfile(ctx, { cellPhone })
      hashes.push((await db.selectFrom('users').select('cellPhoneHash').executeTakeFirst())?.cellPhoneHash)
    }
    expect(hashes[0]).toEqual(expect.any(String))
    expect(hashes[1]).toBe(hashes[0])
    expect(hashes[2]).toBeNull()
  })
})
