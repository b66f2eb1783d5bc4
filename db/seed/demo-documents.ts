import { writtenDate, type PrescriptionText } from './prescription-files/prescription-text.ts'

/**
 * Creates a one-page PDF 1.4 with standard fonts. Composed here so that it contains nothing else.
 */
function createPage(heading: string, lines: readonly string[]): Buffer {
  const escaped = [heading, '', ...lines].map((line) => line.replace(/[\\()]/g, '\\$&'))
  const text = [
    'BT /F1 14 Tf 24 366 Td 20 TL',
    ...escaped.map((line, i) => `${i === 1 ? '/F1 11 Tf ' : ''}(${line}) Tj T*`),
    'ET',
  ].join('\n')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 420]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>\nstream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.indexOf('xref\n')}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

export const printIdentityCard = ({ name, born, city }: Record<'name' | 'born' | 'city', string>): Buffer =>
  createPage('SAMPLE IDENTITY CARD', [name, `Born ${born}`, city, '', 'Made for the demo. Not a real ID.'])

/** An electronic prescription, printed by the prescriber's software. */
export function printPrescription({ prescriber, patient, written, items }: PrescriptionText): Buffer {
  return createPage('SAMPLE PRESCRIPTION', [
    `${prescriber.name}, ${prescriber.clinic}`,
    prescriber.address,
    `${prescriber.phone}   ${prescriber.license}`,
    '',
    `Patient: ${patient.name}, born ${patient.birthDate}`,
    patient.address,
    `Written: ${writtenDate(written, 'US')}`,
    ...items.flatMap(({ drug, directions, quantity, refills }) => [
      '',
      drug,
      directions,
      `${quantity}   ${refills}`,
    ]),
    '',
    'Made for the demo. Not for clinical use.',
  ])
}
