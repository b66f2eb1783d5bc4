import { dosageForms } from '#domain/catalog/catalog.ts'
import { illustrationSvg } from '#domain/catalog/illustration-drawing.ts'
import { illustrationAlt, illustrationHash, type Illustration } from '#domain/catalog/illustration.ts'
import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const metformin: Illustration = {
  name: 'Metformin',
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

test('eight silhouettes cover the eleven forms', () => {
  const withoutColors = (form: Illustration['form']) =>
    illustrationSvg({ ...metformin, form }).replaceAll(/#[0-9a-f]{6}/g, '')
  expect(new Set(dosageForms.map(withoutColors)).size).toBe(8)
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
