/**
 * Where a medicine acts, by the product's route. `systemic`: it reaches the whole body. `absorbed`:
 * a part of it does. `surface`: it stays where it is applied.
 */
const reaches: Readonly<Record<string, 'absorbed' | 'surface'>> = {
  nasal: 'absorbed',
  inhalation: 'absorbed',
  vaginal: 'absorbed',
  dialysis: 'absorbed',
  topical: 'surface',
  ophthalmic: 'surface',
  otic: 'surface',
  dental: 'surface',
  urethral: 'surface',
  irrigation: 'surface',
}

/** An unknown route counts as systemic: a warning too many costs a look. */
export const reachOf = (route: string | null): 'systemic' | 'absorbed' | 'surface' =>
  reaches[route ?? ''] ?? 'systemic'

/**
 * Whether the same ingredient by two routes is taken twice. Topical hydrocortisone is no duplicate
 * of oral hydrocortisone (`apart`); a nasal triptan and a tablet may be one (`partly`).
 */
export function compareRoutes(a: string | null, b: string | null): 'same' | 'partly' | 'apart' {
  const [reachA, reachB] = [reachOf(a), reachOf(b)]
  if (reachA === 'systemic' && reachB === 'systemic') return 'same'
  if (a === b) return 'same'
  return reachA === 'surface' || reachB === 'surface' ? 'apart' : 'partly'
}
