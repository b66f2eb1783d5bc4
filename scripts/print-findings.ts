const maxShown = 100

/** Prints up to a hundred findings to stderr, one per line, and then that there are more. */
export function createFindingsPrinter(): (finding: string) => void {
  let shown = 0
  return (finding) => {
    if (shown < maxShown) process.stderr.write(`${finding}\n`)
    if (shown === maxShown) process.stderr.write('… and more.\n')
    shown++
  }
}
