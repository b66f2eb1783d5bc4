import { dosageForms, type Category, type DosageForm } from '#domain/catalog/catalog.ts'

const routePhrases: Readonly<Record<string, string>> = {
  injection: 'given by injection or infusion',
  inhalation: 'for inhalation',
  ophthalmic: 'for the eye',
  otic: 'for the ear',
  nasal: 'for the nose',
  dental: 'for the teeth and gums',
  'buccal or sublingual': 'for use in the cheek or under the tongue',
  oral: 'taken by mouth',
  vaginal: 'for vaginal use',
  rectal: 'for rectal use',
  urethral: 'for the urinary tract',
  dialysis: 'for dialysis',
  irrigation: 'for irrigation',
  transdermal: 'absorbed through the skin',
  topical: 'for use on the skin',
}

const formPhrases: Readonly<Record<DosageForm, string>> = {
  tablet: 'tablets',
  capsule: 'capsules',
  liquid: 'a liquid',
  syrup: 'a syrup',
  cream: 'a cream',
  ointment: 'an ointment',
  gel: 'a gel',
  injection: 'an injection',
  inhaler: 'an inhaler',
  patch: 'patches',
  suppository: 'suppositories',
}

/** What a "liquid" is depends on where it goes. The directories' own words are in the details. */
const liquidPhrases: Readonly<Record<string, string>> = {
  topical: 'a liquid to apply',
  transdermal: 'a liquid to apply',
  inhalation: 'a liquid to inhale',
  ophthalmic: 'drops or another liquid',
  otic: 'drops or another liquid',
  nasal: 'a spray, drops or another liquid',
  'buccal or sublingual': 'a spray, rinse or another liquid',
  dental: 'a rinse or another liquid',
  rectal: 'an enema or another liquid',
  vaginal: 'a wash or another liquid',
}

const phraseOf = (form: DosageForm, route: string | null): string =>
  (form === 'liquid' && route !== null && liquidPhrases[route]) || formPhrases[form]

/** Ingredients that the name omits are listed, up to this many. */
const maxListed = 40

const joinWithAnd = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')

/** A short description made only of facts from the directories. */
export function describeDirectoryProduct(product: {
  category: Category
  ingredients: string | null
  route: string | null
  drugClass: string | null
  forms: ReadonlySet<DosageForm>
}): string {
  const kind = product.category === 'Rx' ? 'Prescription medicine' : 'Over-the-counter medicine'
  const use = product.route ? ` ${routePhrases[product.route] ?? ''}` : ''
  const forms = dosageForms.filter((form) => product.forms.has(form))
  const supplied =
    forms.length > 0 ? `, supplied as ${joinWithAnd(forms.map((form) => phraseOf(form, product.route)))}` : ''
  const sentences = [`${kind}${use}${supplied}.`]
  if (product.drugClass) sentences.push(`Pharmacologic class: ${product.drugClass}.`)
  const ingredients = product.ingredients?.split('; ') ?? []
  if (ingredients.length > 4 && ingredients.length <= maxListed)
    sentences.push(`Active ingredients: ${ingredients.join('; ')}.`)
  else if (ingredients.length > maxListed) sentences.push(`${ingredients.length} active ingredients.`)
  return sentences.join(' ')
}

/** One text for a product with schedules of several countries. Null when none is scheduled. */
export function joinSchedules(schedules: Iterable<string | null>): string | null {
  const different = new Set<string>()
  for (const schedule of schedules) for (const part of schedule?.split('; ') ?? []) different.add(part)
  return different.size > 0 ? [...different].sort().join('; ') : null
}
