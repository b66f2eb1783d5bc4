import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { composeFaults, composeTargets } from '../../scripts/check/deploy-compose.ts'
import { dockerfileFaults } from '../../scripts/check/deploy-dockerfile.ts'
import { deployFileFaults } from '../../scripts/check/deploy-files.ts'
import { withFolderCopy, lintFaults, type ProgramLint } from '../../scripts/check/deploy-lint.ts'
import { kubernetesVersion, manifestFaults } from '../../scripts/check/deploy-manifests.ts'
import { deployPaths } from '../../scripts/check/deploy-paths.ts'
import { programLints } from '../../scripts/check/deploy-programs.ts'
import { shellFaults, shellScripts } from '../../scripts/check/deploy-shell.ts'

/** A file of deploy/ with one change. */
function changed(path: string, from: string, to: string): string {
  const text = readFileSync(join('deploy', path), 'utf8')
  expect(text).toContain(from)
  return text.replace(from, to)
}

test('the npm packages find nothing in the deploy files', () => {
  expect(deployFileFaults('deploy')).toEqual([])
})

test('every kind of file is read', async () => {
  const faults = await withFolderCopy('deploy', (copy) => {
    for (const [path, from, to] of [
      ['compose.yaml', 'stop_grace_period', 'stop_grace_perod'],
      ['Dockerfile', 'USER root', 'USR root'],
      ['kubernetes/shop.yaml', 'replicas', 'replcas'],
      ['store/create-bucket.sh', 'esac', ''],
    ] as const) {
      writeFileSync(join(copy, path), changed(path, from, to))
    }
    return deployFileFaults(copy)
  })
  expect(new Set(faults.map((fault) => fault.split(':')[0]))).toEqual(
    new Set(['compose.yaml', 'Dockerfile', 'kubernetes/shop.yaml', 'store/create-bucket.sh']),
  )
})

test('a service that is built from a stage that does not exist is refused', async () => {
  const faults = await withFolderCopy('deploy', (copy) => {
    writeFileSync(join(copy, 'compose.yaml'), changed('compose.yaml', 'target: shop', 'target: shp'))
    return deployFileFaults(copy)
  })
  expect(new Set(faults)).toEqual(new Set(['Dockerfile: no stage is called shp.']))
})

test.each([
  ['services: { shop: { build: .. } }', []],
  ['services: { shop: { build: { context: .. } } }', []],
  ['services: { shop: { image: shop } }', []],
  ['services: { shop: { build: { target: shop } } }', ['shop']],
  ['volumes: {}', []],
])('the stages that Compose builds from: %s', (text, targets) => {
  expect(composeFaults(text)).toEqual([])
  expect(composeTargets(text)).toEqual(targets)
})

test.each([
  ['stop_grace_period', 'stop_grace_perod', 'stop_grace_perod'],
  ['condition: service_healthy', 'condition: service_healty', 'must be equal to one of the allowed values'],
  ['volumes:\n  caddy-data:', 'volumess:\n  caddy-data:', 'volumess'],
  ['retries: 12', 'retries: [12]', '/services/postgres/healthcheck/retries'],
  ['services:', 'services: [', 'compose.yaml: '],
])('Compose refuses "%s" as "%s"', (from, to, fault) => {
  expect(composeFaults(changed('compose.yaml', from, to)).join('\n')).toContain(fault)
})

test.each([
  ['shop.yaml', 'preStop:', 'preStopp:', "'\"preStopp\"' does not exist in type 'Lifecycle'"],
  ['shop.yaml', 'sleep: { seconds: 8 }', 'sleep: {}', "Property 'seconds' is missing"],
  ['shop.yaml', 'replicas: 2', 'replicas: two', 'Deployment_0.spec.replicas: '],
  ['shop.yaml', 'policy/v1', 'policy/v9', "Cannot find module 'kubernetes-types/policy/v9'"],
  ['shop.yaml', 'kind: Service', 'kind: Srvice', "no exported member named 'Srvice'"],
  ['shop.yaml', '  name: shop\n', '  nam: shop\n', 'has no apiVersion, kind or metadata.name'],
  ['commands.yaml', 'backoffLimit:', 'backofLimit:', 'CronJob_1.spec.jobTemplate.spec.backofLimit: '],
  ['ingress.yaml', 'pathType: Prefix', 'path_type: Prefix', 'path_type'],
  ['settings.yaml', "PORT: '3000'", 'PORT: 3000', 'ConfigMap_0.data.PORT: '],
  ['secret.yaml', 'stringData:', 'stringDta:', 'Secret_0.stringDta: '],
  ['namespace.yaml', 'labels:', 'labels: [', 'namespace.yaml: '],
])('Kubernetes refuses in %s "%s" as "%s"', (file, from, to, fault) => {
  const text = changed(`kubernetes/${file}`, from, to)
  expect(manifestFaults(file, text).join('\n')).toContain(fault)
})

test('a manifest without documents is refused', () => {
  expect(manifestFaults('empty.yaml', '')).toEqual(['empty.yaml: it has no manifest.'])
})

test('an empty document after the last manifest is accepted', () => {
  const text = readFileSync('deploy/kubernetes/namespace.yaml', 'utf8')
  expect(manifestFaults('namespace.yaml', `${text}---\n`)).toEqual([])
})

test('a file with only an empty document has no manifest', () => {
  expect(manifestFaults('empty.yaml', '---\n')).toEqual(['empty.yaml: it has no manifest.'])
})

test.each([
  ['USER root', 'USR root', 'Unknown instruction: USR'],
  ['--interval=', '--intervall=', 'Unknown flag: intervall'],
  ['EXPOSE 3000', 'EXPOSE 3000x', 'Invalid containerPort: 3000x'],
  ['--from=build', '--from=biuld', 'no earlier stage is called biuld'],
])('the Dockerfile must not have "%s" as "%s"', (from, to, fault) => {
  expect(dockerfileFaults(changed('Dockerfile', from, to), []).join('\n')).toContain(fault)
})

test.each([
  'FROM a AS Build\nFROM b\nCOPY --from=build x y',
  'FROM a as build\nFROM build\nCOPY --chown=1:1 --from=build x y',
  'FROM --platform=linux/amd64 a AS build\nFROM b\nCOPY --from=build x y',
  'FROM a\nFROM b\nCOPY --from=0 x y',
  'FROM a\nCOPY --from=caddy:2 x y',
  'FROM a\nCOPY --from=example.org/caddy x y',
  'FROM a\n# COPY --from=absent x y\nRUN b --from=absent',
  'FROM a AS a\nFROM debian AS b',
])('the stages of a Dockerfile are right: %j', (text) => {
  expect(dockerfileFaults(text, [])).toEqual([])
})

test.each([
  ['FROM a\nCOPY --from=later x y\nFROM b AS later', 'later'],
  ['FROM a\nCOPY --from=0 x y', '0'],
  ['FROM later AS a\nFROM b AS later', 'later'],
  ['FROM a AS build\nCOPY --from=build x y', 'build'],
  ['FROM a\nCOPY \\\n# a comment\n  --from=absent x y', 'absent'],
])('a stage must be an earlier one: %j', (text, stage) => {
  expect(dockerfileFaults(text, [])).toEqual([`Dockerfile: no earlier stage is called ${stage}.`])
})

test.each([
  ['compose.yaml', 'services: { a: { command: [sh, -c, "exit 1"] } }'],
  ['compose.yaml', 'services: { a: { command: [/usr/bin/sh, -e, -uc, "exit 1"] } }'],
  ['compose.yaml', `services: { a: { command: "/bin/sh -ec 'exit 1'" } }`],
  ['compose.yaml', `services: { a: { entrypoint: 'sh -c "exit 1"' } }`],
  ['compose.yaml', 'services: { a: { healthcheck: { test: exit 1 } } }'],
  ['compose.yaml', 'services: { a: { healthcheck: { test: [CMD-SHELL, exit 1] } } }'],
  ['compose.yaml', 'services: { a: { healthcheck: { test: [CMD, sh, -c, exit 1] } } }'],
  ['kubernetes/a.yaml', 'spec: { command: [/bin/sh, -ec], args: [exit 1] }'],
  ['kubernetes/a.yaml', 'livenessProbe: { exec: { command: [sh, -c, exit 1] } }'],
  ['systemd/a.service', 'ExecStart=/bin/sh -c "exit 1"\n'],
  ['systemd/a.service', "ExecStartPre=-+/bin/sh -ec 'exit 1'\n"],
  ['systemd/a.service', "ExecStart=/bin/sh \\\n# a comment\n  -c 'exit 1'\n"],
  ['Dockerfile', 'FROM a\nrun exit 1\n'],
  ['Dockerfile', 'FROM a\nRUN --mount=type=cache,target=/a --network=none exit 1\n'],
  ['Dockerfile', 'FROM a\nRUN exit \\\n  # a comment (\n1\n'],
  ['Dockerfile', 'FROM a\nHEALTHCHECK --retries=3 \\\n CMD exit 1\n'],
  ['Dockerfile', 'FROM a\nCMD ["sh", "-c", "exit 1"]\n'],
  ['Dockerfile', 'FROM a\nENTRYPOINT exit 1\n'],
])('a shell script is read in %s: %j', async (path, text) => {
  const scripts = await withFolderCopy('deploy/store', (copy) => {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
    return shellScripts(copy).filter((script) => script.path === path)
  })
  expect(scripts.map((script) => script.text.replaceAll(/\s+/g, ' '))).toEqual(['exit 1'])
})

test.each([
  ['compose.yaml', 'services: { a: { command: [postgres, -c, "("] } }'],
  ['compose.yaml', 'services: { a: { command: [sh, /a.sh, -c, "("] } }'],
  ['Dockerfile', 'FROM a\nCMD ["node", "-e", "("]\n'],
])('another program is no shell in %s: %j', async (path, text) => {
  const faults = await withFolderCopy('deploy/store', (copy) => {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
    return shellFaults(shellScripts(copy))
  })
  expect(faults).toEqual([])
})

/** What docs/operations.md tells the operator to create in deploy/. */
function createOperatorFiles(folder: string): void {
  for (const file of ['.env', 'shop.env', 'userlist.txt']) writeFileSync(join(folder, file), 'secret')
  for (const name of ['archive', 'backups', 'basebackups', 'certificates']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a.sh'), '(')
    chmodSync(join(folder, name), 0o000)
  }
}

/** So that the copy can be deleted. */
function makeReadable(folder: string): void {
  for (const name of ['archive', 'backups', 'basebackups', 'certificates']) {
    chmodSync(join(folder, name), 0o700)
  }
}

test("the operator's files are neither read nor copied", async () => {
  const found = await withFolderCopy('deploy/store', async (copy) => {
    createOperatorFiles(copy)
    const paths = deployPaths(copy)
    const faults = shellFaults(shellScripts(copy))
    const copied = await withFolderCopy(copy, deployPaths)
    const secret = await withFolderCopy(copy, (inner) => existsSync(join(inner, '.env')))
    makeReadable(copy)
    return { paths, faults, copied, secret }
  })
  const paths = deployPaths('deploy/store')
  expect(found).toEqual({ paths, faults: [], copied: paths, secret: false })
})

test.each([
  ['postgres/base-backup.sh', 'do PATH', 'PATH'],
  ['postgres/create-roles.sh', '>>"$PGDATA', '>>"$PGDATA"'],
  ['postgres/start-replica.sh', '  done\n', ''],
  ['postgres/base-backup.sh', '; fi', ''],
  ['postgres/base-backup.sh', 'then failed', 'failed'],
  ['store/create-bucket.sh', 'esac', ''],
  ['store/create-bucket.sh', '#!/bin/sh', '#!/bin/bash'],
  ['Dockerfile', 'RUN npm run build &&', 'RUN npm run build && ('],
  ['compose.yaml', '|| failed=1; done; exit', '|| failed=1; exit'],
  ['compose.yaml', '[CMD-SHELL, pg_isready', '[CMD-SHELL, (pg_isready'],
  ['kubernetes/commands.yaml', '|| failed=1; done; exit', '|| failed=1; exit'],
  ['systemd/meridian-verify.service', '|| failed=1; done; exit', '|| failed=1; exit'],
  ['systemd/meridian-backup.service', '-- --to "', '-- --to '],
])('/bin/sh cannot parse %s with "%s" as "%s"', async (path, from, to) => {
  const faults = await withFolderCopy('deploy', (copy) => {
    writeFileSync(join(copy, path), changed(path, from, to))
    return shellFaults(shellScripts(copy))
  })
  expect(faults).toEqual([expect.stringContaining(`${path}: `)])
})

/** Finds "wrong" in the Caddyfile. */
const wordLint: ProgramLint = {
  program: 'sh',
  install: 'apt-get install -y dash',
  faults: (folder) => readFileSync(join(folder, 'Caddyfile'), 'utf8').match(/wrong/g) ?? [],
  defects: [{ path: 'Caddyfile', from: 'lb_policy', to: 'wrong' }],
}

test('a lint that finds its defects and nothing else passes', async () => {
  expect(await lintFaults(wordLint, 'deploy')).toEqual([])
})

test('a lint reports what it finds', async () => {
  expect(await lintFaults({ ...wordLint, faults: () => ['a fault'] }, 'deploy')).toEqual(['a fault'])
})

test('a lint that accepts a defect fails', async () => {
  const accepts = 'sh accepts "wrong" instead of "lb_policy" in Caddyfile.'
  expect(await lintFaults({ ...wordLint, faults: () => [] }, 'deploy')).toEqual([accepts])
})

test('a lint whose defect is in no file fails', async () => {
  const defects = [{ path: 'Caddyfile', from: 'absent', to: 'wrong' }]
  const accepts = 'sh accepts "wrong" instead of "absent" in Caddyfile.'
  expect(await lintFaults({ ...wordLint, defects }, 'deploy')).toEqual([accepts])
})

test('a lint fails where its program is missing, and says how to install it', async () => {
  const missing = 'no-such-program is missing. To install it: apt-get install -y dash'
  expect(await lintFaults({ ...wordLint, program: 'no-such-program' }, 'deploy')).toEqual([missing])
})

test('the README of deploy says how to install each program, as its lint does', () => {
  const readme = readFileSync('deploy/README.md', 'utf8')
  const [, packages = ''] = /^apt-get install (.*)$/m.exec(readme) ?? []
  const [, kubectl = ''] = /\[kubectl from Kubernetes\]\((\S+)\)/.exec(readme) ?? []
  const installs = packages.split(' ').map((name) => `apt-get install -y ${name}`)
  expect([...installs, kubectl].toSorted()).toEqual(programLints.map(({ install }) => install).toSorted())
})

test('the documents name the oldest Kubernetes that has every field of the manifests', () => {
  const version = /^\d+\.\d+/.exec(kubernetesVersion)?.[0] ?? 'none'
  for (const path of ['deploy/README.md', 'docs/operations.md']) {
    expect(readFileSync(path, 'utf8'), path).toContain(`Kubernetes ${version} or later`)
  }
})
