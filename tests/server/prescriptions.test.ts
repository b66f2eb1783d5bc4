import type { Db } from '#db/engine/client.ts'
import { updateDecision } from '#db/prescriptions/prescriptions.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { createPrescription } from '#server/prescriptions/create-prescription.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { listPrescriptions, listUserPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { openPrescriptionFile } from '#server/prescriptions/open-prescription-file.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addFile, addIdDocument, addPrescription, details } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

const link = { link: 'https://shop.example/prescriptions' }
const code = (code: string) => expect.objectContaining({ code })

const actions = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('auditLog').select('action').orderBy('id').execute()).map(({ action }) => action)
const rows = (db: Db) => db.selectFrom('prescriptions').selectAll().execute()
const registered = async (db: Db): Promise<number> =>
  (await db.selectFrom('files').select('id').where('registeredAt', 'is not', null).execute()).length

/** Contexts of two customers, an admin and an anonymous visitor on one database. */
async function people(db: Db): Promise<Record<'owner' | 'other' | 'admin' | 'visitor', Context>> {
  const as = async (isAdmin: boolean): Promise<Context> =>
    testContext(db, { user: signedIn(await makeUser(db, { isAdmin }), { isAdmin }) })
  return {
    owner: await as(false),
    other: await as(false),
    admin: await as(true),
    visitor: testContext(db),
  }
}
const idOf = (ctx: Context): string => ctx.user?.id ?? ''

eachEngine((_engine, openDb) => {
  test('a new prescription is under review, sealed and audited', async () => {
    const db = await openDb()
    const { owner } = await people(db)
    const created = await addPrescription(db, idOf(owner), { expiryDate: '2027-01-02' })
    expect(created).toEqual({
      id: created.id,
      patientId: null,
      orderId: null,
      ...details,
      expiryDate: '2027-01-02',
      uploadedAt: testDay,
      status: 'under_review',
      statusReason: null,
    })
    expect(await listPrescriptions(owner)).toEqual([created])
    expect(JSON.stringify(await rows(db))).not.toMatch(/Quillfeather|food|2026-01-02|2027-01-02/)
    expect((await actions(db)).slice(-2)).toEqual(['prescription.created', 'prescriptions.read'])
  })

  test('a prescription requires an ID document, and the file stays usable', async () => {
    const db = await openDb()
    const { owner } = await people(db)
    const fileUrl = await addFile(db, idOf(owner))
    await expect(createPrescription(owner, { ...details, fileUrl })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Please upload your ID document first from your profile page',
    })
    expect(await rows(db)).toEqual([])
    await addIdDocument(db, idOf(owner))
    await createPrescription(owner, { ...details, fileUrl })
    expect(await rows(db)).toHaveLength(1)
  })

  test('a file that is foreign or unknown is invalid; a used one conflicts', async () => {
    const db = await openDb()
    const { owner, other } = await people(db)
    await addIdDocument(db, idOf(owner))
    const fileUrl = await addFile(db, idOf(owner))
    for (const foreign of [
      await addFile(db, idOf(other)),
      `/objects/${newId()}`,
      'file:///etc/passwd',
      'http://169.254.169.254/latest',
      fileUrl + '/',
    ]) {
      await expect(createPrescription(owner, { ...details, fileUrl: foreign })).rejects.toMatchObject({
        code: 'INVALID',
        fields: { fileUrl: expect.any(String) as unknown },
      })
    }
    await createPrescription(owner, { ...details, fileUrl })
    await expect(createPrescription(owner, { ...details, fileUrl })).rejects.toThrow(code('CONFLICT'))
    expect(await rows(db)).toHaveLength(1)
  })

  test('one file submitted ten times at once creates one prescription', async () => {
    const db = await openDb()
    const { owner } = await people(db)
    await addIdDocument(db, idOf(owner))
    const fileUrl = await addFile(db, idOf(owner))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => createPrescription(owner, { ...details, fileUrl })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
    }
    expect(await rows(db)).toHaveLength(1)
    expect((await actions(db)).filter((action) => action === 'prescription.created')).toHaveLength(1)
  })

  test('one form submitted twice at once with two files creates one prescription', async () => {
    const db = await openDb()
    const { owner, other } = await people(db)
    await addIdDocument(db, idOf(owner))
    await addIdDocument(db, idOf(other))
    const formId = newId()
    const files = [await addFile(db, idOf(owner)), await addFile(db, idOf(owner))]
    const created = await Promise.all(
      files.map((fileUrl) => createPrescription(owner, { ...details, fileUrl }, formId)),
    )
    expect(created.map(({ id }) => id)).toEqual([formId, formId])
    expect(await rows(db)).toHaveLength(1)
    expect(await registered(db)).toBe(1)
    const corrected = { ...details, doctorName: 'Dr. Ada Fox', fileUrl: await addFile(db, idOf(owner)) }
    await expect(createPrescription(owner, corrected, formId)).rejects.toThrow(code('CONFLICT'))
    const forAnother = { ...details, patientId: newId(), fileUrl: await addFile(db, idOf(owner)) }
    await expect(createPrescription(owner, forAnother, formId)).rejects.toThrow(code('CONFLICT'))
    const fileUrl = await addFile(db, idOf(other))
    await expect(createPrescription(other, { ...details, fileUrl }, formId)).rejects.toThrow(
      code('BAD_REQUEST'),
    )
    await expect(createPrescription(owner, { ...details, fileUrl }, '1')).rejects.toThrow(code('BAD_REQUEST'))
  })

  test('a prescription date in the future is invalid', async () => {
    const db = await openDb()
    const { owner } = await people(db)
    await expect(
      createPrescription(owner, { ...details, prescriptionDate: '2026-01-07', fileUrl: '' }),
    ).rejects.toMatchObject({ code: 'INVALID', fields: { prescriptionDate: expect.any(String) as unknown } })
  })

  test('a prescription is expired from midnight UTC, for its owner and for an admin', async () => {
    const db = await openDb()
    const { owner, admin } = await people(db)
    const { id } = await addPrescription(db, idOf(owner), { expiryDate: '2026-01-05' })
    await decidePrescription(admin, id, { status: 'approved' }, link)
    const shown = async (moment: string): Promise<string[]> => {
      const now = new Date(moment)
      const lists = [
        await listPrescriptions({ ...owner, now }),
        await listUserPrescriptions({ ...admin, now }, idOf(owner)),
      ]
      return lists.flat().map(({ status }) => status)
    }
    expect(await shown('2026-01-05T23:59:59.999Z')).toEqual(['approved', 'approved'])
    expect(await shown('2026-01-06T00:00:00.000Z')).toEqual(['expired', 'expired'])
  })

  test('a past expiry date is accepted, shown as expired and cannot be approved', async () => {
    const db = await openDb()
    const { owner, admin } = await people(db)
    const { id, status } = await addPrescription(db, idOf(owner), { expiryDate: '2020-01-01' })
    expect(status).toBe('expired')
    await expect(decidePrescription(admin, id, { status: 'approved' }, link)).rejects.toThrow(
      code('CONFLICT'),
    )
    const rejected = await decidePrescription(
      admin,
      id,
      { status: 'rejected', statusReason: 'Too old' },
      link,
    )
    expect(rejected).toMatchObject({ status: 'expired', statusReason: 'Too old' })
  })

  test('a decision is stored, emailed once without health data, and audited', async () => {
    const db = await openDb()
    const { owner, admin } = await people(db)
    const { id } = await addPrescription(db, idOf(owner))
    await expect(decidePrescription(admin, id, { status: 'rejected' }, link)).rejects.toMatchObject({
      code: 'INVALID',
      fields: { statusReason: 'Enter a reason for the rejection.' },
    })
    expect(await listOutbox(admin)).toEqual([])
    const decision = { status: 'rejected', statusReason: 'Xanomeline is not legible' } as const
    for (let i = 0; i < 2; i++) {
      expect(await decidePrescription(admin, id, decision, link)).toMatchObject(decision)
    }
    expect((await listPrescriptions(owner))[0]).toMatchObject(decision)
    const [row] = await rows(db)
    expect(row).toMatchObject({ status: 'rejected', decidedBy: idOf(admin), decidedAt: testDay, version: 2 })
    expect(JSON.stringify(row)).not.toContain('Xanomeline')
    const mails = await listOutbox(admin)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.to.address).toMatch(/@customer\.example$/)
    const words = JSON.stringify(mails)
    expect(words).toContain(link.link)
    expect(words).not.toMatch(/xanomeline|quillfeather|food/i)
    expect((await actions(db)).filter((action) => action === 'prescription.decided')).toHaveLength(1)
  })

  test('returning to review sends no email; a second approval does', async () => {
    const db = await openDb()
    const { owner, admin } = await people(db)
    const { id } = await addPrescription(db, idOf(owner))
    const mailsAfter = async (status: 'approved' | 'under_review' | 'expired'): Promise<number> => {
      expect(await decidePrescription(admin, id, { status }, link)).toMatchObject({ status })
      return (await listOutbox(admin)).length
    }
    expect(await mailsAfter('approved')).toBe(1)
    expect(await mailsAfter('under_review')).toBe(1)
    expect(await mailsAfter('approved')).toBe(2)
    expect(await mailsAfter('expired')).toBe(3)
  })

  test('concurrent decisions are each stored and emailed once, and equal ones count once', async () => {
    const db = await openDb()
    const { owner, admin } = await people(db)
    const decideAtOnce = async (...decisions: readonly Parameters<typeof decidePrescription>[2][]) => {
      const { id } = await addPrescription(db, idOf(owner))
      const before = (await listOutbox(admin)).length
      const outcomes = await Promise.allSettled(
        decisions.map((decision) => decidePrescription(admin, id, decision, link)),
      )
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
      }
      return {
        accepted: outcomes.filter(({ status }) => status === 'fulfilled').length,
        mails: (await listOutbox(admin)).length - before,
        version: (await rows(db)).find((row) => row.id === id)?.version,
      }
    }
    const rejection = { status: 'rejected', statusReason: 'Not legible' } as const
    const { accepted, mails, version } = await decideAtOnce({ status: 'approved' }, rejection)
    expect([mails, version]).toEqual([accepted, accepted + 1])
    const equal = { accepted: 2, mails: 1, version: 2 }
    expect(await decideAtOnce({ status: 'approved' }, { status: 'approved' })).toEqual(equal)
  })

  test('repeating a decision changes nothing but audits the read', async () => {
    const db = await openDb()
    const { owner, admin } = await people(db)
    const { id } = await addPrescription(db, idOf(owner))
    await decidePrescription(admin, id, { status: 'approved' }, link)
    expect(await decidePrescription(admin, id, {}, link)).toMatchObject({ ...details, status: 'approved' })
    expect((await actions(db)).slice(-2)).toEqual(['prescription.decided', 'prescription.read'])
    expect((await rows(db))[0]).toMatchObject({ version: 2 })
  })

  test('a decision on an outdated version changes nothing', async () => {
    const db = await openDb()
    const { owner, admin } = await people(db)
    const { id } = await addPrescription(db, idOf(owner))
    const [seen] = await rows(db)
    await decidePrescription(admin, id, { status: 'approved' }, link)
    const late = { id, version: 1, status: 'expired', decidedBy: null, decidedAt: null } as const
    expect(await updateDecision(db, { ...late, sealedDetails: seen?.sealedDetails ?? '' })).toBe(false)
    expect((await rows(db))[0]).toMatchObject({ status: 'approved', version: 2 })
  })

  test('only its owner can delete a prescription, and its file is discarded', async () => {
    const db = await openDb()
    const { owner, other, admin, visitor } = await people(db)
    const { id } = await addPrescription(db, idOf(owner))
    await expect(deletePrescription(visitor, id)).rejects.toThrow(code('UNAUTHENTICATED'))
    await expect(deletePrescription(other, id)).rejects.toThrow(code('NOT_FOUND'))
    await expect(deletePrescription(admin, id)).rejects.toThrow(code('FORBIDDEN'))
    await expect(deletePrescription(admin, newId())).rejects.toThrow(code('NOT_FOUND'))
    await expect(deletePrescription(owner, 'a')).rejects.toThrow(code('NOT_FOUND'))
    expect(await rows(db)).toHaveLength(1)
    const outcomes = await Promise.allSettled([deletePrescription(owner, id), deletePrescription(owner, id)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await rows(db)).toEqual([])
    const files = await db.selectFrom('files').select('discardedAt').execute()
    expect(files).toEqual([{ discardedAt: testDay }])
    expect((await actions(db)).filter((action) => action === 'prescription.deleted')).toHaveLength(1)
  })

  test('only the owner and admins can read a prescription, and each read is audited', async () => {
    const db = await openDb()
    const { owner, other, admin, visitor } = await people(db)
    const { id } = await addPrescription(db, idOf(owner))
    expect(await listPrescriptions(other)).toEqual([])
    await expect(listPrescriptions(visitor)).rejects.toThrow(code('UNAUTHENTICATED'))
    for (const ctx of [owner, other]) {
      await expect(listUserPrescriptions(ctx, idOf(owner))).rejects.toThrow(code('FORBIDDEN'))
      await expect(decidePrescription(ctx, id, {}, link)).rejects.toThrow(code('FORBIDDEN'))
    }
    await expect(decidePrescription(visitor, id, {}, link)).rejects.toThrow(code('UNAUTHENTICATED'))
    await expect(decidePrescription(admin, newId(), {}, link)).rejects.toThrow(code('NOT_FOUND'))
    await expect(listUserPrescriptions(admin, newId())).rejects.toThrow(code('NOT_FOUND'))
    await expect(listUserPrescriptions(admin, 'me')).rejects.toThrow(code('NOT_FOUND'))
    await expect(openPrescriptionFile(other, id)).rejects.toThrow(code('NOT_FOUND'))
    await expect(openPrescriptionFile(visitor, id)).rejects.toThrow(code('UNAUTHENTICATED'))
    expect(await listUserPrescriptions(admin, idOf(owner))).toHaveLength(1)
    const read = await db
      .selectFrom('auditLog')
      .select(['actorId', 'subjectId'])
      .where('action', '=', 'prescriptions.read')
      .where('subjectId', '=', idOf(owner))
      .execute()
    expect(read).toEqual([{ actorId: idOf(admin), subjectId: idOf(owner) }])
  })
})
