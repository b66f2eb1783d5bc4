import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { z } from 'zod'

export type Chromium = {
  source: 'environment' | 'path' | 'package'
  executablePath: string
  args: string[]
  /** Environment variables that the process needs in addition to ours. */
  env: Record<string, string>
}

/**
 * Without background requests. Without the sandbox, which neither root nor a container supports.
 */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

const names = ['chromium', 'chromium-browser', 'google-chrome']

const everySource: readonly Chromium['source'][] = ['environment', 'path', 'package']

/**
 * Finds Chromium: CHROMIUM_PATH, then the PATH, then the npm package @sparticuz/chromium (Linux
 * x64). With `package` as CHROMIUM_PATH, only the npm package. Throws with the install command when
 * there is none.
 */
export async function findChromium(
  options: { sources?: readonly Chromium['source'][] } = {},
): Promise<Chromium> {
  const requested = process.env['CHROMIUM_PATH']
  const sources = options.sources ?? (requested === 'package' ? ['package' as const] : everySource)
  for (const source of sources) {
    if (source === 'environment') {
      if (requested) return { source, executablePath: requested, args, env: {} }
    } else if (source === 'path') {
      const folders = (process.env['PATH'] ?? '').split(delimiter)
      const executablePath = names
        .flatMap((name) => folders.map((folder) => join(folder, name)))
        .find((path) => existsSync(path))
      if (executablePath) return { source, executablePath, args, env: {} }
    } else if (process.platform === 'linux' && process.arch === 'x64') {
      const folder = await unpackPackage()
      const env = { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts/fonts.conf') }
      return { source, executablePath: join(folder, 'chromium'), args, env }
    }
  }
  throw new Error('No Chromium found for the browser tests. Install it with: apt-get install -y chromium')
}

/**
 * Unpacks the browser, its libraries and its fonts once, next to the installed packages. The
 * package's own function unpacks the libraries only on AWS. With it, a second process could also
 * run a half-written file.
 */
async function unpackPackage(): Promise<string> {
  const require = createRequire(import.meta.url)
  const packageRoot = rootOf(require.resolve('@sparticuz/chromium'))
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')))
  const cache = resolve(packageRoot, '../../.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unpacking = mkdtempSync(`${folder}-`)
  try {
    await unpack(join(packageRoot, 'bin/chromium.br'), join(unpacking, 'chromium'))
    chmodSync(join(unpacking, 'chromium'), 0o755)
    for (const name of ['al2023', 'fonts', 'swiftshader']) {
      const tar = join(unpacking, `${name}.tar`)
      await unpack(join(packageRoot, `bin/${name}.tar.br`), tar)
      const into = join(unpacking, name === 'fonts' ? 'fonts' : '.')
      mkdirSync(into, { recursive: true })
      execFileSync('tar', ['-xf', tar, '-C', into, '--no-same-owner'])
      rmSync(tar)
    }
    // The package's own file names folders of AWS.
    writeFileSync(join(unpacking, 'fonts/fonts.conf'), fontsConfig(join(folder, 'fonts')))
    renameSync(unpacking, folder)
  } catch (error) {
    rmSync(unpacking, { recursive: true, force: true })
    // Another process may have finished first.
    if (!existsSync(folder)) throw error
  }
  return folder
}

const fontsConfig = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`

const unpack = (from: string, to: string): Promise<void> =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to))

function rootOf(main: string): string {
  let folder = dirname(main)
  while (!existsSync(join(folder, 'bin'))) folder = dirname(folder)
  return folder
}
