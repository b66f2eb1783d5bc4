/** Tests of one engine, by name, and the tests of this check, which quote what it refuses. */
const isExempt = /^tests\/(check\/|db\/(sqlite|postgres)-)/

/**
 * Database tests that do not run on both engines. A test that opens a database itself runs on one.
 * @param tests the text of each test file, by path
 */
export const engineFaults = (tests: Readonly<Record<string, string>>): string[] =>
  Object.entries(tests).flatMap(([path, text]) => {
    if (isExempt.test(path)) return []
    if (/\bopen(Test)?Database\(|\bfreshDatabase\(/.test(text))
      return [`${path} opens a database without eachEngine.`]
    if (path.startsWith('tests/db/') && !text.includes('eachEngine('))
      return [`${path} does not use eachEngine.`]
    return []
  })
