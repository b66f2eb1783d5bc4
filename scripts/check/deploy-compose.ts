import { Ajv } from 'ajv'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'
import { z } from 'zod'

/** The JSON Schema of the Compose Specification, as dclint ships it. It refuses unknown keys. */
const schemaPath = fileURLToPath(
  new URL('schemas/compose.schema.json', import.meta.resolve('dclint/package.json')),
)
const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(schemaPath, 'utf8')))
const validate = new Ajv({ allErrors: true, strict: false }).compile({
  ...schema,
  // Ajv knows draft 7 by this name only.
  $schema: 'http://json-schema.org/draft-07/schema#',
})

/** What the Compose Specification refuses in the text of a Compose file. */
export function composeFaults(text: string): string[] {
  const document = parseDocument(text, { merge: true })
  const unreadable = [...document.errors, ...document.warnings]
  if (unreadable.length > 0) return unreadable.map(({ message }) => `compose.yaml: ${message}`)
  validate(document.toJS())
  return (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) =>
      `compose.yaml: ${instancePath} ${message}: ${JSON.stringify(params)}`,
  )
}

/** `build` may also be a path, or have no target. */
const buildSchema = z.looseObject({ target: z.string().optional() }).optional().catch(undefined)
const servicesSchema = z.object({
  services: z.record(z.string(), z.looseObject({ build: buildSchema })).default({}),
})

/** The stages of the Dockerfile that the services are built from. */
export function composeTargets(text: string): string[] {
  const { services } = servicesSchema.parse(parseDocument(text, { merge: true }).toJS())
  return Object.values(services).flatMap(({ build }) => build?.target ?? [])
}
