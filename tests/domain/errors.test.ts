import { AppError, errorCodes, httpStatus, type ErrorCode } from '#domain/errors.ts'
import { expect, test } from 'vitest'

const codes = Object.keys(errorCodes).filter((code): code is ErrorCode => code in errorCodes)

test('every code has an error status and a plain sentence; codes of one status have different sentences', () => {
  for (const code of codes) {
    expect(httpStatus(code)).toBeGreaterThanOrEqual(400)
    expect(httpStatus(code)).toBeLessThan(600)
    expect(errorCodes[code].sentence).toMatch(/^[A-Z][^<>{}]*\.$/)
  }
  const kinds = codes.map((code) => `${httpStatus(code)} ${errorCodes[code].sentence}`)
  expect(new Set(kinds).size).toBe(codes.length)
})

test('an error has the given message, or the sentence of its code', () => {
  expect(new AppError('NOT_FOUND').message).toBe('Not found.')
  expect(new AppError('NOT_FOUND', 'Product not found').message).toBe('Product not found')
})

test('an error carries its fields, its cause and its retry delay', () => {
  const cause = new Error('connection refused')
  const error = new AppError('UNAVAILABLE', undefined, {
    cause,
    retryAfter: 5,
    fields: { quantity: 'Too many.' },
  })
  expect(error).toMatchObject({
    code: 'UNAVAILABLE',
    retryAfter: 5,
    cause,
    fields: { quantity: 'Too many.' },
  })
  expect(new AppError('CONFLICT').fields).toEqual({})
})
