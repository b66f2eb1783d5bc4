const filePattern = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.ts$/

/**
 * Faults in the folder of migrations. The numbers run from 0001 without gaps or duplicates. The
 * list in all.ts names every file in order, so that a new migration always runs last.
 * @param files the names in migrations/, without `all.ts`
 * @param listed the keys of the list in all.ts, in order
 */
export function migrationFaults(files: readonly string[], listed: readonly string[]): string[] {
  const faults: string[] = []
  const sorted = files.toSorted()
  for (const file of sorted) {
    if (!filePattern.test(file)) faults.push(`migrations/${file} is not named 0000-what-it-does.ts.`)
  }
  const numbers = sorted.flatMap((file) => filePattern.exec(file)?.[1] ?? [])
  numbers.forEach((number, i) => {
    if (Number(number) === i + 1) return
    const isDuplicate = number === numbers[i - 1]
    faults.push(
      isDuplicate
        ? `Two migrations have the number ${number}.`
        : `A number is missing before migration ${number}.`,
    )
  })
  const names = sorted.map((file) => file.replace(/\.ts$/, ''))
  for (const name of names) {
    if (!listed.includes(name)) faults.push(`migrations/all.ts does not list ${name}.`)
  }
  for (const name of listed) {
    if (!names.includes(name)) faults.push(`migrations/all.ts lists ${name}, which has no file.`)
  }
  listed.forEach((name, i) => {
    const before = listed[i - 1]
    if (before && name < before)
      faults.push(`migrations/all.ts has ${name} after ${before}; a new migration goes last.`)
  })
  return faults
}
