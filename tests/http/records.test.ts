import { deleteUser } from '#server/privacy/delete-user.ts'
import { signInAs } from '#tests/support/accounts.ts'
import { readMain } from '#tests/support/page-text.ts'
import { makePatient } from '#tests/support/patients.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShop) => {
  test('staff find a record by its order number only; it is in no list and no other call', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { ctx, userId, pharmacist, used, orders } = await makePatient(shop.db)
    const [{ id }, , unshipped] = orders
    await deleteUser(ctx, userId)
    const staff = shop.visit()
    await signInAs(staff, shop.db, pharmacist)
    const read = async (path: string): Promise<string> => (await staff.get(path)).text()
    const lookUp = (order: string) => staff.get(`/admin/records?order=${encodeURIComponent(order)}`)

    expect(readMain(await read('/admin/records'))).toContain('for 10 years from shipping')
    const found = await lookUp(id.slice(-8))
    expect([found.status, found.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const html = await found.text()
    for (const fact of [id, 'Xanomeline', 'Zoë O’Hara', '1Z999', 'Dr. Quill', 'Amara Diallo', 'Jan 5, 2036'])
      expect(readMain(html)).toContain(fact)
    expect(readMain(html)).toMatch(
      /Customer Zoë O’Hara .*What the customer entered \(not verified\) Doctor Dr\. Quill Dated .* Expires .* Notes/s,
    )
    const [, file = ''] = /href="(\/admin\/records\/[^"]+\/file\?prescription=[^"]+)"/.exec(html) ?? []
    const reply = await staff.get(file)
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
      200,
      'application/pdf',
      'private, no-store',
    ])
    expect(Buffer.from(await reply.arrayBuffer()).equals(samplePdf('Xanomeline daily'))).toBe(true)

    for (const [order, status] of [
      [unshipped.id, 404],
      ['00000000', 404],
      ['%', 422],
      ['abc', 422],
    ] as const) {
      const reply = await lookUp(order)
      expect([reply.status, readMain(await reply.text())]).toEqual([
        status,
        expect.stringContaining('No record found'),
      ])
    }
    for (const path of [
      '/admin/records',
      '/admin/orders',
      '/admin/settings',
      '/admin/prescriptions',
      '/admin',
    ])
      expect(await read(path)).not.toMatch(new RegExp(`${id}|${id.slice(-8)}|O’Hara|Dr. Quill`))
    expect(await read('/api/orders')).toBe('[]')
    for (const path of [`/api/orders/${id}`, `/admin/orders/${id}`, `/api/prescriptions/${used.id}/file`])
      expect((await staff.get(path)).status).toBe(404)
    expect(JSON.stringify(shop.log)).not.toMatch(/Xanomeline|O’Hara|Quill/)
  })
})
