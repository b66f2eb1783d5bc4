import type { FormValue } from './form-body.ts'
import { notSimulated, StripeMockError } from './mock-error.ts'

/** A parameter's type: a scalar, a list, or an object with its own parameters. */
export type Known = 'string' | 'integer' | 'boolean' | 'map' | [Known] | { [name: string]: Known }

export type Parameters = {
  takes: Record<string, Known>
  required?: readonly string[]
  /** Documented parameters that this mock does not simulate. */
  others?: readonly string[]
}

export type Given = string | number | boolean | Given[] | { [name: string]: Given }

/**
 * Validates a call's parameters against the documented ones. Rejects an unknown name like Stripe
 * (https://docs.stripe.com/error-codes#parameter-unknown).
 */
export function readParameters(
  form: Record<string, FormValue>,
  { takes, required = [], others = [] }: Parameters,
): Record<string, Given> {
  for (const name of Object.keys(form)) {
    if (!(name in takes) && others.includes(name)) throw notSimulated(name)
  }
  const read = readObject(form, takes, '')
  for (const name of required) {
    if (read[name] === undefined) {
      throw new StripeMockError(400, `Missing required param: ${name}.`, {
        code: 'parameter_missing',
        param: name,
      })
    }
  }
  return read
}

function readObject(
  form: Record<string, FormValue>,
  takes: Record<string, Known>,
  path: string,
): Record<string, Given> {
  const read: Record<string, Given> = {}
  for (const [name, value] of Object.entries(form)) {
    const param = path === '' ? name : `${path}[${name}]`
    const known = takes[name]
    if (known === undefined) {
      throw new StripeMockError(400, `Received unknown parameter: ${param}`, {
        code: 'parameter_unknown',
        param,
      })
    }
    read[name] = readValue(value, known, param)
  }
  return read
}

function readValue(value: FormValue, known: Known, param: string): Given {
  if (known === 'string' || known === 'integer' || known === 'boolean') {
    if (typeof value !== 'string') throw invalid(`Invalid ${known}`, param)
    return readScalar(value, known, param)
  }
  if (typeof value === 'string')
    throw invalid(Array.isArray(known) ? 'Invalid array' : 'Invalid object', param)
  if (Array.isArray(known)) {
    return Object.entries(value).map(([index, item]) => readValue(item, known[0], `${param}[${index}]`))
  }
  if (known === 'map') return readMap(value, param)
  return readObject(value, known, param)
}

function readScalar(value: string, known: 'string' | 'integer' | 'boolean', param: string): Given {
  if (value === '') {
    const message = `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset.`
    throw new StripeMockError(400, message, { code: 'parameter_invalid_empty', param })
  }
  if (known === 'string') return value
  if (known === 'boolean') {
    if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, param)
    return value === 'true'
  }
  if (!/^-?\d{1,15}$/.test(value)) {
    throw new StripeMockError(400, `Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param })
  }
  return Number(value)
}

/** https://docs.stripe.com/metadata: 50 keys of 40 characters, values of 500. */
function readMap(map: Record<string, FormValue>, param: string): Record<string, string> {
  const entries = Object.entries(map).map(([key, value]): [string, string] => {
    if (typeof value !== 'string' || value.length > 500 || key.length > 40) {
      throw invalid('Metadata keys have at most 40 characters, values at most 500', `${param}[${key}]`)
    }
    return [key, value]
  })
  if (entries.length > 50) throw invalid('Metadata can have at most 50 keys', param)
  return Object.fromEntries(entries)
}

const invalid = (message: string, param: string): StripeMockError =>
  new StripeMockError(400, message, { param })

/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export function checkAmount(amount: number, param = 'amount'): void {
  if (amount < 1)
    throw new StripeMockError(400, 'Invalid positive integer', { code: 'parameter_invalid_integer', param })
  if (amount < 50) {
    throw new StripeMockError(400, 'Amount must be at least $0.50 usd', { code: 'amount_too_small', param })
  }
  if (amount > 99_999_999) {
    throw new StripeMockError(400, 'Amount must be no more than $999,999.99', {
      code: 'amount_too_large',
      param,
    })
  }
}
