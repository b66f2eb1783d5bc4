import { createEndpoint } from '#server/webhooks/save-endpoint.ts'
import { queueWebhooks } from '#server/webhooks/queue-webhooks.ts'
import { findCredentials } from '#db/accounts/credentials.ts'
import { insertLineReviews } from '#db/dispensing/line-reviews.ts'
import type { Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import { saveLabelChoices } from '#db/dispensing/label-choices.ts'
import { noLabelChoices } from '#domain/dispensing/label-choices.ts'
import { createUser } from '#server/accounts/create-user.ts'
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { sendContactMessage } from '#server/contact/send-message.ts'
import type { Context } from '#server/context.ts'
import { blindIndex } from '#server/crypto/tokens.ts'
import { parseKeyRing, type KeyRing } from '#server/crypto/key-ring.ts'
import { addLocalKey, localSecrets } from '#server/crypto/local-secrets.ts'
import { rotateKeys, type Rotation } from '#server/crypto/rotate-keys.ts'
import type { Recall } from '#domain/screening/recall.ts'
import { writeRecallEvent } from '#server/recalls/recall-events.ts'
import { notifyCustomers } from '#server/recalls/notify-customers.ts'
import { sealedColumns } from '#server/crypto/sealed-columns.ts'
import { sealDecision } from '#server/dispensing/sealed-item.ts'
import { sealLabelChoices } from '#server/dispensing/sealed-label.ts'
import { closeBatches } from '#server/ledger/close-batches.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { addNote } from '#server/orders/add-note.ts'
import { getOrder } from '#server/orders/get-order.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { seal, unseal } from '#server/crypto/sealing.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { allColumns, sealedKeyIds } from '#tests/support/all-columns.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`
const [old, fresh] = [newKey('old_1'), newKey('new-1')]

/** A shop's context with these master keys. */
const contextWith = async (db: Db, ring: KeyRing): Promise<Context> =>
  testContext(db, {
    keys: await openShopKeys(db, {
      databaseUrl: 'sqlite::memory:',
      encryptionKeys: ring,
      sessionSecret: productionEnv.SESSION_SECRET,
    }),
  })

/** Stores a value in every column that is sealed under a master key, with what reads it again. */
async function fill(ctx: Context, email: string): Promise<{ userId: string; token: string }> {
  const userId = await createUser(ctx, { email, firstName: 'Zoë', lastName: null, passwordHash: null })
  if (userId === null) throw new Error(`${email} has an account already.`)
  await createOneTimeToken(ctx, { purpose: 'change-email', userId, detail: 'zoe@elsewhere.example' })
  const message = { name: 'Zoë', email, message: 'Where is my order?' }
  await sendContactMessage(ctx, message, { formToken: email, supportEmail: 'support@shop.example' })
  return { userId, token: await startSession(ctx, { userId, userAgent: 'Firefox' }) }
}

/** The ids of the keys named in the columns under a master key. */
async function masterKeyIds(db: Db): Promise<string[]> {
  const ids = await Promise.all(sealedColumns.map(({ table, column }) => sealedKeyIds(db, table, column)))
  return [...new Set(ids.flatMap((set) => [...set]))]
}

const sum = ({ rewrapped }: Rotation): number => [...rewrapped.values()].reduce((a, b) => a + b, 0)

/** A pharmacist's decision on a line of the order. */
async function addDecision(
  { db, keys, now }: Context,
  { orderId, userId }: { orderId: string; userId: string },
): Promise<void> {
  const lineId = newId()
  const undecided = { prescriptionId: null, itemId: null, fillId: null, checkedBy: null, checkedAt: null }
  await insertLineReviews(db, [
    {
      ...undecided,
      lineId,
      orderId,
      patientId: userId,
      status: 'refused',
      sealedDecision: sealDecision(keys, lineId, { reason: 'Out of date', notes: [] }),
      decidedBy: userId,
      decidedAt: now,
      createdAt: now,
    },
  ])
}

eachEngine((_engine, openDb) => {
  test('the rotation knows every column that is sealed under a master key', async () => {
    const db = await openDb()
    const ctx = await contextWith(db, parseKeyRing(old))
    const { userId } = await fill(ctx, 'zoe@customer.example')
    const { id, items } = await placeOrder(db, userId, { ctx: { keys: ctx.keys } })
    // One order in a closed batch of the ledger, and one in its inbox.
    await closeBatches({ ...ctx, now: () => ctx.now }, { customers: 1 })
    await placeOrder(db, userId, { ctx: { keys: ctx.keys } })
    await addNote({ ...ctx, user: signedIn(userId, { isAdmin: true }) }, { id, text: 'Called.' })
    await addDecision(ctx, { orderId: id, userId })
    await saveLabelChoices(db, {
      lineId: items[0]?.id ?? '',
      orderId: id,
      sealedChoices: sealLabelChoices(ctx.keys, items[0]?.id ?? '', noLabelChoices),
      version: 0,
      updatedBy: userId,
      updatedAt: ctx.now,
    })
    const endpointId = newId()
    await createEndpoint(
      { ...ctx, user: signedIn(userId, { isAdmin: true }) },
      { id: endpointId, url: 'https://receiver.example/hooks', topic: 'orders' },
    )
    await queueWebhooks(ctx, [{ type: 'order.created', data: { orderId: id, status: 'processing' } }])
    const recall = { id: 'D-0001-2026' } as Recall
    await notifyCustomers(ctx, [{ orderId: id, userId, recall, lineIds: [] }])
    await writeRecallEvent(ctx, { recallId: recall.id, action: 'recorded', note: 'Called.', actorId: userId })
    const found: string[] = []
    for (const { table, column } of await allColumns(db)) {
      if ((await sealedKeyIds(db, table, column)).has('old_1')) found.push(`${table}.${column}`)
    }
    expect(found.toSorted()).toEqual(
      sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted(),
    )
  })

  test('after a rotation the new key alone opens everything, and no value names the old one', async () => {
    const db = await openDb()
    const before = await contextWith(db, parseKeyRing(old))
    const { userId, token } = await fill(before, 'zoe@customer.example')
    for (let i = 0; i < 110; i++) await fill(before, `customer-${i}@customer.example`)
    const order = await placeOrder(db, userId, { ctx: { keys: before.keys } })
    const rotation = await rotateKeys(db, parseKeyRing(`${fresh},${old}`))
    expect(rotation).toMatchObject({ isIncomplete: false, faults: new Map() })
    expect(rotation.rewrapped.get('user_keys.wrapped_key')).toBe(111)
    expect(rotation.rewrapped.get('shop_keys.wrapped_key')).toBe(1)
    // With the order, its checkout, its mail, its ledger row and the units it sold.
    expect(sum(rotation)).toBe(111 * 5 + 1 + 5)
    expect(await masterKeyIds(db)).toEqual(['new-1'])

    const after = await contextWith(db, parseKeyRing(fresh))
    expect(await getOrder({ ...after, user: signedIn(userId) }, order.id)).toEqual(order)
    const rules = getSessionRules({ mode: 'production', requireAdminMfa: true })
    expect(await getSession(after, token, rules)).toMatchObject({ id: userId, firstName: 'Zoë' })
    const emailHash = blindIndex(after.keys, 'email', 'zoe@customer.example')
    expect(await findCredentials(db, emailHash)).toMatchObject({ id: userId })
    expect(await listOutbox(after)).toHaveLength(100)
    expect(sum(await rotateKeys(db, parseKeyRing(`${fresh},${old}`)))).toBe(0)
  })

  test('values that do not open are reported by column and key and kept; the rest is resealed', async () => {
    const db = await openDb()
    const ctx = await contextWith(db, parseKeyRing(old))
    for (let i = 0; i < 4; i++) await fill(ctx, `customer-${i}@customer.example`)
    const rows = await db.selectFrom('userKeys').selectAll().orderBy('userId').execute()
    const broken = [
      seal(parseKeyRing(newKey('gone')), bindings.userKey('x'), 'key'),
      seal(parseKeyRing(old), bindings.userKey('another row'), 'key'),
      'never sealed',
    ]
    for (const [i, wrappedKey] of broken.entries()) {
      await db
        .updateTable('userKeys')
        .set({ wrappedKey })
        .where('userId', '=', rows[i]?.userId ?? '')
        .execute()
    }
    const rotation = await rotateKeys(db, parseKeyRing(`${fresh},${old}`))
    expect(Object.fromEntries(rotation.faults)).toEqual({
      'user_keys.wrapped_key could not be decrypted with the key old_1': 1,
      'user_keys.wrapped_key does not hold a sealed value': 1,
      'user_keys.wrapped_key names the key "gone", and there is no such key': 1,
    })
    expect(rotation.rewrapped.get('user_keys.wrapped_key')).toBe(1)
    const left = await db.selectFrom('userKeys').select('wrappedKey').orderBy('userId').execute()
    expect(left.slice(0, 3).map(({ wrappedKey }) => wrappedKey)).toEqual(broken)
  })

  test('two concurrent rotations beside deletions lose no key and restore none', async () => {
    const db = await openDb()
    const ctx = await contextWith(db, parseKeyRing(old))
    const users: string[] = []
    for (let i = 0; i < 150; i++) users.push((await fill(ctx, `customer-${i}@customer.example`)).userId)
    const ring = parseKeyRing(`${fresh},${old}`)
    const deletedIds = users.filter((_, i) => i % 3 === 0)
    await Promise.all([
      rotateKeys(db, ring),
      rotateKeys(db, ring),
      (async () => {
        for (const id of deletedIds) await db.deleteFrom('userKeys').where('userId', '=', id).execute()
      })(),
    ])
    const left = await db.selectFrom('userKeys').select(['userId', 'wrappedKey']).execute()
    expect(left.map(({ userId }) => userId).toSorted()).toEqual(
      users.filter((id) => !deletedIds.includes(id)).toSorted(),
    )
    for (const { userId, wrappedKey } of left) {
      expect(
        Buffer.from(unseal(parseKeyRing(fresh), bindings.userKey(userId), wrappedKey), 'base64url'),
      ).toHaveLength(32)
    }
  })
})

const data = bindings.mail('row-1')

function localShop(): { url: string; folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-local-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, url: `sqlite:${join(folder, 'shop.sqlite')}`, file: join(folder, 'secrets.json') }
}

test('a key added to the local secrets seals in a running shop, and older keys still open', () => {
  const { url, folder, file } = localShop()
  const shop = localSecrets(url)
  const first = shop.ring.current
  const sealed = seal(shop.ring, data, 'Zoë')
  const added = addLocalKey(url)
  expect(added?.current).not.toBe(first)
  expect(shop.ring.current).toBe(added?.current)
  expect(unseal(shop.ring, data, sealed)).toBe('Zoë')
  expect(seal(shop.ring, data, 'Zoë')).toMatch(new RegExp(`^v1\\.${added?.current}\\.`))
  expect(localSecrets(url).sessionSecret).toBe(shop.sessionSecret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['secrets.json'])
})

test('a secrets file from before sessions existed keeps its session secret', () => {
  const { url, file } = localShop()
  writeFileSync(file, JSON.stringify({ ENCRYPTION_KEYS: old }))
  const { sessionSecret } = localSecrets(url)
  addLocalKey(url)
  expect(localSecrets(url).sessionSecret).toBe(sessionSecret)
})

test('no key is added without a secrets file, nor by two processes at once', () => {
  const { url, file } = localShop()
  expect(addLocalKey(url)).toBeNull()
  localSecrets(url)
  const before = readFileSync(file, 'utf8')
  writeFileSync(`${file}.lock`, '')
  expect(() => addLocalKey(url)).toThrow(`delete ${file}.lock`)
  expect(readFileSync(file, 'utf8')).toBe(before)
})
