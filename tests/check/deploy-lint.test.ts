import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { composeFaults } from '../../scripts/check/deploy-compose.ts'
import { dockerfileFaults } from '../../scripts/check/deploy-dockerfile.ts'
import { deployFileFaults } from '../../scripts/check/deploy-files.ts'
import { inCopy, lintFaults, type ProgramLint } from '../../scripts/check/deploy-lint.ts'
import { kubernetesVersion, manifestFaults } from '../../scripts/check/deploy-manifests.ts'
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
  const faults = await inCopy('deploy', (copy) => {
    for (const [path, from, to] of [
      ['compose.yaml', 'stop_grace_period', 'stop_grace_perod'],
      ['Dockerfile', 'USER root', 'USR root'],
      ['kubernetes/shop.yaml', 'replicas', 'replcas'],
      ['store/copy-bucket.sh', '; fi', ''],
    ] as const) {
      writeFileSync(join(copy, path), changed(path, from, to))
    }
    return deployFileFaults(copy)
  })
  expect(new Set(faults.map((fault) => fault.split(':')[0]))).toEqual(
    new Set(['compose.yaml', 'Dockerfile', 'kubernetes/shop.yaml', 'store/copy-bucket.sh']),
  )
})

test('a service that is built from a stage that does not exist is refused', async () => {
  const faults = await inCopy('deploy', (copy) => {
    writeFileSync(join(copy, 'compose.yaml'), changed('compose.yaml', 'target: shop', 'target: shp'))
    return deployFileFaults(copy)
  })
  expect(new Set(faults)).toEqual(new Set(['Dockerfile: no stage is called shp.']))
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

test.each([
  ['USER root', 'USR root', 'Unknown instruction: USR'],
  ['--interval=', '--intervall=', 'Unknown flag: intervall'],
  ['EXPOSE 3000', 'EXPOSE 3000x', 'Invalid containerPort: 3000x'],
  ['--from=build', '--from=biuld', 'no stage is called biuld'],
])('the Dockerfile must not have "%s" as "%s"', (from, to, fault) => {
  expect(dockerfileFaults(changed('Dockerfile', from, to), []).join('\n')).toContain(fault)
})

test.each([
  ['postgres/base-backup.sh', 'do PATH', 'PATH'],
  ['postgres/create-roles.sh', '>>"$PGDATA', '>>"$PGDATA"'],
  ['postgres/start-replica.sh', '  done\n', ''],
  ['store/copy-bucket.sh', '; fi', ''],
  ['store/copy-bucket.sh', 'then last', 'last'],
  ['store/create-bucket.sh', 'esac', ''],
  ['store/create-bucket.sh', '#!/bin/sh', '#!/bin/bash'],
  ['Dockerfile', 'RUN npm run build &&', 'RUN npm run build && ('],
  ['compose.yaml', '|| failed=1; done; exit', '|| failed=1; exit'],
  ['compose.yaml', '[CMD-SHELL, pg_isready', '[CMD-SHELL, (pg_isready'],
  ['kubernetes/commands.yaml', '|| failed=1; done; exit', '|| failed=1; exit'],
  ['systemd/meridian-verify.service', '|| failed=1; done; exit', '|| failed=1; exit'],
  ['systemd/meridian-drill.service', ':+--into "', ':+--into '],
])('/bin/sh cannot parse %s with "%s" as "%s"', async (path, from, to) => {
  const faults = await inCopy('deploy', (copy) => {
    writeFileSync(join(copy, path), changed(path, from, to))
    return shellFaults(shellScripts(copy))
  })
  expect(faults).toEqual([expect.stringContaining(`${path}: `)])
})

/** Finds "wrong" in the Caddyfile. */
const wordLint: ProgramLint = {
  program: 'sh',
  package: 'dash',
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

test('check:deploy fails where a program is missing, and names its package', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'scripts/check/deploy.ts'],
    // Without the folders of programs, but PgBouncer's is always searched.
    { env: { PATH: '/nonexistent' }, encoding: 'utf8' },
  )
  expect(status).toBe(1)
  expect(stdout).toContain('ok     npm packages\n')
  for (const lint of programLints.filter(({ program }) => program !== 'pgbouncer')) {
    const missing = `${lint.program} is missing. Install it with: apt-get install -y ${lint.package}`
    expect(stdout).toContain(`FAILED ${lint.program}\n${missing}\n`)
  }
})

test('the README of deploy names the packages of check:deploy', () => {
  const readme = readFileSync('deploy/README.md', 'utf8')
  const [, installed = ''] = /^apt-get install (.*)$/m.exec(readme) ?? []
  expect(installed.split(' ').toSorted()).toEqual(programLints.map((lint) => lint.package).toSorted())
})

test('the documents name the oldest Kubernetes that has every field of the manifests', () => {
  const version = /^\d+\.\d+/.exec(kubernetesVersion)?.[0] ?? 'none'
  for (const path of ['deploy/README.md', 'docs/operations.md']) {
    expect(readFileSync(path, 'utf8'), path).toContain(`Kubernetes ${version} or later`)
  }
})
