import { z } from 'zod'

/** Below these versions there are published advisories, or known breakage. */
export const floors: Readonly<Record<string, string>> = {
  'react-router': '7.18.2',
  '@trpc/server': '11.8.0',
  kysely: '0.28.17',
  effect: '3.20.0',
  vite: '7.3.5',
  sharp: '0.35.0',
}

const lockfileSchema = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
})

const numbersOf = (version: string): number[] =>
  (version.split(/[-+]/)[0] ?? '').split('.').map((part) => Number(part))

function isBelow(version: string, floor: string): boolean {
  const [is, least] = [numbersOf(version), numbersOf(floor)]
  for (let i = 0; i < 3; i++) {
    const difference = (is[i] ?? 0) - (least[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  // 1.2.3-rc.1 comes before 1.2.3.
  return version.includes('-')
}

/** Every installed copy of a package, nested ones too, that is below its floor. */
export function floorFaults(lockfile: unknown, least: Readonly<Record<string, string>> = floors): string[] {
  const { packages } = lockfileSchema.parse(lockfile)
  return Object.entries(packages).flatMap(([path, { version }]) => {
    const floor = least[path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)]
    if (!path.includes('node_modules/') || !floor || !version || !isBelow(version, floor)) return []
    return [`${path} is ${version}; ${floor} is the least.`]
  })
}

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})

/** Every version in package.json is exact, so that two installations are the same. */
export function pinFaults(manifest: unknown): string[] {
  const { dependencies, devDependencies } = manifestSchema.parse(manifest)
  return Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, version]) =>
    /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)
      ? []
      : [`${name} is "${version}" in package.json; pin it exactly.`],
  )
}
