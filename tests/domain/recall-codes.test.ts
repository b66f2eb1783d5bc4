import {
  listNdcCodes,
  listRecalledCodes,
  listShopCodes,
  toItemValue,
  toLotKey,
  toPackageDigits,
  toProductDigits,
  toVariantId,
  variantCode,
} from '#domain/screening/recall-codes.ts'
import { expect, test } from 'vitest'

const recalled = (packages: string[], products: string[], text = '') =>
  listRecalledCodes({ packages, products, text })

test('an NDC is the same eleven digits in each written form', () => {
  for (const ndc of ['0378-1089-05', '00378-1089-05', '00378108905'])
    expect(toPackageDigits(ndc), ndc).toBe('00378108905')
  for (const ndc of ['0378-1089', '00378-1089', '0378-1089-05'])
    expect(toProductDigits(ndc), ndc).toBe('003781089')
})

test('ten bare digits name no package, because three packages may have them', () => {
  expect(toPackageDigits('0378108905')).toBeNull()
  expect([toPackageDigits('no code'), toProductDigits('no code')]).toEqual([null, null])
})

test('a report covers the packages that it names, and all packages of a product without any', () => {
  expect(recalled(['0378-1089-05', '0378-1089-10'], [])).toEqual(['00378108905', '00378108910'])
  expect(recalled([], ['0378-1089'])).toEqual(['003781089'])
  expect(recalled(['0378-1089-05'], ['0378-1089', '0378-2000'])).toEqual(['00378108905', '003782000'])
  expect(recalled(['no code'], ['neither'])).toEqual([])
})

test('a postal code in the text of a report is no product', () => {
  const address = 'Made by Example, Woburn, MA 01801-1042'
  expect(recalled([], ['01801-1042'], address)).toEqual([])
  expect(recalled([], ['01801-1042'], 'Woburn, Ma., 01801-1042')).toEqual(['018011042'])
  expect(recalled([], ['01801-1042'], 'Woburn, MA.,  01801-1042')).toEqual([])
  expect(recalled([], ['01801-1042'], 'NDC 01801-1042')).toEqual(['018011042'])
  expect(recalled([], ['0180-1042'], 'Woburn, MA 0180-1042')).toEqual(['001801042'])
})

test('a package is found by its own eleven digits and its product’s nine', () => {
  expect(listNdcCodes('0378-1089-05')).toEqual(['00378108905', '003781089'])
  expect(listNdcCodes(null)).toEqual([])
})

test('a package with an NDC of ten bare digits is found by each NDC that it may be', () => {
  expect(listNdcCodes('0378108905')).toEqual([
    '00378108905',
    '003781089',
    '03781008905',
    '037810089',
    '03781089005',
    '037810890',
  ])
})

test('lots are compared in upper case, by letters and digits', () => {
  for (const lot of ['AB12', 'ab12', 'ab-12', 'A/B 1.2', 'ＡＢ１２']) expect(toLotKey(lot), lot).toBe('AB12')
  expect(toLotKey('é-7')).toBe('É7')
  expect(toLotKey('AB12')).not.toBe(toLotKey('AB21'))
})

test('a package is also named by its variant, DIN and UPC', () => {
  const codes = listShopCodes({ variantId: 'v1', din: '2237998', upc: '300450449108' })
  expect(codes).toEqual(['variant:v1', 'din:02237998', 'upc:300450449108'])
  expect(listShopCodes({ variantId: null, din: null, upc: null })).toEqual([])
  expect(codes.map(toVariantId)).toEqual(['v1', null, null])
  expect(codes.map(toItemValue)).toEqual([null, '02237998', '300450449108'])
  expect([toVariantId('00378108905'), toItemValue('00378108905')]).toEqual([null, null])
  expect(toVariantId(variantCode('v2'))).toBe('v2')
})
