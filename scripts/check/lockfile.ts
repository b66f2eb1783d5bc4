import { z } from 'zod'

const names = z.record(z.string(), z.string()).optional()
const lockfileSchema = z.object({
  packages: z.record(z.string(), z.object({ dependencies: names, optionalDependencies: names })),
})

/**
 * Packages that the lockfile requires but does not contain. `npm ci` also refuses such a file, but
 * needs the registry. It happens when a release lacks the package for one platform.
 */
export function lockfileFaults(lockfile: unknown): string[] {
  const { packages } = lockfileSchema.parse(lockfile)
  return Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !foldersFor(path, name).some((folder) => folder in packages))
      .map((name) => `package-lock.json has no ${name}, which ${path || 'package.json'} requires.`),
  )
}

/** The folders where Node looks for a package, innermost first. */
function foldersFor(path: string, name: string): string[] {
  const folders = [`${path ? `${path}/` : ''}node_modules/${name}`]
  for (
    let end = path.lastIndexOf('node_modules/');
    end >= 0;
    end = path.lastIndexOf('node_modules/', end - 1)
  ) {
    folders.push(`${path.slice(0, end)}node_modules/${name}`)
    if (end === 0) break
  }
  return folders
}
