import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { userStrings } from './copy/user-strings.ts'

/**
 * `npm run copy:list [-- PATH...]`: prints every string that a person reads, by file and line, so
 * that a copy edit is one read. Without a path it reads the whole shop and its commands.
 */
const roots = ['app', 'server', 'db', 'scripts']
/** Word lists of drugs and search terms: nothing to edit. */
const wordLists =
  /^server\/(?:catalog\/directory\/(?:brands|moiety|nadac|names|routes|schedules|spellings)|domain\/search\/)/
const requested = process.argv.slice(2)

const paths = roots
  .flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, path).replaceAll('\\', '/'),
    ),
  )
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !wordLists.test(path))
  .filter((path) => requested.length === 0 || requested.some((prefix) => path.startsWith(prefix)))
  .toSorted()

for (const path of paths) {
  const strings = userStrings(path, readFileSync(path, 'utf8'))
  if (strings.length === 0) continue
  console.log(`\n${path}`)
  for (const { line, kind, text } of strings) console.log(`${String(line).padStart(5)}  ${kind}: ${text}`)
}
