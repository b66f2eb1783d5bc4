import { dosageForms, type Category, type DosageForm } from '#domain/catalog/catalog.ts'

const uses: Readonly<Record<string, string>> = {
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

/** Ingredients that the name leaves out are listed; past this many the label has to be read. */
const mostListed = 40

const joined = (words: readonly string[]): string =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')

/** A short text of facts that the directories state, nothing else. */
export function describeMedicine(medicine: {
  category: Category
  ingredients: string | null
  route: string | null
  drugClass: string | null
  forms: ReadonlySet<DosageForm>
}): string {
  const sort = medicine.category === 'Rx' ? 'Prescription medicine' : 'Over-the-counter medicine'
  const use = medicine.route ? ` ${uses[medicine.route] ?? ''}` : ''
  const forms = dosageForms.filter((form) => medicine.forms.has(form))
  const supplied = forms.length > 0 ? `, supplied as ${joined(forms)}` : ''
  const sentences = [`${sort}${use}${supplied}.`]
  if (medicine.drugClass) sentences.push(`Pharmacologic class: ${medicine.drugClass}.`)
  const ingredients = medicine.ingredients?.split('; ') ?? []
  if (ingredients.length > 4 && ingredients.length <= mostListed)
    sentences.push(`Active ingredients: ${ingredients.join('; ')}.`)
  else if (ingredients.length > mostListed) sentences.push(`${ingredients.length} active ingredients.`)
  return sentences.join(' ')
}

/** One text for a product whose rows are scheduled by several countries; null when none is. */
export function joinSchedules(schedules: Iterable<string | null>): string | null {
  const different = new Set<string>()
  for (const schedule of schedules) for (const part of schedule?.split('; ') ?? []) different.add(part)
  return different.size > 0 ? [...different].sort().join('; ') : null
}
