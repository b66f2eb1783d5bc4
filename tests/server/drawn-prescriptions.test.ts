import { drawPrescription } from '#db/seed/prescription-files/draw-prescription.ts'
import type { PrescriptionText } from '#db/seed/prescription-files/prescription-text.ts'
import { printPrescription } from '#db/seed/demo-documents.ts'
import { cleanStream, fileRules } from '#server/files/clean-stream.ts'
import { inspectPdf } from '#server/files/inspect-pdf.ts'
import { expect, test } from 'vitest'

const prescription: PrescriptionText = {
  prescriber: {
    name: 'Dr. Priya Natarajan',
    clinic: 'Harbor Street Family Medicine',
    address: '48 Harbor Street, Portland, ME 04101',
    phone: 'Tel. (207) 555-0177',
    license: 'NPI 1234567893',
  },
  patient: { name: 'Walter Quinn', address: '7 Fern Road, Madison, WI 53703', birthDate: '5/2/1961' },
  written: new Date('2026-01-09T12:00:00Z'),
  items: [{ drug: 'Metformin 500 mg tab', directions: '1 tab po bid', quantity: '#60', refills: 'RF 2' }],
}

async function inspect(file: Buffer) {
  const cleaned = { byteSize: 0, contentType: null }
  const chunks: Uint8Array[] = []
  for await (const bytes of cleanStream([file], fileRules, cleaned)) chunks.push(bytes)
  return { ...cleaned, isUnchanged: Buffer.concat(chunks).equals(file) }
}

test('a drawn prescription is a picture that the shop accepts as it is, with the date it was given', async () => {
  const handwritten = drawPrescription(prescription, { style: 'handwritten', country: 'US' })
  const typed = drawPrescription(prescription, { style: 'typed', country: 'CA' })
  const later = { ...prescription, written: new Date('2026-02-09T12:00:00Z') }
  for (const file of [handwritten, typed])
    expect(await inspect(file)).toMatchObject({ contentType: 'image/png', isUnchanged: true })
  expect(handwritten.equals(drawPrescription(prescription, { style: 'handwritten', country: 'US' }))).toBe(
    true,
  )
  expect(handwritten.equals(drawPrescription(later, { style: 'handwritten', country: 'US' }))).toBe(false)
})

test('a printed prescription is a PDF that the shop accepts', async () => {
  const file = printPrescription(prescription)
  await inspectPdf(file)
  expect(await inspect(file)).toMatchObject({ contentType: 'application/pdf', isUnchanged: true })
  expect(file.toString('latin1')).toMatch(/Written: 1\/9\/2026[^]*#60 {3}RF 2/)
})
