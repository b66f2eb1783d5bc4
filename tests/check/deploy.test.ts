import { processEnv, startCommand } from '#tests/support/start-command.ts'
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
  names.filter((name) => !known.has(name) && !(name in processEnv) && !name.startsWith('NODE_'))

const manifests = readdirSync('deploy/kubernetes').map((file) => `kubernetes/${file}`)
const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      environment: z.record(z.string(), z.string()).default({}),
      read_only: z.boolean().optional(),
      cap_drop: z.array(z.string()).default([]),
      security_opt: z.array(z.string()).default([]),
      profiles: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
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
  // A line of the EnvironmentFile overrides Environment=, and both would listen on one port.
  expect(read('systemd/meridian@.service')).toContain(
    `\nExecStart=/usr/bin/env PORT=%i HOST=127.0.0.1 DRAIN_MS=2500 /usr/bin/${startCommand.join(' ')}\n`,
  )
})

test('the image and the systemd unit set the variables of the process', () => {
  const variables = Object.entries(processEnv).map(([name, value]) => `${name}=${value}`)
  expect(read('systemd/meridian@.service')).toContain(`\nEnvironment=${variables.join(' ')}\n`)
  const [, image = ''] = /^ENV (.*)$/m.exec(read('Dockerfile')) ?? []
  expect(image.split(' ')).toEqual(expect.arrayContaining(variables))
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
  const unit =
    read('systemd/meridian@.service').match(/(?<=^(?:Environment|ExecStart)=.*)\b[A-Z_]+(?==)/gm) ?? []
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
  expect(compose.services['shop-1']?.environment['DRAIN_MS']).toBe(
    /DRAIN_MS=(\d+)/.exec(read('Dockerfile'))?.[1],
  )
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

test('containers run pinned images with no rights that they do not need', () => {
  for (const [name, { image, cap_drop: dropped, security_opt: options }] of Object.entries(
    compose.services,
  )) {
    expect(image, name).toMatch(/^meridian(-backup)?:\$\{MERIDIAN_VERSION:-1\}$|:[\w.-]*\d+[._-]\d+/)
    expect(dropped, name).toEqual(['ALL'])
    expect(options, name).toEqual(['no-new-privileges:true'])
  }
})

test('no shop has the rights of the administrator of the database or the store', () => {
  expect(compose.services['postgres']?.environment['POSTGRES_USER']).toBe('postgres')
  expect(compose.services['store']?.environment['MINIO_ROOT_USER']).toBe('root')
  for (const [name, { environment }] of Object.entries(compose.services)) {
    if (environment['DATABASE_URL'] === undefined) continue
    expect(JSON.stringify(environment), name).not.toMatch(/POSTGRES_PASSWORD|STORE_ROOT_PASSWORD/)
    expect(environment['DATABASE_URL'], name).toMatch(/^postgres:\/\/meridian:/)
  }
})

test('each deployment backs up past the pooler and deletes old backups', () => {
  const commands = Object.entries(compose.services).filter(([, { profiles }]) => profiles.length > 0)
  expect(commands.map(([name]) => name).toSorted()).toEqual(['backup', 'base-backup', 'drill', 'verify'])
  expect(compose.services['backup']?.environment['DATABASE_URL']).not.toContain('pooler')
  for (const name of ['backup', 'drill']) {
    const { environment, volumes } = compose.services[name] ?? {}
    expect(volumes, name).toContain('./backups:/backups')
    expect(volumes, name).toContain('./certificates/public.crt:/certificates/public.crt:ro')
    expect(environment?.['STORAGE'], name).toBe(compose.services['shop-1']?.environment['STORAGE'])
  }
  const deletes =
    'find /backups -mindepth 1 -maxdepth 1 -type d ! -name lost+found -mtime +30 -exec rm -rf {} +'
  for (const path of ['compose.yaml', 'kubernetes/commands.yaml', 'systemd/meridian-backup.service']) {
    expect(read(path)).toContain(deletes)
  }
})

test('proxies replace what the shop believes of a trusted proxy, and refuse the metrics', () => {
  const proxy = read('Caddyfile')
  for (const line of ['header_up X-Request-Id {http.request.uuid}', 'header_up -Traceparent']) {
    expect(proxy).toContain(`\t${line}\n`)
  }
  expect(proxy).toContain('@private path /metrics\n')
  expect(read('kubernetes/ingress.yaml')).toContain('path: /metrics\n')
})

test('the pooler has a connection for each that two shops open, and fewer than Postgres allows', () => {
  const ofRequests = /options\.max \?\? (\d+)/.exec(readFileSync('db/engine/postgres.ts', 'utf8'))?.[1]
  const ofJobs = /jobConnections = (\d+)/.exec(readFileSync('app/open-shop.server.ts', 'utf8'))?.[1]
  const ofProbes = 1
  const perShop = Number(ofRequests) + Number(ofJobs) + ofProbes
  expect(read('pgbouncer.ini')).toContain(`opens up to ${perShop} connections`)
  const setting = (name: string) =>
    Number(new RegExp(`^${name} = (\\d+)$`, 'm').exec(read('pgbouncer.ini'))?.[1])
  expect(setting('default_pool_size')).toBeGreaterThanOrEqual(2 * perShop)
  // Postgres' default max_connections is 100. The replica, backups and people need some, too.
  expect(setting('default_pool_size') + setting('reserve_pool_size')).toBeLessThan(80)
})

test('the replica uses the slot that the primary creates once', () => {
  const slot = /pg_create_physical_replication_slot\('(\w+)'\)/.exec(read('postgres/create-roles.sh'))?.[1]
  expect(read('postgres/start-replica.sh')).toContain(`--slot ${slot ?? 'none'} `)
  expect(read('postgres/start-replica.sh')).not.toContain('--create-slot')
})

test('the systemd unit allows what Node 20 calls when it starts', () => {
  const [, filter = ''] = /^SystemCallFilter=(.*)$/m.exec(read('systemd/meridian@.service')) ?? []
  expect(filter.split(' ')).toEqual(['@system-service', '@pkey'])
})

test('every timer starts a unit, and the units may write where they must', () => {
  const units = readdirSync('deploy/systemd')
  for (const timer of units.filter((file) => file.endsWith('.timer'))) {
    expect(units).toContain(timer.replace('.timer', '.service'))
  }
  expect(read('systemd/meridian@.service')).toContain('\nStateDirectory=meridian meridian-audit\n')
})

test('units that read Postgres start after it, and a drill after the backup that it restores', () => {
  const after = (unit: string): string[] =>
    /^After=(.*)$/m.exec(read(`systemd/${unit}.service`))?.[1]?.split(' ') ?? []
  for (const file of readdirSync('deploy/systemd').filter((name) => name.endsWith('.service'))) {
    expect(after(file.replace('.service', '')), file).toContain('postgresql.service')
  }
  // `systemctl start meridian-backup meridian-drill` starts both at once.
  expect(after('meridian-drill')).toContain('meridian-backup.service')
})

const headings = (path: string): Set<string> =>
  new Set(
    readFileSync(path, 'utf8')
      .match(/^#+ .*$/gm)
      ?.map((line) =>
        line
          .replace(/^#+ /, '')
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
  )

test('every link between the documents of operations leads to a heading', () => {
  const documents = ['operations.md', 'recovery.md']
  const links = documents.flatMap((document) =>
    [...readFileSync(`docs/${document}`, 'utf8').matchAll(/\]\(([\w.-]*)#([^)]+)\)/g)]
      .map(([, file = '', anchor = '']) => ({ file: file === '' ? document : file, anchor }))
      .filter(({ file }) => documents.includes(file)),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ file, anchor }) => !headings(`docs/${file}`).has(anchor))).toEqual([])
})

test('the first table of operations.md leads from every alert to its runbook', () => {
  const table = readFileSync('docs/operations.md', 'utf8').split('\n## ')[1] ?? ''
  for (const alert of read('monitoring/alerts.yml').split('- alert: ').slice(1)) {
    const name = alert.split('\n')[0] ?? ''
    const anchor = /runbook: docs\/operations\.md(#\S+)/.exec(alert)?.[1] ?? 'none'
    const row = table.split('\n').find((line) => line.includes(`\`${name}\``)) ?? ''
    expect(row, name).toContain(`(${anchor})`)
  }
})
