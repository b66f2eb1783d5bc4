import { startCommand } from '#tests/support/start-command.ts'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

const read = (path: string): string => readFileSync(`deploy/${path}`, 'utf8')

function readYaml(path: string): unknown[] {
  const documents = parseAllDocuments(read(path), { merge: true })
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  return documents.map((document): unknown => document.toJS())
}

const known = new Set(
  readFileSync('.env.example', 'utf8')
    .match(/^(?:# )?[A-Z][A-Z_]+(?==)/gm)
    ?.map((name) => name.replace('# ', '')),
)
/** Node's own variables need no entry in .env.example. */
const unknown = (names: readonly string[]): string[] =>
  names.filter((name) => !known.has(name) && !name.startsWith('NODE_'))

const manifests = readdirSync('deploy/kubernetes').map((file) => `kubernetes/${file}`)
const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      environment: z.record(z.string(), z.string()).default({}),
      read_only: z.boolean().optional(),
    }),
  ),
})
const compose = composeSchema.parse(readYaml('compose.yaml')[0])
const manifestSchema = z.object({
  kind: z.string(),
  data: z.record(z.string(), z.string()).default({}),
  stringData: z.record(z.string(), z.string()).default({}),
})

test('every manifest is listed and can be parsed', () => {
  const { resources } = z
    .object({ resources: z.array(z.string()) })
    .parse(readYaml('kubernetes/kustomization.yaml')[0])
  expect(resources.toSorted()).toEqual(
    readdirSync('deploy/kubernetes')
      .filter((file) => file !== 'kustomization.yaml')
      .toSorted(),
  )
  for (const path of manifests)
    for (const document of readYaml(path)) expect(manifestSchema.safeParse(document).success).toBe(true)
})

test('the image and the systemd unit start the shop as npm start does', () => {
  expect(read('Dockerfile')).toContain(`\nCMD [${startCommand.map((word) => `"${word}"`).join(', ')}]\n`)
  expect(read('systemd/meridian@.service')).toContain(`\nExecStart=/usr/bin/${startCommand.join(' ')}\n`)
})

test('every variable that a deployment sets is in .env.example', () => {
  const shops = Object.entries(compose.services).filter(([name]) => name.startsWith('shop-'))
  expect(shops).toHaveLength(2)
  for (const [, { environment }] of shops) {
    expect(Object.keys(environment)).toContain('DATABASE_URL')
    expect(unknown(Object.keys(environment))).toEqual([])
  }
  const objects = manifests
    .flatMap(readYaml)
    .flatMap((document) => manifestSchema.safeParse(document).data ?? [])
  const set = objects.flatMap(({ data, stringData }) => Object.keys({ ...data, ...stringData }))
  expect(set).toContain('SESSION_SECRET')
  expect(unknown(set)).toEqual([])
  const unit = read('systemd/meridian@.service').match(/(?<=^Environment=.*)\b[A-Z_]+(?==)/gm) ?? []
  expect(unit).toContain('PORT')
  expect(unknown(unit)).toEqual([])
})

test('the shop, its probes and its proxy agree on the port', () => {
  const port = /PORT=(\d+)/.exec(read('Dockerfile'))?.[1] ?? 'none'
  expect(read('Dockerfile')).toContain(`EXPOSE ${port}\n`)
  expect(read('Caddyfile')).toContain(`shop-1:${port} shop-2:${port}`)
  expect(read('kubernetes/shop.yaml')).toContain(`containerPort: ${port} `)
  expect(read('kubernetes/settings.yaml')).toContain(`PORT: '${port}'`)
  expect(compose.services['shop-1']?.environment['PORT']).toBe(port)
})

test('images have the Node version that production should run, and no root', () => {
  const dockerfile = read('Dockerfile')
  const versions = [...dockerfile.matchAll(/^FROM node:(\S+)/gm)].map(([, version]) => version)
  expect(versions).toEqual(['24-bookworm', '24-bookworm-slim'])
  expect(readFileSync('docs/operations.md', 'utf8')).toContain('on Node 24')
  expect(dockerfile.match(/^USER .*$/gm)?.at(-1)).toBe('USER 1000:1000')
  expect(compose.services['shop-1']?.read_only).toBe(true)
})

test('every folder that the image copies exists and is not ignored', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
  for (const [, path = ''] of read('Dockerfile').matchAll(/^COPY --from=build \/shop\/(\S+)/gm)) {
    if (path === 'node_modules' || path === 'build') continue
    expect(existsSync(path)).toBe(true)
    expect(ignored).toContain(`!${path}`)
  }
})
