import { buildDocument } from '#app/routes/api/openapi/document.ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * `npm run api:types` writes the types of a client of /api, from its document. `--check` exits 1
 * when they are not those of the document.
 */
const typesFile = 'tests/http/api-types.d.ts'
const document = buildDocument({ now: new Date() }, { origin: 'https://shop.example', cookie: 'session' })
const nodes = await openapiTypescript(JSON.stringify(document))
const types = `// Written by npm run api:types.\n${astToString(nodes)}`

if (!process.argv.includes('--check')) writeFileSync(typesFile, types)
else if (readFileSync(typesFile, 'utf8') !== types) {
  console.error(`${typesFile} is not up to date. Run npm run api:types.`)
  process.exitCode = 1
}
