import { deleteUser } from '#server/privacy/delete-user.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { openUserKey } from '#server/crypto/user-key.ts'
import {
  addToList,
  answerPregnancy,
  confirmNames,
  removeFromList,
  setNoKnownAllergies,
} from '#server/patients/change-record.ts'
import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { getDependant, saveDependant } from '#server/patients/dependants.ts'
import { getOwnRecord } from '#server/patients/get-own-record.ts'
import { readPatient } from '#server/patients/read-patients.ts'
import { readScreenedPatient } from '#server/patients/read-screened-patient.ts'
import { rebuildMedicineNames, recognize, suggestMedicineNames } from '#server/screening/medicine-names.ts'
import { fold } from '#domain/text.ts'
import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

/** A few rows of the lists, and a product whose brand only the catalog has. */
async function addNames(db: Db): Promise<void> {
  const names = ['WARFARIN SODIUM', 'LISINOPRIL', 'ACETAMINOPHEN', 'METFORMIN', 'LISINOPRIL DIHYDRATE']
  await db
    .insertInto('careIngredientNames')
    .values(
      names.map((name) => ({
        country: 'US' as const,
        name,
        ingredient: name.split(' ')[0] ?? '',
        moiety: name.toLowerCase(),
        products: 1,
      })),
    )
    .execute()
  await db
    .insertInto('careBrands')
    .values({ brandKey: 'TYLENOL', brand: 'Tylenol', ingredient: 'ACETAMINOPHEN' })
    .execute()
  await db
    .insertInto('careAllergyGroups')
    .values({ allergyGroup: 'penicillin', ingredient: 'AMOXICILLIN', source: 'EPC' })
    .execute()
  await rebuildMedicineNames({ db })
}

const screened = async (ctx: Context, userId: string) => {
  const key = await openUserKey(ctx, userId)
  const patient = key && (await readPatient(ctx, key, { userId, patientId: userId }))
  if (!patient) throw new Error('The patient is missing.')
  return readScreenedPatient(ctx, patient)
}

eachEngine((_engine, openDb) => {
  test('names are picked, confirmed from the text, removed and screened, and the row is sealed', async () => {
    const db = await openDb()
    await addNames(db)
    const id = await makeUser(db, { profile: { gender: 'female', dateOfBirth: '1990-05-01' } })
    const ctx = testContext(db, { user: signedIn(id) })
    await updateProfile(ctx, {
      currentMedications: 'warfrin 5 mg daily, lisinopril and zyzzyxol',
      allergies: 'penicilin',
    })
    expect((await getOwnRecord(ctx)).view).toMatchObject({
      medications: {
        entries: [],
        recognized: [{ label: 'Warfarin' }, { label: 'Lisinopril' }],
        notChecked: ['zyzzyxol'],
      },
      allergies: { recognized: [{ label: 'Penicillin', meaning: 'allergies||penicillin' }] },
      pregnancy: { pregnant: null, breastfeeding: null, answeredOn: null },
    })
    // Before the patient confirms, what the text names counts.
    expect((await screened(ctx, id)).allergies).toEqual([
      { name: 'Penicillin', kind: 'group', key: 'penicillin' },
    ])
    await confirmNames(ctx, { list: 'allergies' })
    await confirmNames(ctx, { list: 'medications', meaning: 'medications|WARFARIN|' })
    await removeFromList(ctx, { list: 'medications', meaning: 'medications|LISINOPRIL|' })
    expect(await addToList(ctx, { list: 'medications', name: 'tylenol' })).toBeNull()
    // Again, by its ingredient: the same thing once.
    expect(
      await addToList(ctx, {
        list: 'medications',
        name: 'acetaminophen',
        meaning: 'medications|ACETAMINOPHEN|',
      }),
    ).toBeNull()
    // Unclear names are offered, unknown ones kept as text.
    expect(await addToList(ctx, { list: 'medications', name: 'metfornin' })).toMatchObject([
      { label: 'Metformin' },
    ])
    expect(await addToList(ctx, { list: 'medications', name: 'qqqqq' })).toEqual([])
    await addToList(ctx, { list: 'medications', name: 'qqqqq', meaning: 'text' })
    await answerPregnancy(ctx, { pregnant: 'yes', breastfeeding: 'prefer_not_to_say' })
    expect(await screened(ctx, id)).toEqual({
      medications: [
        { name: 'Warfarin', ingredients: ['WARFARIN'], route: null, source: 'listed' },
        { name: 'Tylenol', ingredients: ['ACETAMINOPHEN'], route: null, source: 'listed' },
        { name: 'qqqqq', ingredients: [], route: null, source: 'listed' },
        { name: 'zyzzyxol', ingredients: [], route: null, source: 'listed' },
      ],
      allergies: [{ name: 'Penicillin', kind: 'group', key: 'penicillin' }],
      pregnant: true,
      breastfeeding: null,
      birthDate: '1990-05-01',
      weight: null,
    })
    const { view } = await getOwnRecord(ctx)
    expect(view.medications.recognized).toEqual([])
    const [warfarin] = view.medications.entries
    await removeFromList(ctx, { list: 'medications', entryId: warfarin?.id })
    // The text still says it, but the patient has removed it.
    expect((await getOwnRecord(ctx)).view.medications).toMatchObject({
      entries: [
        { name: 'Tylenol', detail: 'Acetaminophen' },
        { name: 'qqqqq', isUnchecked: true },
      ],
      recognized: [],
    })
    const stored = JSON.stringify(await db.selectFrom('patients').selectAll().execute())
    expect(stored).not.toMatch(/warfarin|tylenol|penicillin|prefer_not/i)
    const log = await db
      .selectFrom('auditLog')
      .select('action')
      .distinct()
      .where('subjectId', '=', id)
      .execute()
    expect(log.map(({ action }) => action).toSorted()).toEqual([
      'account.created',
      'profile.read',
      'profile.updated',
    ])
    await deleteUser(ctx, id)
    expect(await db.selectFrom('patients').selectAll().execute()).toEqual([])
  })

  test('a name that was removed before counts again in another text, of the customer or a dependant', async () => {
    const db = await openDb()
    await addNames(db)
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    const medications = async () => (await screened(ctx, id)).medications.map(({ name }) => name)
    await addToList(ctx, { list: 'medications', name: 'Warfarin' })
    const [entry] = (await getOwnRecord(ctx)).view.medications.entries
    await removeFromList(ctx, { list: 'medications', entryId: entry?.id })
    await updateProfile(ctx, { currentMedications: 'warfarin' })
    expect(await medications()).toEqual(['Warfarin'])
    const meaning = 'medications|WARFARIN|'
    await removeFromList(ctx, { list: 'medications', meaning })
    expect(await medications()).toEqual([])
    for (const currentMedications of [null, 'warfarin 5 mg']) await updateProfile(ctx, { currentMedications })
    expect(await medications()).toEqual(['Warfarin'])

    const person = { firstName: 'Mia', lastName: 'Marsh', dateOfBirth: '2017-04-05' }
    const patientId = await saveDependant(
      ctx,
      dependantSchema(testDay).parse({ ...person, allergies: 'penicillin' }),
    )
    const allergies = async () => {
      const { recognized } = (await getDependant(ctx, patientId)).view.allergies
      return recognized.map(({ label }) => label)
    }
    await removeFromList(ctx, { patientId, list: 'allergies', meaning: 'allergies||penicillin' })
    expect(await allergies()).toEqual([])
    await saveDependant(ctx, {
      ...dependantSchema(testDay).parse({ ...person, allergies: 'penicillin, nuts' }),
      patientId,
    })
    expect(await allergies()).toEqual(['Penicillin'])
  })

  test('"No known allergies" is an answer, which an allergy ends', async () => {
    const db = await openDb()
    await addNames(db)
    const id = await makeUser(db, { profile: { gender: 'male' } })
    const ctx = testContext(db, { user: signedIn(id) })
    await setNoKnownAllergies(ctx, { none: true })
    expect((await getOwnRecord(ctx)).view).toMatchObject({ noKnownAllergies: true, pregnancy: null })
    await addToList(ctx, { list: 'allergies', name: 'Penicillins' })
    expect((await getOwnRecord(ctx)).view).toMatchObject({ noKnownAllergies: false })
    await expect(setNoKnownAllergies(ctx, { none: true })).rejects.toMatchObject({ code: 'CONFLICT' })
    const other = testContext(db, { user: signedIn(await makeUser(db)) })
    await updateProfile(other, { allergies: 'penicillin' })
    await expect(setNoKnownAllergies(other, { none: true })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await screened(ctx, id)).toMatchObject({ pregnant: false })
  })

  test('additions at the same time all count, and another customer’s record does not exist', async () => {
    const db = await openDb()
    await addNames(db)
    const [id, other] = [await makeUser(db), await makeUser(db)]
    const ctx = testContext(db, { user: signedIn(id) })
    await Promise.all(
      ['warfarin', 'lisinopril', 'metformin', 'warfarin'].map((name) =>
        addToList(ctx, { list: 'medications', name }),
      ),
    )
    expect((await getOwnRecord(ctx)).view.medications.entries).toHaveLength(3)
    const stranger = testContext(db, { user: signedIn(other) })
    await expect(
      addToList(stranger, { patientId: id, list: 'medications', name: 'warfarin' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(addToList(testContext(db), { list: 'medications', name: 'warfarin' })).rejects.toMatchObject(
      { code: 'UNAUTHENTICATED' },
    )
  })

  test('names that only the catalog has are suggested and recognized', async () => {
    const db = await openDb()
    await addNames(db)
    const variantId = await addVariant(db)
    const { productId } = await db
      .selectFrom('productVariants')
      .select('productId')
      .where('id', '=', variantId)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('productNames')
      .values({ nameKey: 'coumadinex', productId, kind: 'brand', label: 'Coumadinex' })
      .execute()
    await db.deleteFrom('productIngredients').execute()
    await db.insertInto('productIngredients').values({ productId, ingredient: 'WARFARIN' }).execute()
    expect(await suggestMedicineNames({ db }, 'medications', 'couma')).toEqual([
      { kind: 'brand', label: 'Coumadinex', meanings: ['WARFARIN'] },
    ])
    expect(await suggestMedicineNames({ db }, 'medications', 'penic')).toEqual([])
    expect(await suggestMedicineNames({ db }, 'allergies', 'penic')).toMatchObject([{ kind: 'group' }])
  })

  test('a brand of several ingredients names all of them, however many words it has', async () => {
    const db = await openDb()
    await db
      .insertInto('careBrands')
      .values(
        ['Tylenol PM', 'Tylenol with Lisinopril'].map((brand) => ({
          brandKey: brand.toUpperCase(),
          brand,
          ingredient: 'ACETAMINOPHEN',
        })),
      )
      .execute()
    await addNames(db)
    const productId = await addProduct(db, { catalogKey: 'acetaminophen;diphenhydramine' })
    await db
      .insertInto('productNames')
      .values({ nameKey: fold('Tylenol PM'), productId, kind: 'brand', label: 'Tylenol PM' })
      .execute()
    await db.deleteFrom('productIngredients').execute()
    const meanings = ['ACETAMINOPHEN', 'DIPHENHYDRAMINE']
    await db
      .insertInto('productIngredients')
      .values(meanings.map((ingredient) => ({ productId, ingredient })))
      .execute()
    const name = { kind: 'brand', label: 'Tylenol PM', meanings }
    expect(await suggestMedicineNames({ db }, 'medications', 'tylenol p')).toEqual([name])
    expect((await recognize({ db }, 'medications', 'two Tylenol PM at night')).found).toMatchObject([name])
    // A brand can name an ingredient itself.
    expect(await suggestMedicineNames({ db }, 'medications', 'tylenol with')).toMatchObject([
      { meanings: ['ACETAMINOPHEN', 'LISINOPRIL'] },
    ])
  })

  test('what a patient listed is checked by the current lists, when an edition renames or adds a name', async () => {
    const db = await openDb()
    await addNames(db)
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    for (const name of ['Warfarin sodium', 'Metformin'])
      await addToList(ctx, { list: 'medications', name, meaning: undefined })
    await addToList(ctx, { list: 'medications', name: 'Zyzzyxol', meaning: 'text' })
    await addToList(ctx, { list: 'allergies', name: 'Penicillin', meaning: undefined })

    // The next edition: another key for warfarin, a new name, and neither metformin nor the group.
    const renamed = { name: 'WARFARIN SODIUM', ingredient: 'WARFARIN SODIUM', moiety: 'warfarin' }
    const added = { name: 'ZYZZYXOL', ingredient: 'ZYZZYXOL', moiety: 'zyzzyxol' }
    await db.deleteFrom('careIngredientNames').execute()
    await db.deleteFrom('careAllergyGroups').execute()
    await db
      .insertInto('careIngredientNames')
      .values([renamed, added].map((row) => ({ ...row, country: 'US' as const, products: 1 })))
      .execute()
    await rebuildMedicineNames({ db })
    const { medications, allergies } = await screened(ctx, id)
    expect(medications.map(({ name, ingredients }) => [name, ingredients])).toEqual([
      ['Warfarin sodium', ['WARFARIN SODIUM']],
      ['Metformin', ['METFORMIN']],
      ['Zyzzyxol', ['ZYZZYXOL']],
      // Not checked, and the pharmacist reads so.
      ['Metformin', []],
    ])
    expect(allergies).toEqual([
      { name: 'Penicillin', kind: 'group', key: 'penicillin' },
      { name: 'Penicillin', kind: 'unrecognized', key: '' },
    ])
    expect((await getOwnRecord(ctx)).view.medications.entries.map(({ isUnchecked }) => isUnchecked)).toEqual([
      false,
      false,
      false,
    ])
  })
})
