import { toProductIngredient } from '#domain/screening/medicine-names.ts'
import { ingredientsNamed } from '#domain/screening/wider-names.ts'
import type { TextKind } from '#domain/screening/split-text.ts'
import type { Recognition } from '#domain/screening/recognize-text.ts'
import { readIngredientNames, readTsv } from './care-lists.ts'
import { sample, seeded } from './seeded.ts'

/** What a person types, and the ingredients or allergy groups that it names. */
export type TypedName = {
  kind: 'ingredient' | 'brand' | 'salt' | 'misspelling' | 'list of medications' | 'list of allergies'
  list: TextKind
  text: string
  meanings: string[]
}

const seed = 16
/** Names of each generated kind. */
const drawn = 100

type Random = () => number

const letters = /^[a-z]+$/

/** A name with one mistake: a letter left out, doubled or wrong, or two swapped. */
function misspell(name: string, random: Random): string {
  const at = 2 + Math.floor(random() * (name.length - 4))
  const [letter = '', next = ''] = [name[at], name[at + 1]]
  const wrong = 'aeiou'.includes(letter) ? 'aeiou'.replace(letter, '')[Math.floor(random() * 4)] : 'n'
  const changed = [next, letter + letter + next, `${wrong}${next}`, next + letter][Math.floor(random() * 4)]
  return name.slice(0, at) + changed + name.slice(at + 2)
}

/**
 * Names as people type them: ingredients, brands and salts of the committed lists, in lower case
 * with a strength; common names with one mistake; and the texts of
 * `tests/fixtures/typed-medicines.tsv`, which are written by hand. The same in every run.
 */
export function readTypedNames(): TypedName[] {
  const random = seeded(seed)
  const ingredients = readTsv('db/seed/care/ingredients.tsv')
  const products = new Map(ingredients.map((row) => [row.ingredient ?? '', Number(row.us_products)]))
  const common = [...products].filter(([, count]) => count >= 10).map(([name]) => name)
  const brands = readTsv('db/seed/care/rxnorm-brands.tsv').map((row) => ({
    brand: row.brand ?? '',
    ingredient: products.has(row.ingredient ?? '')
      ? (row.ingredient ?? '')
      : (ingredientsNamed(row.ingredient ?? '').at(-1) ?? ''),
  }))
  const salts = readTsv('db/seed/care/ingredient-names.tsv').filter(
    (row) =>
      row.country === 'US' &&
      row[nameColumn] !== row.ingredient &&
      !(row[nameColumn] ?? '').includes(',') &&
      !products.has(row[nameColumn] ?? ''),
  )
  const spelled = [
    ...common.map((ingredient) => ({ name: ingredient.toLowerCase(), ingredient })),
    ...brands
      .filter(({ ingredient }) => (products.get(ingredient) ?? 0) >= 10)
      .map(({ brand, ingredient }) => ({ name: brand.toLowerCase(), ingredient })),
  ].filter(({ name }) => name.length >= 7 && letters.test(name))
  const asProducts = toProductIngredient(readIngredientNames())
  const generated = (kind: TypedName['kind'], text: string, ingredient: string): TypedName => ({
    kind,
    list: 'medications',
    text,
    meanings: [asProducts(ingredient)],
  })
  return [
    ...sample(common, drawn, random).map((name) =>
      generated('ingredient', `${name.toLowerCase()} 10 mg`, name),
    ),
    ...sample(brands, drawn, random).map(({ brand, ingredient }) =>
      generated('brand', brand.toLowerCase(), ingredient),
    ),
    ...sample(salts, drawn, random).map((row) =>
      generated('salt', `${(row[nameColumn] ?? '').toLowerCase()} tablet daily`, row.ingredient ?? ''),
    ),
    ...sample(spelled, drawn, random).map(({ name, ingredient }) =>
      generated('misspelling', misspell(name, random), ingredient),
    ),
    ...readTsv('tests/fixtures/typed-medicines.tsv').map((row): TypedName => {
      const list = row.list === 'allergies' ? 'allergies' : 'medications'
      return {
        kind: `list of ${list}`,
        list,
        text: (row.text ?? '').replaceAll('\\n', '\n'),
        meanings: (row.meanings ?? '').split('; ').filter(Boolean),
      }
    }),
  ]
}
const nameColumn = 'catalogue_name'

export type NameFigures = { expected: number; right: number; wrong: number; missed: number }

/**
 * How many of the named things were recognized, and how many things were recognized that nothing
 * named. A brand may name more ingredients than its list does.
 */
export async function measureNames(
  names: readonly TypedName[],
  recognize: (list: TextKind, text: string) => Promise<Recognition>,
): Promise<{ figures: Map<TypedName['kind'], NameFigures>; mistakes: string[] }> {
  const figures = new Map<TypedName['kind'], NameFigures>()
  const mistakes: string[] = []
  for (const { kind, list, text, meanings } of names) {
    const { found } = await recognize(list, text)
    const all = new Set(found.flatMap((name) => name.meanings))
    const right = meanings.filter((meaning) => all.has(meaning)).length
    const extra = found.filter((name) => !name.meanings.some((meaning) => meanings.includes(meaning)))
    const before = figures.get(kind) ?? { expected: 0, right: 0, wrong: 0, missed: 0 }
    figures.set(kind, {
      expected: before.expected + meanings.length,
      right: before.right + right,
      wrong: before.wrong + extra.length,
      missed: before.missed + meanings.length - right,
    })
    if (right < meanings.length || extra.length > 0)
      mistakes.push(`${kind}: “${text}” names ${meanings.join(', ')}; found ${[...all].join(', ')}`)
  }
  return { figures, mistakes }
}
