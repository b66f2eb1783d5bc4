import { dosageForms } from '#domain/catalog/catalog.ts'
import { findPictureKind } from '#domain/catalog/picture-kind.ts'
import { routeGroups, routeLabel } from '#server/catalog/directory/routes.ts'
import { illustrationSvg } from '#domain/catalog/illustration-drawing.ts'
import { illustrationAlt, illustrationHash, type Illustration } from '#domain/catalog/illustration.ts'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const metformin: Illustration = {
  name: 'Metformin',
  route: 'oral',
  form: 'tablet',
  strength: '500',
  strengthUnit: 'mg',
  isBrand: false,
  packageSize: 30,
  packageUnit: 'tablet',
}

test('every dosage form has a picture that carries the name and the strength', () => {
  for (const form of [...dosageForms, null]) {
    const svg = illustrationSvg({ ...metformin, form })
    expect(svg).toContain('>Metformin</text>')
    expect(svg).toContain('>500 mg</text>')
  }
})

const routes = [...routeGroups.map(routeLabel), 'another route']
const kindOf = (route: string | null, form: Illustration['form']) => {
  const { container, sign } = findPictureKind(route, form)
  return [container, sign].filter(Boolean).join(' + ')
}

test('only what is taken by mouth is drawn with a tablet, a capsule or a dosing cup', () => {
  for (const route of routes) {
    for (const form of [...dosageForms, null]) {
      const { sign } = findPictureKind(route, form)
      const isSwallowed = sign === 'tablet' || sign === 'capsule' || sign === 'cup'
      expect(isSwallowed && !['oral', null, 'another route'].includes(route), `${route}, ${form}`).toBe(false)
      if (sign === 'cup') expect(route).toBe('oral')
    }
  }
})

test.each([
  ['topical', 'liquid', 'flip-top + skin'],
  ['topical', 'cream', 'tube + smear'],
  ['oral', 'tablet', 'bottle + tablet'],
  ['oral', 'capsule', 'bottle + capsule'],
  ['oral', 'syrup', 'liquid + cup'],
  ['ophthalmic', 'liquid', 'dropper + eye'],
  ['ophthalmic', 'ointment', 'tube + eye'],
  ['otic', 'liquid', 'pipette + ear'],
  ['nasal', 'liquid', 'spray + nose'],
  ['inhalation', 'inhaler', 'inhaler'],
  ['inhalation', 'capsule', 'inhaler'],
  ['inhalation', 'liquid', 'ampoules'],
  ['injection', 'injection', 'vial'],
  ['rectal', 'suppository', 'suppositories'],
  ['rectal', 'liquid', 'enema'],
  ['vaginal', 'tablet', 'applicator'],
  ['transdermal', 'patch', 'patch'],
  ['topical', 'tablet', 'carton + skin'],
] as const)('%s %s is drawn as %s', (route, form, expected) => {
  expect(kindOf(route, form)).toBe(expected)
})

test('every route and form of the committed catalog has a picture of its own', () => {
  const { products } = JSON.parse(readFileSync('db/seed/demo-catalog.json', 'utf8')) as {
    products: { route: string | null; variants: { dosageForm: Illustration['form'] }[] }[]
  }
  const neutral = products.flatMap(({ route, variants }) =>
    variants.flatMap(({ dosageForm }) =>
      kindOf(route, dosageForm).startsWith('carton') ? [`${route} ${dosageForm}`] : [],
    ),
  )
  // Inserts and powders, whose shape their forms do not tell.
  expect([...new Set(neutral)].toSorted()).toEqual([
    'dental suppository',
    'ophthalmic injection',
    'ophthalmic patch',
    'urethral suppository',
  ])
})

test('a brand has a carton behind the container and a generic has none', () => {
  expect(illustrationSvg({ ...metformin, isBrand: true }).match(/Metformin/g)).toHaveLength(2)
  expect(illustrationSvg(metformin).match(/Metformin/g)).toHaveLength(1)
})

test('the hue depends on name and form, so all strengths of a product look alike', () => {
  const colors = (input: Illustration) => illustrationSvg(input).match(/#[0-9a-f]{6}/g)
  expect(colors({ ...metformin, strength: '850' })).toEqual(colors(metformin))
  const names = [
    'Ibuprofen',
    'Amoxicillin',
    'Atorvastatin',
    'Lisinopril',
    'Omeprazole',
    'Sertraline',
    'Warfarin',
  ]
  expect(new Set(names.map((name) => String(colors({ ...metformin, name })))).size).toBeGreaterThan(3)
})

test('the hash changes with what is shown and with nothing else', () => {
  expect(illustrationHash({ ...metformin })).toBe(illustrationHash(metformin))
  for (const other of [
    { name: 'Metformine' },
    { strength: '850' },
    { isBrand: true },
    { form: 'capsule' as const },
  ]) {
    expect(illustrationHash({ ...metformin, ...other })).not.toBe(illustrationHash(metformin))
  }
  expect(illustrationHash(metformin)).toMatch(/^[0-9a-z]{1,7}$/)
})

test('the alt text contains name, strength, form and the word illustration', () => {
  expect(illustrationAlt(metformin)).toBe('Metformin, 500 mg, tablet, illustration')
  expect(illustrationAlt({ ...metformin, strength: '', strengthUnit: '', form: null })).toBe(
    'Metformin, illustration',
  )
})

test('any text becomes well-formed XML without markup of its own', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 300 })
  fc.assert(
    fc.property(
      anyText,
      anyText,
      fc.constantFrom(...dosageForms, null),
      fc.boolean(),
      (name, strength, form, brand) => {
        const svg = illustrationSvg({ ...metformin, name, strength, form, isBrand: brand })
        const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)]
        expect(svg.split('<text').length - 1).toBe(texts.length)
        for (const [, text = ''] of texts) {
          expect(text.isWellFormed()).toBe(true)
          expect(text).not.toMatch(/[\u0000-\u001f]|&(?!#\d+;)/)
        }
        expect(svg).not.toMatch(/NaN|undefined|<script|href/)
      },
    ),
  )
})

test('a picture is about half a kilobyte on the wire', () => {
  for (const form of dosageForms) {
    const svg = illustrationSvg({
      ...metformin,
      name: 'Hydrochlorothiazide; Lisinopril',
      form,
      isBrand: true,
    })
    expect(gzipSync(svg).length).toBeLessThan(800)
  }
})
