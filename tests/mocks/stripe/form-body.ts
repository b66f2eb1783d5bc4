/** A form value with brackets: `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. */
export type FormValue = string | { [name: string]: FormValue }

/**
 * Parses Stripe's request format: `application/x-www-form-urlencoded` with brackets for nesting.
 */
export function parseForm(text: string): Record<string, FormValue> {
  const form: Record<string, FormValue> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''))
    put(form, [first, ...rest], value)
  }
  return form
}

function put(into: Record<string, FormValue>, [name = '', ...rest]: string[], value: string): void {
  // `expand[]` appends.
  const key = name === '' ? String(Object.keys(into).length) : name
  if (rest.length === 0) {
    into[key] = value
    return
  }
  const inner = into[key]
  const object = typeof inner === 'object' ? inner : {}
  into[key] = object
  put(object, rest, value)
}
