import { hostileJson, hostileTexts } from './hostile-values.ts'
import type { RouteWords } from './route-words.ts'
import type { Random } from '#domain/seeded-random.ts'

/** What a plausible value is made of: the ids that the shop has, by what is in a path or a name. */
export type KnownIds = Readonly<Record<string, readonly [string, ...string[]]>>

function anyId(random: Random, ids: KnownIds): string {
  const [first = ['x'], ...others] = Object.values(ids)
  return random.pick(random.pick([first, ...others] as [typeof first, ...(typeof first)[]]))
}

/** The id that the text before it asks for: `/orders/` an order's, `variantId` a variant's. */
function plausibleId(random: Random, ids: KnownIds, context: string): string {
  const pools = Object.entries(ids).filter(([kind]) => context.toLowerCase().includes(kind))
  const [, pool] = pools.at(-1) ?? []
  return pool && random.chance(0.9) ? random.pick(pool) : anyId(random, ids)
}

type Source = {
  random: Random
  ids: KnownIds
  words: RouteWords
  /** The values that the forms of the route's page have, by name. */
  formValues: GeneratedRoute['formValues']
}

const orHostile = (words: readonly string[]): [string, ...string[]] => [words[0] ?? 'x', ...words.slice(1)]

/** A value that the field could have. */
function plausible({ random, ids, words, formValues }: Source, name: string): string {
  const [value, ...values] = formValues.get(name) ?? []
  if (value !== undefined && random.chance(0.8)) return random.pick([value, ...values])
  if (/email/i.test(name)) return random.pick(['zoe@customer.example', 'a@b.example'])
  // Too short to be hashed, which takes a hundred times as long as everything else.
  if (/password/i.test(name)) return random.chance(0.02) ? 'four common words' : 'short'
  if (/ids?$/i.test(name)) return plausibleId(random, ids, name)
  if (/date|at$|until|since|from|to$|birth/i.test(name)) return random.pick(['2026-01-02', '1980-12-31'])
  if (/price|amount|cost|total/i.test(name)) return random.pick(['9.99', '0.01', '100'])
  if (/quantity|count|stock|limit|number|size|version|page|level|step/i.test(name))
    return random.pick(['1', '2', '50'])
  if (/url|returnTo|path/i.test(name)) return random.pick(['/products', 'https://shop.example/a.png'])
  if (/^(is|has|in|requires)[A-Z]|enabled|confirm/.test(name)) return random.pick(['true', 'false', 'on'])
  return random.chance(0.7)
    ? random.pick(orHostile(words.literals))
    : random.pick(['Zoë O’Hara', 'Boston', 'MA', '02115'])
}

function plausibleJson(source: Source, name: string): string {
  const text = plausible(source, name)
  if (source.random.chance(0.15)) return source.random.pick(['null', 'true', 'false', '1', '[]', '{}'])
  if (/^(true|false)$/.test(text)) return text
  return /^\d+$/.test(text) && source.random.chance(0.7) ? text : JSON.stringify(text)
}

const hostileOr = (source: Source, name: string, hostility: number): string =>
  source.random.chance(hostility) ? source.random.pick(hostileTexts) : plausible(source, name)

/** Some of the names, and sometimes one that no schema has. */
function pickNames({ random, words }: Source, names: readonly string[]): string[] {
  const share = random.pick([1, 1, 0.6, 0.3])
  const picked = names.filter(() => random.chance(share))
  if (random.chance(0.1)) picked.push(random.pick(orHostile(words.names)))
  if (random.chance(0.05))
    picked.push(random.pick(['__proto__', 'constructor', '__intent__', 'a[0].b', 'a.b', '', '\0']))
  if (random.chance(0.1) && picked[0] !== undefined) picked.push(picked[0])
  return picked
}

/** At most one or two fields are hostile, so that the others do not hide what these do. */
const hostilityOf = (random: Random): number => random.pick([0, 0.1, 0.1, 0.3, 1])

/** The part of JSON Schema that zod writes. */
export type JsonSchema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** A value of the schema in JSON. Each part of it is hostile with the probability `hostility`. */
function schemaJson(source: Source, schema: JsonSchema, name: string, hostility: number): string {
  const { random } = source
  if (random.chance(hostility))
    return random.chance(0.5) ? JSON.stringify(random.pick(hostileTexts)) : random.pick(hostileJson)
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (alternatives?.[0]) return schemaJson(source, random.pick([alternatives[0], ...alternatives]), name, 0)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return JSON.stringify(random.pick([schema.enum[0], ...schema.enum]))
  if (schema.type === 'object') {
    const members = Object.entries(schema.properties ?? {})
      .filter(([key]) => schema.required?.includes(key) || random.chance(0.6))
      .map(([key, value]) => `${JSON.stringify(key)}:${schemaJson(source, value, key, hostility)}`)
    return `{${members.join(',')}}`
  }
  if (schema.type === 'array') {
    const items = Array.from({ length: random.below(4) }, () =>
      schemaJson(source, schema.items ?? {}, name, hostility),
    )
    return `[${items.join(',')}]`
  }
  if (schema.type === 'null') return 'null'
  if (schema.type === 'boolean') return random.pick(['true', 'false'])
  if (schema.type === 'integer' || schema.type === 'number') return random.pick(['0', '1', '2', '50'])
  return JSON.stringify(plausible(source, name))
}

function jsonBody(source: Source, { jsonNames: names, jsonSchema }: GeneratedRoute): string {
  const { random } = source
  if (random.chance(0.08)) return random.pick(hostileJson)
  if (random.chance(0.04))
    return random.pick(['', '{', '{"a":1}}', '\u{feff}{}', "{'a':1}", '{"a":01}', '\0'])
  const hostility = hostilityOf(random)
  if (jsonSchema) return schemaJson(source, jsonSchema, '', hostility / 2)
  const members = pickNames(source, names).map((name) => {
    const hostile = random.chance(0.5) ? JSON.stringify(random.pick(hostileTexts)) : random.pick(hostileJson)
    return `${JSON.stringify(name)}:${random.chance(hostility) ? hostile : plausibleJson(source, name)}`
  })
  return `{${members.join(',')}}`
}

function urlencodedBody(source: Source, { formNames: names }: GeneratedRoute): string {
  const { random } = source
  if (random.chance(0.05))
    return random.pick(['&&&&', '=', '%', '%zz=%', 'a=%ff%fe', 'a=b'.repeat(20_000), '&a'.repeat(400)])
  const hostility = hostilityOf(random)
  return new URLSearchParams(
    pickNames(source, names).map((name) => [name, hostileOr(source, name, hostility)]),
  ).toString()
}

function multipartBody(source: Source, { formNames: names }: GeneratedRoute): string {
  const { random } = source
  if (random.chance(0.05))
    return random.pick(['', '--b', '--b--', '--b\r\n\r\n', '--b\r\nContent-Disposition: x\r\n\r\n1'])
  const hostility = hostilityOf(random)
  const parts = pickNames(source, names).map((name) => {
    const file = random.chance(0.1)
      ? `; filename="${random.pick(['a.pdf', '', '..\\a\0.png', 'a'.repeat(500)])}"`
      : ''
    const type = random.chance(0.1)
      ? `\r\nContent-Type: ${random.pick(['text/html', 'application/pdf', 'x', ''])}`
      : ''
    const head = `Content-Disposition: form-data; name="${name}"${file}${type}`
    return `--b\r\n${head}\r\n\r\n${hostileOr(source, name, hostility)}\r\n`
  })
  return `${parts.join('')}${random.chance(0.95) ? '--b--\r\n' : ''}`
}

export type GeneratedRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** What is known about a route: its path, the words of its code, and the fields of its bodies. */
export type GeneratedRoute = {
  path: string
  words: RouteWords
  /** The fields of a JSON body. */
  jsonNames: readonly string[]
  /** The schema of a JSON body, if it is known. */
  jsonSchema?: JsonSchema
  /** The fields of its page's forms, and the values that these have. */
  formNames: readonly string[]
  formValues: ReadonlyMap<string, readonly string[]>
}

const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  parts: 'multipart/form-data; boundary=b',
} as const

const wrongTypes = [
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'application/json; charset=utf-7',
  'application/x-www-form-urlencoded; charset=ibm500',
  'application/octet-stream',
  '/',
  ';',
] as const

function pathOf(source: Source, path: string): string {
  const { random } = source
  const filled = path
    .replaceAll(/([^/]*)\/:(\w+)/g, (_, before: string, name: string) => {
      const value = random.chance(0.75)
        ? plausibleId(source.random, source.ids, `${before} ${name}`)
        : encodeURIComponent(random.pick(hostileTexts).toWellFormed()).slice(0, 3000)
      return `${before}/${random.chance(0.03) ? random.pick(['%00', '%ff', '%', '.', '%2e%2e', '%2F', ';']) : value}`
    })
    .replace('*', () =>
      random.pick(['nowhere', '%00', '%ff', 'a/b/c', '.env', 'wp-login.php', '%2e%2e%2fetc']),
    )
  if (random.chance(0.02)) return `${filled}/`
  if (random.chance(0.02)) return filled.toUpperCase()
  return filled
}

function queryOf(source: Source): string {
  const { random, words } = source
  if (random.chance(0.5)) return ''
  if (random.chance(0.05))
    return random.pick(['?', '?&&&', '?%', '?a=%ff', `?${'a&'.repeat(2000)}`, '?__proto__[x]=1'])
  const hostility = hostilityOf(random)
  const names = [
    'search',
    'q',
    'limit',
    'after',
    'sort',
    'page',
    'returnTo',
    'token',
    ...words.names,
    ...words.literals,
  ]
  const query = new URLSearchParams()
  for (let i = random.below(4); i >= 0; i--) {
    const name = random.pick(orHostile(names))
    query.append(name, hostileOr(source, name, hostility))
  }
  return `?${query}`
}

function headersOf({ random, ids }: Source): Record<string, string> {
  const headers: Record<string, string> = {}
  const set = (name: string, values: readonly [string, ...string[]]): void => {
    if (random.chance(0.04)) headers[name] = random.pick(values)
  }
  set('accept', ['application/json', '*/*;q=', 'x'.repeat(2000), ','.repeat(2000)])
  set('accept-language', ['xx', '*', 'de-DE;q=9', ','.repeat(2000)])
  set('if-none-match', ['*', '"x"', 'W/', '"'.repeat(2000), 'W/"a", '.repeat(300)])
  set('if-modified-since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'])
  set('range', ['bytes=0-0', 'bytes=-1', `bytes=${'0-,'.repeat(1000)}`, 'bytes=9999999999999999999-'])
  set('cookie', [
    'session=x',
    'cart=%',
    'cart=%ff; theme=x; cart=',
    `cart=${anyId(random, ids)}`,
    '='.repeat(3000),
    ';'.repeat(3000),
  ])
  set('x-forwarded-for', ['1.2.3.4', '::1', ','.repeat(2000), 'x'])
  set('x-request-id', ['12345678', ' ', 'x'.repeat(2000)])
  set('user-agent', ['x'.repeat(4000), '\u{ff}', '('.repeat(3000)])
  set('referer', ['https://evil.example', '%', '/'])
  set('purpose', ['prefetch'])
  set('sec-purpose', ['prefetch'])
  set('transfer-encoding', ['chunked', 'x'])
  set('content-length', ['0', '-1', 'x', '99999999999'])
  set('expect', ['100-continue'])
  set('x-http-method-override', ['DELETE'])
  set('stripe-signature', ['t=1,v1=0', 't=,v1=', ','.repeat(1000), `t=${'9'.repeat(400)},v1=00`])
  set('if-match', ['"1"', '*'])
  return headers
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * A request to the route. Most of its parts are plausible, so that the others reach the code that
 * reads them.
 * @param answered the methods that the route is known to answer
 */
export function generateRequest(
  random: Random,
  route: GeneratedRoute,
  { ids, origin, answered }: { ids: KnownIds; origin: string; answered: readonly string[] },
): GeneratedRequest {
  const source: Source = { random, ids, words: route.words, formValues: route.formValues }
  const [write = 'POST', ...writes] = answered.filter((method) => method !== 'GET' && method !== 'HEAD')
  // Rendering a page costs the most and reads the least.
  const method = random.chance(0.15)
    ? random.pick(methods)
    : answered.includes('GET') && ((writes.length === 0 && !answered.includes(write)) || random.chance(0.25))
      ? 'GET'
      : random.pick([write, ...writes])
  const path = pathOf(source, route.path)
  const isData = !path.startsWith('/api/') && !path.startsWith('/trpc/') && random.chance(0.9)
  const url = `${path}${isData ? '.data' : ''}${queryOf(source)}`
  const headers = { origin, ...headersOf(source) }
  if (method === 'GET' || method === 'HEAD' || random.chance(0.03)) return { method, path: url, headers }
  const kinds = /^\/(api|trpc)\//.test(path)
    ? (['json', 'json', 'json', 'form', 'parts'] as const)
    : (['form', 'form', 'parts', 'json'] as const)
  const kind = random.pick(kinds)
  const body = { json: jsonBody, form: urlencodedBody, parts: multipartBody }[kind](source, route)
  const type = random.chance(0.06) ? random.pick(wrongTypes) : bodyTypes[kind]
  return { method, path: url, headers: { 'content-type': type, ...headers }, body }
}
