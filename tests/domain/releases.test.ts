import { offerForm } from '#domain/catalog/offer-form.ts'
import { releasesOf } from '#domain/catalog/releases.ts'
import { expect, test } from 'vitest'

test.each([
  ['TABLET', []],
  ['', []],
  ['TABLET, FILM COATED, IMMEDIATE RELEASE', []],
  ['TABLET, FILM COATED, EXTENDED RELEASE', ['extended']],
  ['TABLET (EXTENDED-RELEASE)', ['extended']],
  ['SUSTAINED-RELEASE', ['sustained']],
  ['CONTROLLED RELEASE', ['controlled']],
  ['SLOW RELEASE', ['slow']],
  ['CAPSULE, DELAYED RELEASE', ['delayed']],
  ['CAPSULE, DELAYED REL PELLETS', ['delayed']],
  ['TABLET, ENTERIC COATED', ['enteric']],
  ['INJECTABLE, LIPOSOMAL', ['liposomal']],
  ['TABLET, ORALLY DISINTEGRATING', ['disintegrating']],
  ['TABLET, CHEWABLE, EXTENDED RELEASE', ['chewable', 'extended']],
  ['TABLET, EFFERVESCENT', ['effervescent']],
  ['POWDER, FOR SUSPENSION', ['for suspension']],
  // A word that is on no list still states a release.
  ['TABLET, PROLONGED-RELEASE', ['prolonged']],
  ['TABLET, RELIEF', []],
])('how "%s" releases', (form, releases) => {
  expect(releasesOf(form)).toEqual(releases)
})

const formOf = (labelForm: string | null, dosageForm: 'tablet' | null = null) =>
  offerForm({ dosageForm, labelForm })

test.each([
  ['TABLET', 'tablet'],
  ['TABLET, FILM COATED', 'tablet'],
  ['TABLET, COATED', 'tablet'],
  ['TABLET, SUGAR COATED', 'tablet'],
  ['CAPSULE, GELATIN COATED', 'capsule'],
  ['TABLET (IMMEDIATE-RELEASE)', 'tablet'],
  ['TABLET, EXTENDED RELEASE', 'tablet, extended release'],
  ['TABLET (EXTENDED-RELEASE)', 'tablet, extended release'],
  ['TABLET, CHEWABLE', 'tablet, chewable'],
  ['POWDER, FOR SUSPENSION', 'powder for suspension'],
  ['POWDER FOR SUSPENSION', 'powder for suspension'],
  ['LOTION', 'lotion'],
])('the form of an offer whose label says "%s" is "%s"', (label, form) => {
  expect(formOf(label)).toBe(form)
})

test('extended-release tablets with different coatings are different choices', () => {
  expect(formOf('TABLET, FILM COATED, EXTENDED RELEASE')).toBe('tablet, film coated, extended release')
  expect(formOf('TABLET, FILM COATED, EXTENDED RELEASE')).not.toBe(formOf('TABLET, EXTENDED RELEASE'))
})

test('without a label, the form is the shop’s own, or empty', () => {
  expect(formOf(null, 'tablet')).toBe('tablet')
  expect(formOf('CAPSULE', 'tablet')).toBe('capsule')
  expect(formOf(null)).toBe('')
})
