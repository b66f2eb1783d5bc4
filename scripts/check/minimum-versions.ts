import { z } from 'zod'

/**
 * Versions below these have published advisories or known bugs. `npm audit` finds more, but needs
 * the registry. This check needs only the lockfile.
 */
export const minimumVersions: Readonly<Record<string, string>> = {
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

function isBelow(version: string, minimumVersion: string): boolean {
  const [actual, minimum] = [numbersOf(version), numbersOf(minimumVersion)]
  for (let i = 0; i < 3; i++) {
    const difference = (actual[i] ?? 0) - (minimum[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  // 1.2.3-rc.1 precedes 1.2.3.
  return version.includes('-')
}

/** Installed copies of packages, nested ones too, that are below their minimum. */
export function minimumVersionFaults(
  lockfile: unknown,
  minimum: Readonly<Record<string, string>> = minimumVersions,
): string[] {
  const { packages } = lockfileSchema.parse(lockfile)
  return Object.entries(packages).flatMap(([path, { version }]) => {
    const minimumVersion = minimum[path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)]
    if (!path.includes('node_modules/') || !minimumVersion || !version || !isBelow(version, minimumVersion))
      return []
    return [`${path} is ${version}; the minimum is ${minimumVersion}.`]
  })
}
