import type { Db } from '#db/engine/client.ts'
import { countKnownPackages } from '#db/screening/product-ingredients.ts'
import type { ListReport } from './import-care-lists.ts'

const number = (count: number): string => count.toLocaleString('en-US')
const plural = (count: number, one: string): string => `${number(count)} ${one}${count === 1 ? '' : 's'}`

/** An import as lines for the terminal. The last line is the summary. */
export async function printCareImport(
  db: Db,
  reports: readonly ListReport[],
): Promise<{ lines: string[]; problems: string[] }> {
  const packages = await countKnownPackages(db)
  const countOf = (outcome: ListReport['outcome']): number =>
    reports.filter((report) => report.outcome === outcome).length
  return {
    problems: reports.flatMap(({ file, name, problems }) =>
      problems.map((problem) => `${file ?? name}, ${problem}`),
    ),
    lines: [
      ...reports.map(describe),
      ...packages.map(
        ({ country, known, all }) =>
          `${country}: the ingredients of ${number(known)} of ${plural(all, 'package')} are known (${((100 * known) / all).toFixed(1)} %)`,
      ),
      `imported=${countOf('imported')} unchanged=${countOf('unchanged')} absent=${countOf('absent')} failed=${countOf('failed')}`,
    ],
  }
}

function describe({ name, outcome, rows, outsideCatalog }: ListReport): string {
  switch (outcome) {
    case 'imported':
      return `${name}: ${plural(rows, 'row')} imported${
        outsideCatalog === null ? '' : `; ${number(outsideCatalog)} recall no package in the catalog`
      }`
    case 'unchanged':
      return `${name}: unchanged, ${plural(rows, 'row')}`
    case 'absent':
      return `${name}: not in the folder`
    case 'failed':
      return `${name}: not imported; the current list stays`
  }
}
