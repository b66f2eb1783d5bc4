import { DispensingLabel } from '#app/routes/admin/dispensing/DispensingLabel.tsx'
import { LeafletCard } from '#app/routes/admin/dispensing/LeafletCard.tsx'
import { choosePageSize, paperNames, type Paper } from '#app/routes/admin/dispensing/papers.ts'
import { PackingSlip } from '#app/routes/admin/orders/PackingSlip.tsx'
import { ShippingLabel } from '#app/routes/admin/orders/ShippingLabel.tsx'
import { RefillRequest } from '#app/components/dispensing/RefillRequest.tsx'
import { TransferRecord } from '#app/components/dispensing/TransferRecord.tsx'
import type { ItemSheet } from '#domain/dispensing/item-sheet.ts'
import type { PackingSlip as PackingSlipView } from '#domain/orders/packages.ts'
import { sideEffectsStatement, type DispensingLabel as Label } from '#domain/dispensing/label.ts'
import { findChromium } from '#tests/support/chromium.ts'
import { chromium, type Browser } from '@playwright/test'
import { mkdirSync, readFileSync } from 'node:fs'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** As long as labels get: names of 40 characters, directions of three lines, five warnings. */
const longLabel: Label = {
  orderId: '0198',
  lineId: '0199',
  rxNumber: 'Rx 000123',
  patientName: 'Maximiliana Featherstonehaugh-Cholmondeley',
  medicine: {
    name: 'Hydrochlorothiazide, olmesartan medoxomil and amlodipine besylate',
    brandName: null,
    strength: '12.5 mg/40 mg/10 mg',
    form: 'tablet, film coated, extended release',
    labeler: 'International Pharmaceutical Laboratories of North America, Inc.',
    identifier: 'NDC 00000-0000-00',
  },
  genericFor: 'Tribenzor-Hydrochloride Extended',
  quantity: '1,080 tablets',
  daysSupply: 90,
  directions:
    'Take 1 to 2 tablets by mouth every 4 to 6 hours as needed for pain, with food and a full glass of water. Do not take more than 8 tablets in a day.',
  prescriberName: 'Dr. Anneliese Wolfeschlegelsteinhausenbergerdorff',
  filledOn: '2026-11-22',
  refillsLeft: 11,
  storage: 'Store in a refrigerator, 36 to 46 °F (2 to 8 °C).',
  discardAfter: '2027-11-22',
  lot: 'LOT-2026-1234567890-ABCDEFGHIJ-KLMNOP',
  warnings: [
    'May cause drowsiness. Use caution when driving a motor vehicle or operating machinery.',
    'Avoid alcoholic beverages while taking this medicine.',
    'Avoid prolonged exposure to sunlight while taking this medicine.',
    'This medicine may impair your ability to operate a vehicle or vessel.',
    'Swallow whole. Do not chew or crush.',
  ],
  pharmacistPhone: '+1 800 555 0100',
  hasGuideEnclosed: true,
  initials: 'ADM',
  pharmacy: {
    name: 'The Cascade Mountains Mail Order Pharmacy and Dispensary',
    addressLines: [
      '12500 North Cascade Mountains Avenue, Suite 4000',
      'Portland, OR 97201-1234',
      'United States',
    ],
    phone: '+1 503 555 0147',
    licenseNumber: 'OR-RP-0000147-CS',
  },
}

const typicalLabel: Label = {
  ...longLabel,
  patientName: 'Zoë O’Hara',
  medicine: {
    name: 'Lisinopril',
    brandName: null,
    strength: '10 mg',
    form: 'tablet',
    labeler: 'Qualitest Pharmaceuticals',
    identifier: 'NDC 0603-4210-60',
  },
  genericFor: 'Zestril',
  quantity: '30 tablets',
  daysSupply: 30,
  directions: 'Take 1 tablet by mouth twice a day',
  prescriberName: 'Dr. Natarajan',
  storage: 'Store as directed on the package.',
  lot: null,
  warnings: ['Avoid alcoholic beverages while taking this medicine.'],
  hasGuideEnclosed: false,
  pharmacy: {
    name: 'Cascade Mail Pharmacy',
    addressLines: ['1250 Cascade Avenue, Suite 4', 'Portland, OR 97201', 'United States'],
    phone: '+1 503 555 0147',
    licenseNumber: 'DEMO-US-0147',
  },
}

let browser: Browser
beforeAll(async () => {
  const { executablePath, args, env } = await findChromium()
  browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
})
afterAll(() => browser.close())

const style = (name: string): string => readFileSync(`app/print/${name}.css`, 'utf8')

/** Prints a sheet and measures it: pages, the page's size in points, and what sticks out of it. */
async function print(sheet: ReactElement, paper: Paper, label: Label | null = null) {
  const page = await browser.newPage()
  const pageSize = style(label ? choosePageSize(paper, label) : `paper-${paper}`)
  try {
    await page.setContent(
      `<!doctype html><style>body{margin:0}${style('print')}${pageSize}</style>${renderToStaticMarkup(sheet)}`,
    )
    const folder = process.env['PRINT_PICTURES']
    if (folder) {
      mkdirSync(folder, { recursive: true })
      await page.locator('.paper').screenshot({ path: `${folder}/${sheet.key ?? 'sheet'}-${paper}.png` })
    }
    const pdf = await page.pdf({
      preferCSSPageSize: true,
      ...(folder && { path: `${folder}/${sheet.key ?? 'sheet'}-${paper}.pdf` }),
    })
    const text = pdf.toString('latin1')
    const measured = await page.locator('.paper').evaluate((sheet) => {
      const edge = sheet.getBoundingClientRect()
      const points = (selector: string): number => {
        const found = sheet.querySelector(selector)
        return found ? parseFloat(getComputedStyle(found).fontSize) * 0.75 : 0
      }
      return {
        outside: [...sheet.querySelectorAll('*')].filter((one) => {
          const box = one.getBoundingClientRect()
          return (
            box.right > edge.right + 0.5 ||
            box.left < edge.left - 0.5 ||
            one.scrollWidth > one.clientWidth + 1
          )
        }).length,
        text: sheet.textContent ?? '',
        points: {
          patient: points('.rx-patient'),
          medicine: points('.rx-medicine'),
          directions: points('.rx-directions'),
          statement: points('.rx-statement'),
          smallest: Math.min(
            ...[...sheet.querySelectorAll('*')].map(
              (one) => parseFloat(getComputedStyle(one).fontSize) * 0.75,
            ),
          ),
        },
      }
    })
    return {
      ...measured,
      pages: text.match(/\/Type\s*\/Page\b(?!s)/g)?.length,
      size: /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(text)?.slice(1).map(Number),
    }
  } finally {
    await page.close()
  }
}

/** Width and height in points. */
const sizes: Record<Paper, [number, number]> = {
  label: [288, 432],
  roll: [175.7, 737],
  a4: [595.3, 841.9],
  letter: [612, 792],
}

test.each(paperNames)('the longest label fits on one page of %s, in readable type', async (paper) => {
  const printed = await print(
    <DispensingLabel key="label" label={longLabel} paper={paper} isDraft />,
    paper,
    longLabel,
  )
  expect(printed).toMatchObject({ outside: 0, pages: 1 })
  expect(printed.size?.map((points, axis) => Math.abs(points - (sizes[paper][axis] ?? 0)) < 1)).toEqual([
    true,
    true,
  ])
  const { patient, medicine, directions, statement, smallest } = printed.points
  // USP <17>: at least 11 points of a sans-serif type for what the patient needs first.
  for (const points of [patient, medicine, directions]) expect(points).toBeGreaterThanOrEqual(11)
  // 21 CFR 209.10(b): 6 points on a container's label, 10 on a sheet.
  expect(statement).toBeGreaterThanOrEqual(paper === 'label' || paper === 'roll' ? 6 : 10)
  expect(smallest).toBeGreaterThanOrEqual(6)
  for (const text of [
    sideEffectsStatement,
    'Generic for Tribenzor',
    'Discard afterNov 22, 2027',
    'License OR-RP-0000147-CS',
    'Pharmacist: ADM',
    'Refills left11',
    'Rx number000123',
    'DRAFT. Not for dispensing.',
  ]) {
    expect(printed.text).toContain(text)
  }
})

test.each(['a4', 'letter'] as const)('the leaflet fits on one page of %s', async (paper) => {
  const printed = await print(
    <LeafletCard key="leaflet" label={longLabel} paper={paper} isDraft />,
    paper,
    longLabel,
  )
  expect(printed).toMatchObject({ outside: 0, pages: 1 })
  expect(printed.points.statement).toBeGreaterThanOrEqual(10)
  expect(printed.text).toContain('dailymed.nlm.nih.gov')
})

test.each(paperNames)('a typical label fits on one page of %s', async (paper) => {
  const printed = await print(
    <DispensingLabel key="typical" label={typicalLabel} paper={paper} isDraft={false} />,
    paper,
    typicalLabel,
  )
  expect(printed).toMatchObject({ outside: 0, pages: 1 })
  if (paper === 'roll') expect(printed.size?.[1]).toBeCloseTo(425.2, 0)
})

test('directions without end continue on a second label: nothing is cut off', async () => {
  const label = { ...longLabel, directions: `${'Take 1 tablet by mouth every morning. '.repeat(40)}End.` }
  const printed = await print(<DispensingLabel label={label} paper="label" isDraft={false} />, 'label', label)
  expect(printed.outside).toBe(0)
  expect(printed.pages).toBeGreaterThan(1)
})

const sheet: ItemSheet = {
  itemId: '0198',
  prescriptionId: '0199',
  rxNumber: longLabel.rxNumber,
  patientName: longLabel.patientName,
  dateOfBirth: '1961-04-30',
  medicine: longLabel.medicine,
  directions: longLabel.directions,
  quantity: longLabel.quantity,
  daysSupply: 90,
  refills: 11,
  refillsLeft: 0,
  mayBeSubstituted: false,
  prescriberName: longLabel.prescriberName,
  writtenOn: '2026-01-02',
  lastValidOn: '2027-01-02',
  fills: Array.from({ length: 12 }, () => ({ on: '2026-11-22', quantity: '1,080 tablets' })),
  pharmacy: longLabel.pharmacy,
  pharmacistPhone: '+1 800 555 0100',
  closed: { reason: 'Transferred to another pharmacy: Harbor Pharmacy, +1 555 0100', on: '2026-11-22' },
  printedOn: '2026-11-22',
}

test.each(['a4', 'letter'] as const)('the request and the transfer record each fit on %s', async (paper) => {
  const request = await print(<RefillRequest key="request" sheet={sheet} paper={paper} />, paper)
  expect(request).toMatchObject({ outside: 0, pages: 1 })
  const record = await print(<TransferRecord key="transfer" sheet={sheet} paper={paper} />, paper)
  expect(record).toMatchObject({ outside: 0, pages: 1 })
  expect(record.text).toContain('VOID')
})

const slip: PackingSlipView = {
  orderId: '0198-1234567890ab',
  fromLines: longLabel.pharmacy?.addressLines ?? [],
  toLines: [
    longLabel.patientName,
    '12500 North Cascade Mountains Avenue, Apartment 4000',
    'Portland, OR 97201-1234',
    'United States',
  ],
  carrier: 'United States Postal Service',
  trackingNumber: '9400 1000 0000 0000 0000 00',
  placedAt: '2026-11-22T10:00:00.000Z',
  lines: [
    {
      id: '1',
      product: { id: 'p1', name: longLabel.medicine.name, category: 'Rx' },
      variant: {
        brandName: null,
        strength: '12.5/40/10',
        strengthUnit: 'mg',
        dosageForm: 'tablet',
        formDetail: 'film coated, extended release',
        packageSize: 90,
        packageUnit: 'tablet',
      },
      quantity: 12,
      lots: [{ lotId: 'l1', lotNumber: 'LOT-123456789', expiresOn: '2027-06-30', quantity: 7 }],
      enclosures: ['Label', 'Leaflet', 'Medication Guide'],
      problem: null,
      pack: null,
      warning: null,
    },
    {
      id: '2',
      product: { id: 'p2', name: 'Warfarin', category: 'Rx' },
      variant: {
        brandName: 'Coumadin',
        strength: '5',
        strengthUnit: 'mg',
        dosageForm: 'tablet',
        formDetail: '',
        packageSize: 30,
        packageUnit: 'tablet',
      },
      quantity: 1,
      lots: [],
      enclosures: ['Label', 'Leaflet'],
      problem: 'Warfarin waits for a pharmacist.',
      pack: null,
      warning: null,
    },
  ],
}

test('the outside of a package names no medicine: the shipping label and the slip’s first page', async () => {
  const label = await print(<ShippingLabel key="shipping" label={slip} />, 'label')
  expect(label).toMatchObject({ outside: 0, pages: 1 })
  expect(label.text).not.toMatch(/warfarin|hydrochlorothiazide|pharmac/i)
  const printed = await print(<PackingSlip key="slip" slip={slip} paper="letter" />, 'letter')
  expect(printed).toMatchObject({ outside: 0, pages: 2 })
  const [outside = '', inside = ''] = printed.text.split('Contents of order')
  expect(outside).toContain('12500 North Cascade')
  expect(outside).not.toMatch(/warfarin|hydrochlorothiazide|pharmac/i)
  expect(inside).toContain('Don’t pack: Warfarin waits for a pharmacist.')
  expect(printed.text).toContain('12 items in this package')
})
