import { z } from 'zod'

const names = z.record(z.string(), z.string()).optional()
const lockfileSchema = z.object({
  packages: z.record(z.string(), z.object({ dependencies: names, optionalDependencies: names })),
})

/**
 * The packages that something in the lockfile asks for and that it does not hold. `npm ci` refuses such a file; it comes of
 * a release that is missing for some platform where the file was written.
 */
export function lockfileFaults(lockfile: unknown): string[] {
  const { packages } = lockfileSchema.parse(lockfile)
  return Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !placesOf(path, name).some((place) => place in packages))
      .map((name) => `package-lock.json has no ${name}, which ${path || 'package.json'} asks for.`),
  )
}

/** Where Node looks for a package, from the innermost folder out. */
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
