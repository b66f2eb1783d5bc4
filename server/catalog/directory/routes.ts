/**
 * Route of administration, part of a product's identity. Both directories' routes map to these
 * groups.
 */
export const routeGroups = [
  'injection',
  'inhalation',
  'ophthalmic',
  'otic',
  'nasal',
  'dental',
  'oromucosal',
  'oral',
  'vaginal',
  'rectal',
  'urethral',
  'dialysis',
  'irrigation',
  'transdermal',
  'topical',
  'unstated',
] as const
export type RouteGroup = (typeof routeGroups)[number]

const groupByRoute: Readonly<Record<string, RouteGroup>> = {
  'RESPIRATORY (INHALATION)': 'inhalation',
  INHALATION: 'inhalation',
  INTRATRACHEAL: 'inhalation',
  ENDOTRACHEAL: 'inhalation',
  INTRABRONCHIAL: 'inhalation',
  OPHTHALMIC: 'ophthalmic',
  CONJUNCTIVAL: 'ophthalmic',
  'AURICULAR (OTIC)': 'otic',
  OTIC: 'otic',
  NASAL: 'nasal',
  INTRANASAL: 'nasal',
  DENTAL: 'dental',
  PERIODONTAL: 'dental',
  SUBGINGIVAL: 'dental',
  INTRAGINGIVAL: 'dental',
  SUBLINGUAL: 'oromucosal',
  BUCCAL: 'oromucosal',
  TRANSMUCOSAL: 'oromucosal',
  OROPHARYNGEAL: 'oromucosal',
  ORAL: 'oral',
  NASOGASTRIC: 'oral',
  INTRAGASTRIC: 'oral',
  GASTRIC: 'oral',
  ENTERAL: 'oral',
  VAGINAL: 'vaginal',
  INTRAUTERINE: 'vaginal',
  INTRACERVICAL: 'vaginal',
  RECTAL: 'rectal',
  URETHRAL: 'urethral',
  URETERAL: 'urethral',
  INTRAVESICAL: 'urethral',
  HAEMODIALYSIS: 'dialysis',
  'HAEMODIALYSIS (INTRAPERITONEAL)': 'dialysis',
  HEMODIALYSIS: 'dialysis',
  INTRAPERITONEAL: 'dialysis',
  EXTRACORPOREAL: 'dialysis',
  IRRIGATION: 'irrigation',
  INSTILLATION: 'irrigation',
  TRANSDERMAL: 'transdermal',
  CUTANEOUS: 'topical',
  'OCCLUSIVE DRESSING TECHNIQUE': 'topical',
}

/** All other routes need a needle: intravenous, epidural, intravitreal, infiltration … */
const byNeedle =
  /^(?:INTRA|SUB|PERI|EPIDURAL|INFILTRATION|BLOCK|PARENTERAL|PERCUTANEOUS|SOFT TISSUE|RETROBULBAR|INTERSTITIAL)/

function matchRoute(route: string): RouteGroup | null {
  const known = groupByRoute[route]
  if (known) return known
  if (route.startsWith('TOPICAL')) return 'topical'
  return byNeedle.test(route) ? 'injection' : null
}

/**
 * The group of a directory's routes ("INTRAMUSCULAR; INTRAVENOUS"). Of several, the first in
 * `routeGroups` wins, so that an inhaler "ORAL; INHALATION" is inhaled and an enema "ORAL; RECTAL"
 * can be drunk. Without a known route the form decides where possible.
 */
export function findRouteGroup(routes: string, form = '', contents = ''): RouteGroup {
  const groups = new Set(
    routes
      .toUpperCase()
      .split(';')
      .map((route) => matchRoute(route.trim())),
  )
  const stated = routeGroups.find((group) => groups.has(group))
  if (stated) return stated
  const words = `${form} ${contents}`.toUpperCase()
  if (/TABLET|CAPSULE|BLISTER|DIALPACK|LOZENGE/.test(words)) return 'oral'
  if (/INJECT|SYRINGE|VIAL|AMPULE|CARTRIDGE/.test(words)) return 'injection'
  if (/PATCH/.test(words)) return 'transdermal'
  if (/CREAM|OINTMENT|LOTION|SHAMPOO/.test(words)) return 'topical'
  if (/\bGAS\b/.test(words)) return 'inhalation'
  return 'unstated'
}

/** The route's label on pages. Null when unknown. */
export const routeLabel = (group: RouteGroup): string | null =>
  group === 'unstated' ? null : group === 'oromucosal' ? 'buccal or sublingual' : group
