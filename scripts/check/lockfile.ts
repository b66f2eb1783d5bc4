import { z } from 'zod'

const names = z.record(z.string(), z.string()).optional()
const lockfileSchema = z.object({
  packages: z.record(z.string(), z.object({ dependencies: names, optionalDependencies: names })),
})

/**
 * Packages that the lockfile requires and does not contain. `npm ci` refuses such a file, but needs
 * the registry for it. It happens when a release lacks the package of one platform.
 */
export function lockfileFaults(lockfile: unknown): string[] {
  const { packages } = lockfileSchema.parse(lockfile)
  return Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !placesOf(path, name).some((place) => place in packages))
      .map((name) => `package-lock.json has no ${name}, which ${path || 'package.json'} requires.`),
  )
}

/** The folders where Node looks for a package, innermost first. */
function placesOf(path: string, name: string): string[] {
  const places = [`${path ? `${path}/` : ''}node_modules/${name}`]
  for (
    let end = path.lastIndexOf('node_modules/');
    end >= 0;
    end = path.lastIndexOf('node_modules/', end - 1)
  ) {
    places.push(`${path.slice(0, end)}node_modules/${name}`)
    if (end === 0) break
  }
  return places
}
