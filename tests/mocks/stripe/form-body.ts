/** A value of a form with brackets: `a[b][0]=c` is `{ a: { b: ['c'] } }`, with the list as an object of its indexes. */
export type FormValue = string | { [name: string]: FormValue }

/** Reads what Stripe's API takes, `application/x-www-form-urlencoded` with brackets for what is nested. */
export function parseForm(text: string): Record<string, FormValue> {
  const form: Record<string, FormValue> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''))
    put(form, [first, ...rest], value)
  }
  return form
}

function put(into: Record<string, FormValue>, [name = '', ...rest]: string[], value: string): void {
  // `expand[]` counts up.
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
