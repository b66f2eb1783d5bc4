import type { Role } from '#domain/accounts/permissions.ts'
import { sendToPharmacy } from '#server/messages/send-message.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { headingsOf, hiddenFields, mainOf, readMain } from '#tests/support/page-text.ts'
import { addPharmacist, answerHealthQuestions, testNpi, transcribe } from '#tests/support/pharmacist.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { addMedicine } from '#tests/support/review-cases.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, errorOf, resultOf } from '#tests/support/trpc-calls.ts'
import { expect, test } from 'vitest'

type Person = Visitor & { id: string }

async function person(
  shop: Shop,
  overrides: { isAdmin?: boolean; roles?: Role[]; lastName?: string } = {},
): Promise<Person> {
  const id = await makeUser(shop.db, overrides)
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return { ...visitor, id }
}

const main = async (visitor: Visitor, path: string): Promise<string> =>
  readMain(await (await visitor.get(path)).text())

eachShop((openShopOf) => {
  const openShop = () => openShopOf({ catalog: 'empty' })

  test('the server renders the queue as links, and a case beside its file', async () => {
    const shop = await openShop()
    const [admin, early, late] = [
      await person(shop, { isAdmin: true }),
      await person(shop, { lastName: 'Early' }),
      await person(shop, { lastName: 'Late' }),
    ]
    expect(await main(admin, '/admin/prescriptions')).toContain('Nothing to review')
    const first = await addPrescription(shop.db, early.id, {
      now: new Date('2026-01-31'),
      doctorName: 'Dr. One',
      prescriptionDate: '2026-01-02',
    })
    const second = await addPrescription(shop.db, late.id, {
      now: new Date('2026-02-02'),
      doctorName: 'Dr. Two',
    })
    const queue = mainOf(await (await admin.get('/admin/prescriptions')).text())
    expect(readMain(queue)).toMatch(/Zoë Early.*Zoë Late/)
    const links = [...queue.matchAll(/href="([^"]*\?id=[^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual([`/admin/prescriptions?id=${first.id}`, `/admin/prescriptions?id=${second.id}`])
    const response = await admin.get(links[0] ?? '')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('content-security-policy')).toContain("frame-src 'self'")
    const html = await response.text()
    expect(headingsOf(html, 1)).toEqual(['Prescriptions'])
    expect(headingsOf(html, 2)).toEqual(['Zoë Early'])
    const text = readMain(html)
    for (const shown of [
      'Dr. One',
      'Jan 2, 2026',
      'Take with food',
      'Not specified',
      // An admin is no pharmacist.
      'Only a pharmacist can decide here.',
    ]) {
      expect(text).toContain(shown)
    }
    expect(text).not.toContain('Dr. Two')
    expect(mainOf(html)).toContain(`src="/api/prescriptions/${first.id}/file?frame#view=FitH"`)
    expect(await main(admin, `/admin/prescriptions?id=${second.id}`)).toContain('Dr. Two')
    expect(await main(admin, '/admin/prescriptions?filter=asked')).toContain('Nothing to review')
    expect((await admin.get('/admin/prescriptions?id=x')).status).toBe(404)
  })

  test('invalid decisions name the field, and stale ones get the current case', async () => {
    const shop = await openShop()
    const [admin, pharmacist, owner] = [
      await person(shop, { isAdmin: true }),
      await person(shop, { roles: ['pharmacist'] }),
      await person(shop),
    ]
    const { id } = await addPrescription(shop.db, owner.id, { now: new Date() })
    const decide = (input: object) =>
      callProcedure(admin, shop.origin, 'prescriptions.decide', { id, version: 1, ...input })
    const ask = (question: string) =>
      callProcedure(pharmacist, shop.origin, 'cases.ask', { lineId: id, version: 1, question })
    for (const [call, fields] of [
      [
        () => decide({ status: 'rejected', statusReason: ' ' }),
        { statusReason: 'Enter a reason for the rejection.' },
      ],
      [() => decide({ status: 'done' }), { status: expect.stringContaining('Choose one of') as string }],
      [() => ask(' \n'), { question: 'Enter a question.' }],
      [() => ask('x'.repeat(1001)), { question: 'Enter at most 1,000 characters.' }],
    ] as const) {
      expect(await errorOf(await call())).toMatchObject({ status: 422, fields })
    }
    expect(await resultOf(await decide({ status: 'approved' }))).toEqual({ id, status: 'approved' })
    expect(await errorOf(await decide({ status: 'rejected', statusReason: 'Late' }))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      current: { id, prescriptions: [{ id, version: 2, status: 'approved' }] },
    })
  })

  test('the customer gets a link and answers the question without JavaScript; others see nothing', async () => {
    const shop = await openShop()
    const [admin, owner, other] = [
      await person(shop, { isAdmin: true }),
      await person(shop),
      await person(shop),
    ]
    const { id } = await addPrescription(shop.db, owner.id, { now: new Date() })
    const question = 'Is it <b>10</b> or 20 mg of xanomeline?'
    const asked = { intent: 'ask', requestKey: 'one question', message: question }
    expect((await admin.post(`/admin/messages/${id}`, asked)).status).toBe(303)
    const outbox = await main(shop.visit(), '/demo/outbox')
    expect(outbox).toContain('A question about your prescription')
    expect(outbox).toContain(`${shop.origin}/prescriptions`)
    expect(outbox).not.toContain('xanomeline')

    const page = await main(owner, '/prescriptions')
    expect(page).toContain('The pharmacy: Is it &lt;b&gt;10&lt;/b&gt; or 20 mg of xanomeline?')
    expect(page).toContain('Send answer')
    expect(await main(other, '/prescriptions')).not.toContain('xanomeline')

    const [, requestKey = ''] =
      /name="requestKey" value="([^"]+)"/.exec(await (await owner.get('/prescriptions')).text()) ?? []
    const form = { intent: 'message', id, requestKey, message: 'It is\r\n20 mg.' }
    expect((await other.post('/prescriptions', form)).status).toBe(404)
    const blank = await owner.post('/prescriptions', { ...form, message: ' ' })
    expect([blank.status, readMain(await blank.text())]).toEqual([
      422,
      expect.stringContaining('Enter a message.'),
    ])
    const long = await owner.post('/prescriptions', { ...form, message: `${'x'.repeat(2000)}y` })
    expect(await long.text()).toMatch(/Enter at most 2,000 characters[^]*|x{2000}y/)
    // A double submit is one message.
    for (const _ of [1, 2]) {
      const response = await owner.post('/prescriptions', form)
      expect([response.status, response.headers.get('location')]).toEqual([303, '/prescriptions'])
    }
    const answered = await main(owner, '/prescriptions')
    expect(answered).toContain('Message Sent')
    expect(answered.match(/You: It is 20 mg\./g)).toHaveLength(1)
    expect(answered).not.toContain('Send answer')
    expect(await main(admin, '/admin/prescriptions')).toContain('Answered')
    expect(await main(admin, `/admin/prescriptions?id=${id}`)).toContain('It is 20 mg.')
  })

  test('without JavaScript, a note on a duplicate counts once the form has listed it', async () => {
    const shop = await openShop()
    const { db } = shop
    const pharmacist = shop.visit()
    const staff = await addPharmacist(db, { now: new Date() })
    await signInAs(pharmacist, db, staff.user?.id ?? '')
    const customerId = await makeUser(db)
    const variantId = await addMedicine(db)
    const writtenOn = new Date().toISOString().slice(0, 10)
    const [one, other] = [await addPrescription(db, customerId), await addPrescription(db, customerId)]
    await transcribe(staff, { ...one, version: 1 }, [variantId], { writtenOn })
    const path = `/admin/prescriptions?id=${other.id}`
    const transcription = {
      patientName: 'Zoë O’Hara',
      prescriberName: 'Ada Quillfeather, MD',
      npi: testNpi,
      writtenOn,
      'authentication.method': 'original',
      duplicateNote: 'The practice confirmed two',
      'items.0.variantId': variantId,
      'items.0.units': '30',
      'items.0.daysSupply': '30',
      'items.0.refills': '1',
      'items.0.directions': '1 tab po daily',
    }
    const form = 'Transcription of Rx 000002'
    const opened = hiddenFields(await (await pharmacist.get(path)).text(), form)
    const refused = await pharmacist.post(path, { ...opened, ...transcription })
    const html = await refused.text()
    expect([refused.status, readMain(html)]).toEqual([
      422,
      expect.stringContaining('Rx 000001 has the same prescriber, date and medicine.'),
    ])
    const listed = hiddenFields(html, form)
    expect([opened['duplicatesSeen'], listed['duplicatesSeen']]).toEqual(['', one.id])
    // Refused for another field, or sent for one more medicine, the form keeps what it listed.
    let current = listed
    for (const [name, value] of [
      ['items.0.units', '0'],
      ['edit', 'add'],
    ] as const) {
      const reply = await pharmacist.post(path, { ...current, ...transcription, [name]: value })
      const again = await reply.text()
      expect(readMain(again)).toMatch(
        /Possibly a duplicate Rx 000001 has the same prescriber, date and medicine\./,
      )
      expect(again).toContain('value="The practice confirmed two"')
      current = hiddenFields(again, form)
      expect(current['duplicatesSeen']).toBe(one.id)
    }
    expect((await pharmacist.post(path, { ...current, ...transcription })).status).toBe(303)
  })

  test('a pharmacist transcribes, asks, clears and reopens without JavaScript', async () => {
    const shop = await openShopOf({ now: () => testDay })
    const { db } = shop
    const pharmacist = shop.visit()
    const { user } = await addPharmacist(db)
    await signInAs(pharmacist, db, user?.id ?? '')
    const customerId = await makeUser(db)
    await answerHealthQuestions(db, customerId)
    // Lisinopril 20 mg, 30 tablets.
    const variantId = '01980000-53d6-7eb9-8411-7efffa06460e'
    const { id: prescriptionId } = await addPrescription(db, customerId, { now: testDay })
    const items = [{ productVariantId: variantId, quantity: 1 }]
    const order = await placeOrder(db, customerId, { items, prescriptionId })
    const path = `/admin/prescriptions?id=${order.id}`
    const open = async () => (await pharmacist.get(path)).text()
    const post = async (fields: Record<string, string>, to = path) => {
      const response = await pharmacist.post(to, fields)
      const html = await response.text()
      return {
        status: response.status,
        html: mainOf(html),
        text: readMain(html),
        to: response.headers.get('location'),
      }
    }

    const transcription = {
      ...hiddenFields(await open(), 'Transcription of Rx 000001'),
      patientName: 'O’Hara Zoë',
      prescriberName: 'Ada Quillfeather, MD',
      npi: testNpi,
      writtenOn: '1/2/2026',
      'authentication.method': 'original',
      'items.0.medicine': 'lisinopril 20',
      'items.0.units': '30',
      'items.0.daysSupply': '30',
      'items.0.refills': '1',
      'items.0.directions': '1 tab po daily',
    }
    const found = await post({ ...transcription, edit: 'find' })
    expect(found).toMatchObject({ status: 200, text: expect.stringMatching(/Lisinopril.*20 mg/) })
    const [, chosen = ''] =
      /<input type="radio"[^>]*name="items\.0\.variantId"[^>]*value="([^"]+)"/.exec(found.html) ?? []
    expect(found.html).toContain('value="O’Hara Zoë"')
    expect((await post({ ...transcription, edit: 'add' })).text).toContain('Medicine 2 of 2')
    const refused = await post({ ...transcription, 'items.0.units': '0' })
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('whole number from 1') })
    expect(refused.html).toContain('value="Ada Quillfeather, MD"')
    const listed = { ...transcription, ...hiddenFields(found.html, 'Transcription of Rx 000001') }
    expect(await post({ ...listed, 'items.0.variantId': chosen })).toMatchObject({
      status: 303,
      to: path,
    })

    const page = await open()
    expect(readMain(page)).toMatch(/Transcribed: Rx 000001.*Covered: the same medicine/)
    const question = hiddenFields(page, 'Send question')
    expect(await post({ ...question, question: ' ' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('Enter a question.'),
    })
    // The customer writes while the pharmacist types.
    await sendToPharmacy(testContext(db, { user: signedIn(customerId) }), {
      subjectId: order.id,
      text: 'I take it once a day.',
      requestKey: 'one submission',
    })
    const unseen = await post({ ...question, question: 'Once a day?' })
    expect(unseen).toMatchObject({
      status: 409,
      text: expect.stringMatching(/I take it once a day.*The customer wrote again\. Read the new message/),
    })
    expect(unseen.html).toContain('>Once a day?</textarea>')
    const next = hiddenFields(await open(), 'Send question')
    expect(await post({ ...next, question: 'Once a day?' })).toMatchObject({ status: 303 })
    // A second tab, or a colleague who was slower.
    const late = await post({ ...question, intent: 'refuse', reason: 'Not legible' })
    expect(late).toMatchObject({
      status: 409,
      text: expect.stringContaining('Dana Fox asked the customer about this line.'),
    })
    expect(late.html).toContain('>Not legible</textarea>')

    const cleared = await post(hiddenFields(await open(), 'Clear Lisinopril'))
    expect(cleared).toMatchObject({ status: 303, to: path })
    const decided = await open()
    expect(readMain(decided)).toMatch(/All lines are decided.*by Dana Fox/)
    // Decided cases are found by number or name, which is posted and never in a URL.
    const find = (search: string) => post({ intent: 'find', search }, '/admin/prescriptions')
    const prescriptionPath = `/admin/prescriptions?id=${prescriptionId}`
    expect(await find(' rx 000001')).toMatchObject({ status: 303, to: prescriptionPath })
    expect(await find(order.id.slice(-8))).toMatchObject({ status: 303, to: path })
    expect(await find('o’hara')).toMatchObject({
      status: 200,
      text: expect.stringMatching(
        /Order [0-9a-f]{8} Processing 1 cleared, by Dana Fox.*Approved by Dana Fox/,
      ),
    })
    expect((await find('Rx 000002')).text).toContain('No prescription or order matches')
    expect(await find(' ')).toMatchObject({
      status: 422,
      text: expect.stringContaining('Enter an Rx number'),
    })
    expect(await post({ ...hiddenFields(decided, 'Review again'), intent: 'reopen' })).toMatchObject({
      status: 303,
    })
    expect(readMain(await open())).toContain('Waiting for a pharmacist')
    expect((await post({ intent: 'nonsense' })).status).toBe(400)
    // An admin may look, and decides nothing.
    const admin = await person(shop, { isAdmin: true })
    expect((await admin.post(path, hiddenFields(await open(), 'Clear Lisinopril'))).status).toBe(403)
  })
})
