const maxShown = 100

/** Prints findings to stderr, one per line; after the first hundred it only says that there are more. */
export function createFindingsPrinter(): (finding: string) => void {
  let shown = 0
  return (finding) => {
    if (shown < maxShown) process.stderr.write(`${finding}\n`)
    if (shown === maxShown) process.stderr.write('… and more.\n')
    shown++
  }
}
