/** A file of one engine says so by its name; the tests of the checks quote what is refused. */
const ofOneEngine = /^tests\/(check\/|db\/(sqlite|postgres)-)/

/**
 * A test that opens a database itself would run on one engine only.
 * @param tests each test file's text by its path
 */
export const engineFaults = (tests: Readonly<Record<string, string>>): string[] =>
  Object.entries(tests).flatMap(([path, text]) => {
    if (ofOneEngine.test(path)) return []
    if (/\bopen(Test)?Database\(|\bfreshDatabase\(/.test(text))
      return [`${path} opens a database past eachEngine.`]
    if (path.startsWith('tests/db/') && !text.includes('eachEngine('))
      return [`${path} does not use eachEngine.`]
    return []
  })
