import { getProfile } from '#server/accounts/get-profile.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

test('a profile requires a signed-in user', async () => {
  const unauthenticated = expect.objectContaining({ code: 'UNAUTHENTICATED' })
  await expect(getProfile(testContext(unusedDb))).rejects.toEqual(unauthenticated)
  await expect(updateProfile(testContext(unusedDb), {})).rejects.toEqual(unauthenticated)
})

/** No query may run on it. */
const unusedDb = new Proxy({} as Parameters<typeof testContext>[0], {
  get: () => {
    throw new Error('The database was queried.')
  },
})

eachEngine((_engine, openDb) => {
  test('a saved profile is read back and is sealed in the row', async () => {
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

  test('concurrent saves of different fields keep all changes', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    const changes = {
      firstName: 'a',
      lastName: 'b',
      weight: 1,
      cellPhone: '555 0101',
      homePhone: '555 0102',
      allergies: 'e',
      shippingCity: 'f',
      billingCity: 'g',
    }
    await Promise.all(Object.entries(changes).map(([field, value]) => updateProfile(ctx, { [field]: value })))
    expect(await getProfile(ctx)).toMatchObject(changes)
  })

  test('a phone number is indexed by its digits, and not at all once removed', async () => {
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
