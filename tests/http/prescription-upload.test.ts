import { addPerson } from '#tests/support/checkout-page.ts'
import { headingsOf, mainOf, readMain } from '#tests/support/page-text.ts'
import { person, statusOf } from '#tests/support/prescription-pages.ts'
import { addIdDocument } from '#tests/support/prescriptions.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { eachShop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

/**
 * Submits a form with a file like a browser without JavaScript. Bytes are a chosen file; none means
 * that no file was chosen.
 */
function postForm(
  visitor: Visitor,
  path: string,
  fields: Record<string, string | Buffer>,
): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, new File([new Uint8Array(value)], value.length > 0 ? 'scan.pdf' : ''))
  }
  return visitor.request(path, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } })
}

/** The hidden fields of a new upload page. */
async function formOf(visitor: Visitor): Promise<{ userId: string; formId: string }> {
  const html = await (await visitor.get('/prescriptions/upload')).text()
  const valueOf = (name: string): string => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
  return { userId: valueOf('userId'), formId: valueOf('formId') }
}

eachShop((openShopOf) => {
  const openShop: typeof openShopOf = (options) => openShopOf({ catalog: 'empty', ...options })

  test('the upload page has the documented fields and texts, and warns about a missing ID document', async () => {
    const shop = await openShop()
    const visitor = await person(shop)
    const html = await (await visitor.get('/prescriptions/upload?from=checkout')).text()
    expect(html).toContain('<title>Upload Prescription | Meridian</title>')
    expect(headingsOf(html, 1)).toEqual(['Upload Prescription'])
    const text = readMain(html)
    for (const shown of [
      'ID Document Required',
      "Doctor's name",
      'Prescription date',
      'Leave blank if not specified on prescription',
      'Notes',
      'Cancel',
      'Submit Prescription',
      'Pharmacy review typically takes 1-2 business days.',
      'We’ll email you when it’s approved.',
    ]) {
      expect(text).toContain(shown)
    }
    const main = mainOf(html)
    expect(main).toContain('href="/profile?from=checkout#id-document-verification"')
    expect(main.match(/href="\/checkout"/g)).toHaveLength(2)
    expect(main).not.toContain('href="/prescriptions"')
    expect(main).toMatch(/<form [^>]*novalidate/i)
    expect(main).toMatch(/<form [^>]*enctype="multipart\/form-data"/i)

    await addIdDocument(shop.db, visitor.id)
    const plain = await (await visitor.get('/prescriptions/upload?from=//evil.example')).text()
    expect(readMain(plain)).not.toContain('ID Document Required')
    expect(mainOf(plain).match(/href="\/prescriptions"/g)).toHaveLength(2)
  })

  test('without JavaScript the form uploads the file and redirects with the documented message', async () => {
    const shop = await openShop()
    const visitor = await person(shop, { idDocument: true })
    for (const [from, back] of [
      ['', '/prescriptions'],
      ['?from=checkout', '/checkout'],
      ['?from=/admin', '/prescriptions'],
    ] as const) {
      const response = await postForm(visitor, `/prescriptions/upload${from}`, {
        ...(await formOf(visitor)),
        doctorName: 'Dr. Ada Quillfeather',
        expiryDate: '',
        fileUrl: samplePdf(),
      })
      expect([response.status, response.headers.get('location')]).toEqual([303, back])
    }
    const page = readMain(await (await visitor.get('/prescriptions')).text())
    expect(page).toContain('Prescription Uploaded')
    expect(page).toContain('Your prescription has been uploaded successfully and is under review.')
    const list = (await (await visitor.get('/api/prescriptions')).json()) as { id: string }[]
    expect(list).toHaveLength(3)
    expect(list[0]).toMatchObject({ doctorName: 'Dr. Ada Quillfeather', expiryDate: null })
    const file = await visitor.get(`/api/prescriptions/${list[0]?.id}/file`)
    expect(Buffer.from(await file.arrayBuffer()).equals(samplePdf())).toBe(true)
  })

  test('a customer with dependants chooses whom a prescription is for; no person is preselected', async () => {
    const shop = await openShop()
    const visitor = await person(shop, { idDocument: true })
    const ownPage = await (await visitor.get('/prescriptions/upload')).text()
    expect(ownPage).not.toContain('Choose a person')
    const leo = await addPerson(visitor, 'Leo')
    const html = await (await visitor.get('/prescriptions/upload')).text()
    const select = /<select[^>]*name="patientId".*?<\/select>/s.exec(html)?.[0] ?? ''
    expect(select).toMatch(/<select[^>]*required/)
    expect(select).toMatch(
      /^<select[^>]*><option value="" selected="">Choose a person<|<option value="">Choose/,
    )
    expect(select).not.toMatch(/value="[^"]+" selected/)

    const post = async (patientId: string) => {
      const form = { ...(await formOf(visitor)), doctorName: 'Dr. Ada', fileUrl: samplePdf(), patientId }
      return postForm(visitor, '/prescriptions/upload', form)
    }
    const refused = await post('')
    expect(refused.status).toBe(422)
    const page = await refused.text()
    expect(page).toMatch(/id="patientId-error"[^>]*>Choose a person\./)
    expect(page).toContain('value="Dr. Ada"')
    expect(readMain(page)).toContain('Your file is uploaded.')
    expect(await (await visitor.get('/api/prescriptions')).json()).toEqual([])
    expect((await post(leo)).status).toBe(303)
    expect((await post(visitor.id)).status).toBe(303)
    const rows = await shop.db.selectFrom('prescriptions').select('patientId').orderBy('number').execute()
    expect(rows.map(({ patientId }) => patientId)).toEqual([leo, null])
  })

  test('a form submitted twice at once creates one prescription, and both requests redirect', async () => {
    const shop = await openShop()
    const visitor = await person(shop, { idDocument: true })
    const form = { ...(await formOf(visitor)), fileUrl: samplePdf() }
    const answers = await Promise.all([1, 2].map(() => postForm(visitor, '/prescriptions/upload', form)))
    answers.push(await postForm(visitor, '/prescriptions/upload', form))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await (await visitor.get('/api/prescriptions')).json()).toHaveLength(1)
  })

  test('a form of another account stores no prescription', async () => {
    const shop = await openShop()
    const [shown, current] = [await person(shop), await person(shop, { idDocument: true })]
    const { userId, formId } = await formOf(shown)
    expect(userId).toBe(shown.id)
    const form = { userId, formId, doctorName: 'Dr. Ada', fileUrl: samplePdf() }
    const response = await postForm(current, '/prescriptions/upload', form)
    expect(response.status).toBe(409)
    const html = await response.text()
    expect(readMain(html)).toContain('signed in to a different account')
    expect(html).toContain(`name="userId" value="${shown.id}"`)
    expect(await (await current.get('/api/prescriptions')).json()).toEqual([])
  })

  test('a refused form shows the documented message and keeps the details and the file', async () => {
    const shop = await openShop()
    const visitor = await person(shop)
    const typed = { doctorName: 'Dr. <Ada>', prescriptionDate: '2026-02-30', notes: 'with food' }
    const post = async (fields: Record<string, string | Buffer>) => {
      const form = { ...(await formOf(visitor)), ...fields }
      const response = await postForm(visitor, '/prescriptions/upload', form)
      const html = await response.text()
      return { status: response.status, html, text: readMain(html) }
    }
    const withoutId = await post({ ...typed, prescriptionDate: '', fileUrl: samplePdf() })
    expect(withoutId.status).toBe(409)
    expect(withoutId.html).toContain(
      'href="/profile#id-document-verification" class="text-link">Please upload your ID document first from your profile page<',
    )

    await addIdDocument(shop.db, visitor.id)
    const missing = await post({ ...typed, prescriptionDate: '', fileUrl: Buffer.alloc(0) })
    expect(missing.status).toBe(422)
    expect(missing.text).toMatch(/Missing File .*Please upload a prescription file first/)
    expect(missing.html).toContain('value="Dr. &lt;Ada&gt;"')

    const wrongType = await post({ ...typed, prescriptionDate: '', fileUrl: Buffer.from('MZ not a PDF') })
    expect(wrongType.status).toBe(415)
    expect(wrongType.text).toContain('Upload Failed')
    expect(wrongType.html).toContain('with food')

    const future = await post({ ...typed, prescriptionDate: '2999-01-01', fileUrl: samplePdf() })
    expect(future.status).toBe(422)
    expect(future.text).toMatch(/hasn’t been submitted yet The prescription date can’t be in the future\./)

    const wrongDate = await post({ ...typed, fileUrl: samplePdf() })
    expect(wrongDate.status).toBe(422)
    expect(wrongDate.text).toContain('Enter a date like 2026-01-31.')
    expect(wrongDate.text).toContain('Your file is uploaded.')
    expect(wrongDate.html).toContain('value="Dr. &lt;Ada&gt;"')
    const reference = /name="fileUrl" value="([^"]+)"/.exec(wrongDate.html)?.[1] ?? ''
    expect(reference).not.toBe('')
    const corrected = await post({ ...typed, prescriptionDate: '2026-01-02', fileUrl: reference })
    expect(corrected.status).toBe(303)
    expect(await statusOf(postForm(shop.visit(), '/prescriptions/upload', typed))).toBe(401)
  })

  test('the text fields of a file form have a size limit, and a visitor’s form is not read', async () => {
    const shop = await openShop()
    const visitor = await person(shop, { idDocument: true })
    const text = 'x'.repeat(20_000)
    const sent = { notes: text, doctorName: text }
    expect(await statusOf(postForm(visitor, '/prescriptions/upload', sent))).toBe(422)
    const long = [
      { ...sent, prescriptionDate: text, expiryDate: text },
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}${'n'.repeat(4000)}`, ''])),
    ]
    for (const form of long) {
      expect(await statusOf(postForm(visitor, '/prescriptions/upload', form))).toBe(413)
      expect(await statusOf(postForm(shop.visit(), '/prescriptions/upload', form))).toBe(401)
    }
  })
})
