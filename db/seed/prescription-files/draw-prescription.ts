import { photographSheet, type Picture } from './picture.ts'
import { writtenDate, type Country, type PrescriptionText } from './prescription-text.ts'
import { writeText, type Hand } from './write-text.ts'

/** How the form was filled in. */
type Style = 'handwritten' | 'typed'

const ruled = 1.6
const print: Hand = { ink: 'print', size: 15, thickness: 2 }
const heading: Hand = { ink: 'print', size: 26, thickness: 3.4 }
const small: Hand = { ink: 'print', size: 11, thickness: 1.6 }
const handwriting: Hand = { ink: 'pen', size: 27, thickness: 3, unsteady: 1, slant: 0.2 }
const typewriting: Hand = { ink: 'print', size: 19, thickness: 2.4, isMonospaced: true }

const margin = 50

function rule(picture: Picture, y: number, from = margin, to = picture.width - margin): void {
  picture.line(
    [
      [from, y],
      [to, y],
    ],
    'print',
    ruled,
  )
}

/**
 * Draws the photo of a prescription as a PNG. Numbers on it fit the form of its country: an NPI in
 * the US, a license of the province in Canada.
 */
export function drawPrescription(
  { prescriber, patient, written, items }: PrescriptionText,
  { style, country }: { style: Style; country: Country },
): Buffer {
  const isHandwritten = style === 'handwritten'
  const picture = photographSheet(
    isHandwritten
      ? { width: 1000, height: 1160, rotation: -1.8, shadow: 0.34, margin: 42 }
      : { width: 1000, height: 1160, rotation: 1.1, shadow: 0.16, margin: 36 },
  )
  const { width, height } = picture
  const hand = isHandwritten ? handwriting : typewriting
  const center = (text: string, y: number, how: Hand): void => {
    const probe = { ...picture, line: () => {} }
    const textWidth = writeText(probe, text, [0, 0], how)
    writeText(picture, text, [(width - textWidth) / 2, y], how)
  }
  const field = (label: string, value: string, x: number, y: number, to = width - margin): void => {
    const end = writeText(picture, label, [x, y], print)
    rule(picture, y + 6, end + 4, to)
    writeText(picture, value, [end + 14, y], hand)
  }

  center(prescriber.name, 70, heading)
  center(prescriber.clinic, 102, print)
  center(prescriber.address, 130, print)
  center(`${prescriber.phone}   ${prescriber.license}`, 158, print)
  rule(picture, 180)
  field('Patient', patient.name, margin, 232, 610)
  field('Date', writtenDate(written, country), 630, 232)
  field('Address', patient.address, margin, 290)
  field(country === 'US' ? 'DOB' : 'Born', patient.birthDate, margin, 348, 470)
  writeText(picture, '℞', [margin, 430], { ...heading, size: 44, thickness: 4.4 })

  let y = 440
  for (const { drug, directions, quantity, refills } of items) {
    writeText(picture, drug, [150, y], hand)
    writeText(picture, directions, [180, y + 58], hand)
    const end = writeText(picture, quantity, [180, y + 116], hand)
    writeText(picture, refills, [Math.max(end + 60, 420), y + 116], hand)
    y += 205
  }

  const bottom = height - 190
  writeText(picture, '□ May substitute    □ Dispense as written', [margin, bottom], print)
  // The tick in the first box.
  picture.line(
    [
      [margin + 1, bottom - 6],
      [margin + 6, bottom],
      [margin + 16, bottom - 18],
    ],
    'pen',
    3,
  )
  const signature: Hand = { ...handwriting, size: 34, slant: 0.42, unsteady: 1.7, thickness: 3.2 }
  writeText(picture, prescriber.name.replace(/^Dr\. |,.*$/g, ''), [480, bottom + 74], signature)
  rule(picture, bottom + 84, 440)
  writeText(picture, 'Signature', [440, bottom + 106], small)
  center('SAMPLE made for a demo shop. Not a real prescription. All people are made up.', height - 30, small)
  return picture.toPng()
}
