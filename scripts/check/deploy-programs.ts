import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { withFolderCopy, searchPath, type ProgramLint } from './deploy-lint.ts'
import { manifestFaults } from './deploy-manifests.ts'
import { shellScripts } from './deploy-shell.ts'

type Run = { cwd?: string; env?: Record<string, string>; input?: string; silent?: boolean }

/**
 * Runs a program without this shell's settings. `faults` has what it printed if it failed.
 *
 * @param options `silent` for a program that warns of a fault and succeeds
 */
function run(
  program: string,
  args: readonly string[],
  { cwd, env, input = '', silent = false }: Run = {},
): { faults: string[]; stdout: string } {
  const home = mkdtempSync(join(tmpdir(), 'meridian-lint-'))
  try {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd,
      encoding: 'utf8',
      env: { PATH: searchPath(), HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, ...env },
      input,
    })
    const output = (stdout + stderr).trim()
    const ok = status === 0 && !(silent && output !== '')
    return { faults: ok ? [] : [`${program} ${args.join(' ')}: ${output}`], stdout }
  } finally {
    rmSync(home, { recursive: true })
  }
}

function caddyFaults(folder: string): string[] {
  return run('caddy', ['validate', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']).faults
}

/** In a copy, because Docker Compose 1 (Debian 12) takes the project's name only as an argument. */
function composeFaults(folder: string): Promise<string[]> {
  return withFolderCopy(folder, (copy) => {
    const text = readFileSync(join(copy, 'compose.yaml'), 'utf8')
    writeFileSync(join(copy, 'compose.yaml'), text.replace(/^name: .*\n/m, ''))
    writeFileSync(join(copy, 'shop.env'), '')
    const required = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+):\?\}/g)].map(([, name]) => [name, 'set'])
    return run('docker-compose', ['-p', 'meridian', '-f', 'compose.yaml', 'config', '--quiet'], {
      cwd: copy,
      env: Object.fromEntries(required),
    }).faults
  })
}

function kustomizeFaults(folder: string): string[] {
  const { faults, stdout } = run('kubectl', ['kustomize', join(folder, 'kubernetes')])
  return faults.length > 0 ? faults : manifestFaults('kubectl kustomize', stdout)
}

const startLimitMs = 20_000

/** Starts PgBouncer by a copy of its file. It has no other way to check one. */
async function pgbouncerFaults(folder: string): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'meridian-pgbouncer-'))
  try {
    chmodSync(home, 0o777)
    const ini = readFileSync(join(folder, 'pgbouncer.ini'), 'utf8')
      .replace(/^unix_socket_dir = .*$/m, `unix_socket_dir = ${home}`)
      .replace(/^auth_file = .*$/m, `auth_file = ${join(home, 'userlist.txt')}`)
    writeFileSync(join(home, 'userlist.txt'), '')
    writeFileSync(join(home, 'pgbouncer.ini'), ini)
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
    const child = spawn('pgbouncer', [...user, join(home, 'pgbouncer.ini')], {
      env: { PATH: searchPath() },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: startLimitMs,
    })
    let log = ''
    let started = false
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (!log.includes('process up')) return
      started = true
      child.kill()
    })
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', () => resolve())
    })
    return started ? [] : [`pgbouncer.ini: ${log.trim()}`]
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** The tests take a quarter of a minute, so they run when the rest is right. */
const promtoolRuns = [
  ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ['check', 'rules', 'alerts.yml'],
  ['test', 'rules', 'alerts.test.yml'],
]

function promtoolFaults(folder: string): string[] {
  const cwd = join(folder, 'monitoring')
  for (const args of promtoolRuns) {
    const { faults } = run('promtool', args, { cwd })
    if (faults.length > 0) return faults
  }
  return []
}

const shellcheckFaults = (folder: string): string[] =>
  shellScripts(folder).flatMap(({ path, text }) =>
    run('shellcheck', ['--shell=sh', '-'], { input: text }).faults.map((fault) => `${path}: ${fault}`),
  )

/** What the units start, by the paths where docs/operations.md and Debian put it. */
const programs = ['bin/sh', 'usr/bin/env', 'usr/bin/find', 'usr/local/sbin/meridian-base-backup']

/** In an empty root with Debian's units and nothing else of this machine. */
function systemdFaults(folder: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'meridian-units-'))
  const units = join(root, 'etc/systemd/system')
  try {
    cpSync('/usr/lib/systemd/system', join(root, 'usr/lib/systemd/system'), { recursive: true })
    cpSync('/usr/lib/systemd/system', join(root, 'lib/systemd/system'), { recursive: true })
    cpSync(join(folder, 'systemd'), units, { recursive: true })
    cpSync(join(units, 'meridian@.service'), join(units, 'meridian@3001.service'))
    for (const path of programs) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '#!/bin/sh\n', { mode: 0o755 })
    }
    const names = readdirSync(units).filter((name) => name !== 'meridian@.service')
    const args = ['verify', '--man=no', `--root=${root}`, ...names.toSorted()]
    return run('systemd-analyze', args, { silent: true }).faults
  } finally {
    rmSync(root, { recursive: true })
  }
}

export const programLints: readonly ProgramLint[] = [
  {
    program: 'caddy',
    install: 'apt-get install -y caddy',
    faults: caddyFaults,
    defects: [{ path: 'Caddyfile', from: 'lb_policy', to: 'lb_polcy' }],
  },
  {
    program: 'docker-compose',
    install: 'apt-get install -y docker-compose',
    faults: composeFaults,
    defects: [
      { path: 'compose.yaml', from: 'stop_grace_period:', to: 'stop_grace_perod:' },
      { path: 'compose.yaml', from: 'depends_on: [store]', to: 'depends_on: [stroe]' },
      { path: 'compose.yaml', from: '- store-data:/data', to: '- stroe-data:/data' },
    ],
  },
  {
    program: 'kubectl',
    // Not Debian 12's kubectl 1.20, which does not know `labels` in kustomization.yaml.
    install: 'https://kubernetes.io/docs/tasks/tools/install-kubectl-linux/',
    faults: kustomizeFaults,
    defects: [
      { path: 'kubernetes/kustomization.yaml', from: 'namespace:', to: 'namespce:' },
      { path: 'kubernetes/kustomization.yaml', from: '- shop.yaml', to: '- shp.yaml' },
      { path: 'kubernetes/shop.yaml', from: 'replicas:', to: 'replcas:' },
    ],
  },
  {
    program: 'pgbouncer',
    install: 'apt-get install -y pgbouncer',
    faults: pgbouncerFaults,
    defects: [
      { path: 'pgbouncer.ini', from: 'tcp_keepidle =', to: 'tcp_keepidel =' },
      { path: 'pgbouncer.ini', from: '= transaction', to: '= transactions' },
    ],
  },
  {
    program: 'promtool',
    install: 'apt-get install -y prometheus',
    faults: promtoolFaults,
    defects: [
      { path: 'monitoring/prometheus.yml', from: 'job_name:', to: 'job_nam:' },
      { path: 'monitoring/alerts.yml', from: 'expr:', to: 'exp:' },
      { path: 'monitoring/alerts.test.yml', from: 'alertname:', to: 'alertname: No' },
    ],
  },
  {
    program: 'shellcheck',
    install: 'apt-get install -y shellcheck',
    faults: shellcheckFaults,
    defects: [
      {
        path: 'postgres/base-backup.sh',
        from: '"${SHOP_DATABASE:-meridian}"',
        to: '${SHOP_DATABASE:-meridian}',
      },
      { path: 'compose.yaml', from: 'exit "$$failed"', to: 'exit $$falied' },
      { path: 'systemd/meridian-verify.service', from: 'exit "$$failed"', to: 'exit $$falied' },
    ],
  },
  {
    program: 'systemd-analyze',
    install: 'apt-get install -y systemd',
    faults: systemdFaults,
    defects: [
      { path: 'systemd/meridian@.service', from: 'LimitNOFILE=', to: 'LimitNOFILES=' },
      { path: 'systemd/meridian-backup.timer', from: 'OnCalendar=*-*-*', to: 'OnCalendar=daily-' },
      { path: 'systemd/meridian-verify.service', from: '/bin/sh', to: '/bin/hs' },
      { path: 'systemd/meridian-basebackup.service', from: '/sbin/', to: '/sbni/' },
    ],
  },
]
