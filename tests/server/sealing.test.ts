import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { localSecrets } from '#server/crypto/local-secrets.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { seal, unseal, UnsealError } from '#server/crypto/sealing.ts'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const key = (): string => randomBytes(32).toString('base64')
const data = bindings.contactName('row-1')

const refusal = /unable to authenticate|does not hold a sealed value|there is no such key/

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test.each(['', 'Zoë', 'x'.repeat(100_000), 'line\nline', '💊'])('a sealed text opens as it was', (text) => {
  const ring = parseKeyRing(`a:${key()}`)
  const sealed = seal(ring, data, text)
  expect(sealed).toMatch(/^v1\.a\.[\w-]{16}\.[\w-]*\.[\w-]{22}$/)
  expect(unseal(ring, data, sealed)).toBe(text)
})

test('the same text seals to a different value each time', () => {
  const ring = parseKeyRing(`a:${key()}`)
  const sealed = new Set(Array.from({ length: 100 }, () => seal(ring, data, 'same')))
  expect(sealed.size).toBe(100)
})

test('a value opens only with its own table, column and row', () => {
  const ring = parseKeyRing(`a:${key()}`)
  const sealed = seal(ring, data, 'Zoë')
  for (const elsewhere of [
    ['contact_messages', 'sealed_name', 'row-2'],
    ['contact_messages', 'sealed_email', 'row-1'],
    ['outbox', 'sealed_name', 'row-1'],
    ['contact', '_messagessealed_name', 'row-1'],
  ] as const) {
    expect(() => unseal(ring, elsewhere, sealed)).toThrow(refusal)
  }
})

test.each(['broken', 'v1.a....', 'v1.a..x.AAAAAAAAAAAAAAAAAAAAAA', 'v1.b.x.x.AAAAAAAAAAAAAAAAAAAAAA'])(
  'a value that cannot be opened has an error of its own: %s',
  (sealed) => {
    expect(() => unseal(parseKeyRing(`a:${key()}`), data, sealed)).toThrow(UnsealError)
  },
)

test('no binding has changed: stored values would no longer open', () => {
  const row = 'row-1'
  expect(Object.fromEntries(Object.entries(bindings).map(([name, binding]) => [name, binding(row)]))).toEqual(
    {
      shopKey: ['shop_keys', 'wrapped_key', row],
      userKey: ['user_keys', 'wrapped_key', row],
      userEmail: ['users', 'sealed_email', row],
      userName: ['users', 'sealed_name', row],
      userProfile: ['users', 'sealed_profile', row],
      patientRecord: ['patients', 'sealed_record', row],
      totpSecret: ['users', 'sealed_totp_secret', row],
      sessionDevice: ['sessions', 'sealed_device', row],
      oneTimeTokenDetail: ['one_time_tokens', 'sealed_detail', row],
      shippingAddress: ['shipping_addresses', 'sealed_address', row],
      fileKey: ['files', 'wrapped_key', row],
      prescriptionDetails: ['prescriptions', 'sealed_details', row],
      prescriptionQuestion: ['prescription_questions', 'sealed_question', row],
      prescriptionAnswer: ['prescription_questions', 'sealed_answer', row],
      prescriptionTranscription: ['prescriptions', 'sealed_transcription', row],
      prescriptionItem: ['prescription_items', 'sealed_item', row],
      fill: ['fills', 'sealed_fill', row],
      lineDecision: ['line_reviews', 'sealed_decision', row],
      caseDraft: ['case_drafts', 'sealed_draft', row],
      message: ['messages', 'sealed_text', row],
      checkout: ['checkouts', 'sealed_frozen', row],
      order: ['orders', 'sealed_order', row],
      orderNote: ['order_notes', 'sealed_note', row],
      labelChoices: ['label_choices', 'sealed_choices', row],
      alertDecision: ['alert_decisions', 'sealed_decision', row],
      recallEvent: ['recall_events', 'sealed_note', row],
      recallNotice: ['recall_notices', 'sealed_notice', row],
      recordKey: ['record_keys', 'wrapped_key', row],
      dispensingRecord: ['dispensing_records', 'sealed_record', row],
      auditDetail: ['audit_details', 'sealed_detail', row],
      mail: ['outbox', 'sealed_mail', row],
      accountCartLine: ['account_cart_lines', 'sealed_line', row],
      ledgerInbox: ['ledger_inbox', 'sealed_changes', row],
      ledgerRow: ['ledger_rows', 'sealed_row', row],
      ledgerSums: ['ledger_batches', 'sealed_sums', row],
      unitsToCount: ['units_to_count', 'sealed_units', row],
      contactName: ['contact_messages', 'sealed_name', row],
      contactEmail: ['contact_messages', 'sealed_email', row],
      contactMessage: ['contact_messages', 'sealed_message', row],
      signInCookie: ['cookies', 'sign-in', 'begun'],
      webhookSecret: ['webhook_endpoints', 'sealed_secret', row],
      webhookPayload: ['webhook_deliveries', 'sealed_payload', row],
    },
  )
})

test('a value does not open after a change in any part', () => {
  const ring = parseKeyRing(`a:${key()}`)
  const parts = seal(ring, data, 'Zoë O’Hara').split('.')
  for (const [i, part] of parts.entries()) {
    const changed = parts.with(i, part.startsWith('A') ? `B${part.slice(1)}` : `A${part.slice(1)}`)
    expect(() => unseal(ring, data, changed.join('.')), `part ${i}`).toThrow(refusal)
    expect(() => unseal(ring, data, parts.toSpliced(i, 1).join('.')), `without ${i}`).toThrow(refusal)
  }
  const [version, id, nonce, content, tag = ''] = parts
  expect(() => unseal(ring, data, [version, id, nonce, content, tag.slice(0, 6)].join('.'))).toThrow(refusal)
})

test('the first key seals, and only the keys of the ring open', () => {
  const [old, fresh] = [`2025:${key()}`, `2026:${key()}`]
  const sealed = seal(parseKeyRing(old), data, 'Zoë')
  const both = parseKeyRing(`${fresh},${old}`)
  expect(unseal(both, data, sealed)).toBe('Zoë')
  expect(seal(both, data, 'Zoë')).toMatch(/^v1\.2026\./)
  expect(() => unseal(parseKeyRing(fresh), data, sealed)).toThrow(
    'contact_messages.sealed_name names the key "2025", and there is no such key.',
  )
})

test.each([
  '',
  'a',
  'a:short',
  `a:${randomBytes(31).toString('base64')}`,
  `a:${randomBytes(33).toString('base64')}`,
  `a b:${key()}`,
  `:${key()}`,
  `a:${key()},`,
  `a:${key()},a:${key()}`,
])('keys written %j are rejected without revealing any part of them', (text) => {
  let message = ''
  try {
    parseKeyRing(text)
  } catch (error) {
    message = String(error)
  }
  expect(message).toMatch(/^Error: (must be id:base64|contains a duplicate id)/)
  for (const part of text.split(/[:,]/)) if (part.length > 20) expect(message).not.toContain(part)
})

test('a shop without keys creates them once, readable by its owner only, beside its database', () => {
  const folder = temporaryFolder()
  const url = `sqlite:${join(folder, 'deeper', 'shop.sqlite')}`
  const { ring } = localSecrets(url)
  const file = join(folder, 'deeper', 'secrets.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(unseal(localSecrets(url).ring, data, seal(ring, data, 'Zoë'))).toBe('Zoë')
  expect(readdirSync(join(folder, 'deeper'))).toEqual(['secrets.json'])
})

test('an unreadable key file stops the start and stays unchanged', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'secrets.json')
  writeFileSync(file, '{"ENCRYPTION_KEYS": "half a k')
  expect(() => localSecrets(`sqlite:${join(folder, 'shop.sqlite')}`)).toThrow(
    `${file} has no readable ENCRYPTION_KEYS`,
  )
  expect(readFileSync(file, 'utf8')).toBe('{"ENCRYPTION_KEYS": "half a k')
})

test('concurrent first starts agree on the keys', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder()
  const program = `import { localSecrets } from '#server/crypto/local-secrets.ts'
    const { ring, sessionSecret } = localSecrets(${JSON.stringify(`sqlite:${join(folder, 'shop.sqlite')}`)})
    console.log(ring.current, sessionSecret)`
  const run = async (): Promise<string> => {
    const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', program]
    return (await promisify(execFile)(process.execPath, args, { cwd: resolve('.') })).stdout
  }
  const outputs = await Promise.all([run(), run(), run()])
  expect(outputs[0]).toMatch(/^k\w{6} [\w-]{43}\n$/)
  expect(new Set(outputs).size).toBe(1)
  expect(readdirSync(folder)).toEqual(['secrets.json'])
})
