import type { Db } from '#db/engine/client.ts'
import type { Role } from '#domain/accounts/permissions.ts'
import { fold } from '#domain/text.ts'
import { newId } from '#domain/ids.ts'
import type { Alert } from '#domain/screening/alert.ts'
import type { DispensedFill } from '#domain/screening/dispensed.ts'
import { unknownPatient } from '#domain/screening/patient.ts'
import { screen } from '#domain/screening/screen.ts'
import { importCareLists } from '#server/screening/import-care-lists.ts'
import { recognize } from '#server/screening/medicine-names.ts'
import { listRowReports, reportRow, reviewRowReport } from '#server/screening/row-reports.ts'
import { screenCase } from '#server/screening/screen-case.ts'
import { findFacts, readCareLists } from '#tests/support/care-lists.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine, type OpenDb } from '#tests/support/engines.ts'
import { cartGenerator, readCartMedicines } from '#tests/support/screened-carts.ts'
import { medicationOf, patientWith } from '#tests/support/screening.ts'
import { seeded } from '#tests/support/seeded.ts'
import { measureNames, readTypedNames } from '#tests/support/typed-names.ts'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const committedFolder = 'db/seed/care'
/** The lists of this test, without the large ones of packages. */
const files = [
  'lists.tsv',
  'ingredient-names.tsv',
  'ingredients.tsv',
  'rxnorm-brands.tsv',
  'ingredient-classes.tsv',
  'interaction-class-members.tsv',
  'interactions-label.tsv.gz',
  'interactions-ndfrt.tsv',
  'allergy-groups.tsv',
  'allergy-label.tsv',
  'label-safety.tsv.gz',
]

/** The demo catalog with the lists. */
async function openShop(openDb: OpenDb): Promise<Db> {
  const db = await openDb('demo')
  const folder = mkdtempSync(join(tmpdir(), 'meridian-care-'))
  try {
    for (const file of files) copyFileSync(join(committedFolder, file), join(folder, file))
    await importCareLists(db, { folder, committedFolder, now: testDay })
  } finally {
    rmSync(folder, { recursive: true })
  }
  return db
}

/** An alert without what the import adds: the ids of rows, and the dates of lists. */
const withoutRow = (alert: Alert) => ({
  ...alert,
  sources: alert.sources.map((source) => ({ ...source, rowKey: null, listDate: null })),
})

const now = new Date('2026-11-22T12:00:00Z')

eachEngine((_engine, openDb) => {
  let opened: Promise<Db> | null = null
  const openOnce = (): Promise<Db> => (opened ??= openShop(openDb))

  /** A variant of the demo catalog. */
  const findVariant = (db: Db, name: string) =>
    db
      .selectFrom('productVariants')
      .innerJoin('products', 'products.id', 'productVariants.productId')
      .select(['productVariants.id', 'productVariants.ndc'])
      .where('products.name', '=', name)
      .where('products.route', '=', 'oral')
      .where('productVariants.ndc', 'is not', null)
      .orderBy('productVariants.id')
      .executeTakeFirstOrThrow()
  const toLine = (variantId: string, itemId: string | null = null) => ({
    id: variantId,
    name: variantId,
    variantId,
    itemId,
    fill: null,
    lots: null,
  })

  test('reports what the lists say about real carts, whatever the database', async () => {
    const db = await openOnce()
    const lists = readCareLists()
    const next = cartGenerator(readCartMedicines(), seeded(44))
    const seen = new Set<string>()
    for (let count = 0; count < 250; count++) {
      const { today, ...input } = next()
      const { alerts } = await screenCase({ db, now }, { ...input, dispensed: [], turnedDown: [] })
      const expected = screen({ ...input, today }, findFacts(lists, input)).alerts
      expect(alerts.map(withoutRow)).toEqual(expected.map(withoutRow))
      for (const { kind, level } of alerts) seen.add(`${level} ${kind}`)
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'high interaction',
        'medium interaction',
        'low interaction',
        'high same-ingredient',
        'medium same-class',
        'high allergy',
      ]),
    )
  })

  test('counts what was dispensed while it lasts, and 30 days longer', async () => {
    const db = await openOnce()
    const ibuprofen = await findVariant(db, 'Ibuprofen')
    const fill: DispensedFill = {
      name: 'Warfarin 5 mg, tablet',
      itemId: 'item',
      ingredients: 'warfarin',
      substances: 'warfarin sodium',
      route: 'oral',
      strength: '5 mg',
      dispensedOn: '2026-09-23',
      daysSupply: 30,
      refillsFrom: '2026-10-16',
    }
    const keysWith = async (changes: Partial<DispensedFill>, variantId = ibuprofen.id, itemId?: string) => {
      const lines = [toLine(variantId, itemId ?? null)]
      const dispensed = [{ ...fill, ...changes }]
      const screening = await screenCase(
        { db, now },
        { lines, patient: unknownPatient, dispensed, turnedDown: [] },
      )
      return screening.alerts
        .filter(({ second }) => second !== null)
        .map(({ level, key, second }) => `${level} ${key} ${second?.items[0]?.kind}`)
    }
    expect(await keysWith({})).toEqual(['medium interaction:IBUPROFEN|WARFARIN dispensed'])
    expect(await keysWith({ dispensedOn: '2026-09-22' })).toEqual([])
    // An admin's product is its name, and a set is stored without punctuation.
    for (const substances of ['Coumadin', 'Coumadin 2.5 mg tablets'])
      expect(await keysWith({ name: substances, substances, ingredients: fold(substances) })).toEqual([
        'medium interaction:IBUPROFEN|WARFARIN dispensed',
      ])
    const { id: warfarin } = await findVariant(db, 'Warfarin')
    expect(await keysWith({ name: 'Vitamin E', ingredients: 'alpha tocopherol' }, warfarin)).toEqual([
      'medium interaction:ALPHA-TOCOPHEROL|WARFARIN line',
    ])
    expect(await keysWith({}, warfarin, 'item')).toEqual([])
    expect(await keysWith({ refillsFrom: null }, warfarin, 'another')).toEqual([
      expect.stringMatching(/^(?:high|medium) same-ingredient:WARFARIN dispensed$/),
    ])
  })

  test('finds recalls of a package or its product, by the lots of the stock, and shortages', async () => {
    const db = await openOnce()
    const { id, ndc } = await findVariant(db, 'Gabapentin')
    const [labeler = '', product = ''] = (ndc ?? '').split('-')
    const code = labeler.padStart(5, '0') + product.padStart(4, '0')
    const recallId = `D-${newId()}`
    const recall = {
      id: recallId,
      list: 'recalls',
      eventId: '1',
      recallClass: 'II' as const,
      status: 'Ongoing',
      reported: '2023-07-26',
      firm: 'Firm',
      reason: 'Failed dissolution',
      product: 'Gabapentin',
      allLots: false,
    }
    await db.insertInto('careRecalls').values(recall).execute()
    await db.insertInto('careRecallPackages').values({ recallId, ndc: code }).execute()
    await db.insertInto('careRecallLots').values({ recallId, lot: 'T21-005', lotKey: 'T21005' }).execute()
    const shortage = {
      line: 1,
      packageNdc: '00000000000',
      genericName: 'Gabapentin',
      ingredients: 'GABAPENTIN',
      status: 'Current',
      presentation: '',
      company: '',
      firstPosted: '2026-01-01',
      updated: '2026-06-01',
      therapeuticCategory: '',
    }
    await db.insertInto('careShortages').values(shortage).execute()
    const screenWith = async (lots: string[] | null) =>
      (
        await screenCase(
          { db, now },
          { lines: [{ ...toLine(id), lots }], patient: unknownPatient, dispensed: [], turnedDown: [] },
        )
      ).alerts
        .filter(({ kind }) => kind === 'recall' || kind === 'shortage')
        .map(({ kind, effect }) => `${kind} ${effect}`)
    expect(await screenWith(['t21 005'])).toEqual(['recall block', 'shortage null'])
    expect(await screenWith(['X1'])).toEqual(['shortage null'])
    expect(await screenWith(null)).toEqual(['recall check-pack', 'shortage null'])
    await db.deleteFrom('careRecalls').where('id', '=', recallId).execute()
    await db.deleteFrom('careShortages').execute()
  })

  test('says which lines and names it could not check', async () => {
    const db = await openOnce()
    const { notChecked, alerts } = await screenCase(
      { db, now },
      {
        lines: [toLine(newId())],
        patient: patientWith({ medications: [medicationOf([], { name: 'blue pill' })] }),
        dispensed: [],
        turnedDown: [],
      },
    )
    expect(alerts).toEqual([])
    expect(notChecked.map(({ kind }) => kind)).toEqual(['medication', 'line'])
  })

  test('recognizes names as people type them, at least as well as measured', async () => {
    const db = await openOnce()
    const { figures, mistakes } = await measureNames(readTypedNames(), (list, text) =>
      recognize({ db }, list, text),
    )
    const floors = {
      ingredient: 98,
      brand: 99,
      salt: 100,
      misspelling: 100,
      'list of medications': 67,
      'list of allergies': 13,
    }
    for (const [kind, { right }] of figures)
      expect(right, `${kind}\n${mistakes.join('\n')}`).toBeGreaterThanOrEqual(floors[kind])
    const wrong = [...figures.values()].reduce((sum, each) => sum + each.wrong, 0)
    expect(wrong, mistakes.join('\n')).toBeLessThanOrEqual(4)
  })

  test('leaves out a row that an admin found wrong, until the list says something else', async () => {
    const db = await openOnce()
    const { id: variantId } = await findVariant(db, 'Ibuprofen')
    const as = (id: string, role: Role) =>
      testContext(db, { user: signedIn(id, { roles: [role], hasSecondFactor: true, factorVerifiedAt: now }) })
    const pharmacist = as(newId(), 'pharmacist')
    const [admin, otherAdmin] = [as(newId(), 'admin'), as(newId(), 'admin')]
    const patient = patientWith({ medications: [medicationOf(['WARFARIN'])] })
    const findAlert = async () =>
      (
        await screenCase({ db, now }, { lines: [toLine(variantId)], patient, dispensed: [], turnedDown: [] })
      ).alerts.find(({ key }) => key === 'interaction:IBUPROFEN|WARFARIN')
    const rowKey = (await findAlert())?.sources[0]?.rowKey ?? ''
    const report = { rowKey, reason: 'The pair is another one' }

    await expect(reportRow(admin, report)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(reportRow(pharmacist, { ...report, rowKey: 'x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await Promise.all(
      [reportRow(pharmacist, report), reportRow(pharmacist, report)].map((each) => each.catch(() => null)),
    )
    const [open, ...others] = await listRowReports(admin)
    expect(others).toEqual([])
    expect(open).toMatchObject({
      status: 'open',
      subject: 'IBUPROFEN',
      object: 'WARFARIN',
      level: 'significant',
    })
    expect(await findAlert()).toBeDefined()

    expect([open?.isOwn, (await listRowReports(pharmacist))[0]?.isOwn]).toEqual([false, true])

    const review = { id: open?.id ?? '', isWrong: true, note: '' }
    // The one who marked it is an admin, too.
    const both = testContext(db, {
      user: signedIn(pharmacist.user?.id ?? '', { roles: ['pharmacist', 'admin'] }),
    })
    await expect(reviewRowReport(both, review)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'You marked this row. Ask another admin to decide.',
    })
    await expect(reviewRowReport(pharmacist, review)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const decisions = await Promise.allSettled([
      reviewRowReport(admin, review),
      reviewRowReport(otherAdmin, review),
    ])
    expect(decisions.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const sources = (await findAlert())?.sources ?? []
    expect(sources.map((source) => source.rowKey)).not.toContain(rowKey)
    await expect(reportRow(pharmacist, report)).rejects.toMatchObject({ code: 'CONFLICT' })

    await db.updateTable('careInteractions').set({ level: 'critical' }).where('id', '=', rowKey).execute()
    expect((await findAlert())?.level).toBe('high')
    await reportRow(pharmacist, report)
    expect((await listRowReports(admin)).map(({ status }) => status)).toEqual(['open', 'outdated'])
    const again = { id: (await listRowReports(admin))[0]?.id ?? '', isWrong: false, note: 'It is right.' }
    await reviewRowReport(admin, again)
    expect((await findAlert())?.level).toBe('high')
  })
})
