import type { Db } from '#db/engine/client.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { newId } from '#domain/ids.ts'
import { createUser } from '#server/accounts/create-user.ts'
import { verifyRestored } from '#server/backup/verify-restored.ts'
import { explainBreak } from '#server/checkout/explain-break.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { startContext } from '#server/context.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { readEnv } from '#server/env.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { closeBatches } from '#server/ledger/close-batches.ts'
import { createLog } from '#server/log.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { runCommand, type CommandResult } from '#tests/support/commands.ts'
import { storageOf, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { untilWaiting } from '#tests/support/lock-waits.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const email = 'stock@shop.example'
const makeDecider = (db: Db) => makeUser(db, { email, roles: ['catalog-manager'] })

const explain = (db: Db, rowId: string, by = email) => explainBreak(testContext(db), { rowId, email: by })

async function verify(db: Db): Promise<{ explained: number; messages: string[] }> {
  const messages: string[] = []
  const add = (message: string): void => void messages.push(message)
  const { explained, findings } = await verifyStock({ db, keys: testKeys }, add)
  expect(findings).toBe(messages.length)
  return { explained, messages }
}

const adjust = (ctx: ReturnType<typeof asAdmin>, variantId: string, quantityChange: number) =>
  adjustStock(ctx, { variantId, quantityChange, transactionType: 'adjustment', notes: null })

const setStock = (db: Db, id: string, stock: number) =>
  db.updateTable('productVariants').set({ stockQuantity: stock }).where('id', '=', id).execute()

/** A variant whose stock SQL changed from 20 to 27, and the change that followed. */
async function breakLedger(
  db: Db,
  next = (id: string) => adjust(asAdmin(db), id, 1).then(() => {}),
): Promise<{ id: string; rowId: string; rows: string[] }> {
  const id = await addVariant(db, { stockQuantity: 0, inStock: false })
  for (const change of [8, 12]) await adjust(asAdmin(db), id, change)
  await setStock(db, id, 27)
  await next(id)
  const rows = (await ledgerOf(db, id)).map((row) => row.id)
  return { id, rows, rowId: rows[2] ?? '' }
}

const breakAt = (id: string, rowId: string, rows = 1) =>
  `Variant ${id}: the ledger breaks at ${rowId} (rows: ${rows}).`

const explanations = (db: Db) =>
  db.selectFrom('auditLog').selectAll().where('action', '=', 'stock.break-explained').execute()

eachEngine((_engine, openDb, openWithUrl) => {
  test('an explained break of the ledger is no finding, in a restored shop either', async () => {
    const db = await openDb()
    const userId = await makeDecider(db)
    const { id, rowId } = await breakLedger(db)
    expect(await verify(db)).toEqual({ explained: 0, messages: [breakAt(id, rowId)] })
    expect(await explain(db, rowId)).toEqual({
      isNew: true,
      break: { id: rowId, variantId: id, endedAt: 20, before: 27, isExplained: false },
    })
    expect(await verify(db)).toEqual({ explained: 1, messages: [] })
    const restored = { db, keys: testKeys, storage: storageOf(db) }
    expect(await verifyRestored(restored, { auditHead: null, onFinding: () => {} })).toMatchObject({
      stock: 0,
    })
    expect(await explanations(db)).toEqual([
      expect.objectContaining({ actorId: userId, subjectId: 'shop', at: testDay }),
    ])
  })

  test('it stays explained when its row is in a closed batch, and the next changes follow', async () => {
    const db = await openDb()
    await makeDecider(db)
    const customer = await asCustomer(db)
    const { id, rowId } = await breakLedger(db, (id) => buy(customer, id, { quantity: 2 }).then(() => {}))
    await explain(db, rowId)
    await closeBatches({ db, keys: testKeys, now: () => testDay }, { customers: 1 })
    await adjust(asAdmin(db), id, -4)
    expect(await verify(db)).toEqual({ explained: 1, messages: [] })
  })

  test('every break needs its own explanation, and other findings stay', async () => {
    const db = await openDb()
    await makeDecider(db)
    const { id, rowId } = await breakLedger(db)
    await setStock(db, id, 30)
    const { id: second } = await adjust(asAdmin(db), id, 1)
    expect((await verify(db)).messages).toEqual([breakAt(id, rowId, 2)])
    await explain(db, rowId)
    expect(await verify(db)).toEqual({ explained: 1, messages: [breakAt(id, second)] })
    await explain(db, second)
    await setStock(db, id, 40)
    expect(await verify(db)).toEqual({
      explained: 2,
      messages: [`Variant ${id}: the ledger ends at 31, but the stock is 40.`],
    })
  })

  test('a break is explained once, also by two at the same time', async () => {
    const { db, openAgain } = await openWithUrl()
    await makeDecider(db)
    const { id, rowId } = await breakLedger(db)
    const [second, holder] = [openAgain(), openAgain()]
    const calls = await holder.transaction().execute(async (tx) => {
      await lockVariants(tx, [id])
      const work = Promise.all([explain(db, rowId), explain(second, rowId)])
      await untilWaiting(db, work, { waiters: 2 })
      return { work }
    })
    const both = await calls.work
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect((await explain(db, rowId)).isNew).toBe(false)
    expect(await explanations(db)).toHaveLength(1)
  })

  test('only a break can be explained, and only by an account that may adjust stock', async () => {
    const db = await openDb()
    await makeDecider(db)
    const { rowId, rows } = await breakLedger(db)
    for (const other of [rows[1] ?? '', 'unknown'])
      await expect(explain(db, other)).rejects.toThrow(`The ledger doesn’t break at ${other}.`)
    await expect(explain(db, rowId, 'none@shop.example')).rejects.toThrow(
      'none@shop.example doesn’t have an account.',
    )
    await makeUser(db, { email: 'customer@shop.example' })
    await makeUser(db, { email: 'packer@shop.example', roles: ['fulfillment'] })
    for (const by of ['customer@shop.example', 'packer@shop.example'])
      await expect(explain(db, rowId, by)).rejects.toThrow(`${by} isn’t allowed to adjust stock.`)
    await db.updateTable('users').set({ suspendedAt: testDay }).execute()
    await expect(explain(db, rowId)).rejects.toThrow(`${email} isn’t allowed to adjust stock.`)
    expect(await explanations(db)).toEqual([])
  })

  test('an explanation cannot be forged without the keys, nor used for another gap', async () => {
    const db = await openDb()
    await makeDecider(db)
    const [known, other] = [await breakLedger(db), await breakLedger(db)]
    await explain(db, known.rowId)
    const [real] = await explanations(db)
    const mark = String(real?.objectId).split(':')[1]
    for (const objectId of [other.rowId, `${other.rowId}:`, `${other.rowId}:${mark}`])
      await sql`insert into audit_log (id, actor_id, subject_id, action, object_id, request_id, at)
        select ${newId(testDay.getTime())}, actor_id, subject_id, action, ${objectId}, request_id, at from audit_log
        where id = ${real?.id}`.execute(db)
    expect(await verify(db)).toEqual({ explained: 1, messages: [breakAt(other.id, other.rowId)] })
    // The row before the explained break is lost: the gap is another one.
    await closeBatches({ db, keys: testKeys, now: () => testDay }, { customers: 0 })
    await sql`delete from ledger_rows where id = ${known.rows[1]}`.execute(db)
    const { explained, messages } = await verify(db)
    expect(explained).toBe(0)
    expect(messages).toContain(breakAt(known.id, known.rowId))
  })

  test(
    'the command explains a break in one line, and the verification passes',
    { timeout: 60_000 },
    async () => {
      const { db, url } = await openWithUrl()
      const env = { DATABASE_URL: url, ENCRYPTION_KEYS, SESSION_SECRET }
      const keys = await openShopKeys(db, readEnv('dev', env))
      const ctx = startContext({ db, log: createLog('silent'), keys })
      await createUser(ctx, { email, firstName: null, lastName: null, passwordHash: null, roles: ['admin'] })
      const { id, rowId } = await breakLedger(db)
      const run = (...args: string[]): Promise<CommandResult> => runCommand('stock-verify', { args, env })
      const counts = 'variants=1 transactions=3 orders=0 checkouts=0'
      const broken = { code: 1, out: `${counts} explained=0 findings=1\n`, err: `${breakAt(id, rowId)}\n` }
      expect(await run()).toMatchObject(broken)
      expect(await run('--explain', rowId)).toMatchObject({
        code: 1,
        out: '',
        err: 'Add the email of who decided it: --by name@example.com\n',
      })
      expect(await run('--by', email)).toMatchObject({
        code: 1,
        out: '',
        err: 'Add the row at which the ledger breaks: --explain ROW\n',
      })
      expect(await run('--explain', id, '--by', email)).toMatchObject({
        code: 1,
        out: '',
        err: `The ledger doesn’t break at ${id}.\n`,
      })
      const gap = `Variant ${id}: the ledger ended at 20, and ${rowId} starts at 27.`
      const call = ['--explain', rowId, '--by', email]
      expect(await run(...call)).toMatchObject({ code: 0, out: `${gap} Explained by ${email}.\n`, err: '' })
      expect(await run(...call)).toMatchObject({ code: 0, out: `${gap} It was explained before.\n`, err: '' })
      expect(await run()).toMatchObject({ code: 0, out: `${counts} explained=1 findings=0\n`, err: '' })
    },
  )
})

const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
