import { readFileSync, readdirSync } from 'node:fs'
import { z } from 'zod'

const client = 'build/client'

const part = z.object({
  module: z.string(),
  clientActionModule: z.string().optional(),
  clientLoaderModule: z.string().optional(),
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
})
const manifestSchema = z.object({ entry: part, routes: z.record(z.string(), part) })

const builtFiles = (): string[] => readdirSync(`${client}/assets`)

/** The built manifest. Each page contains its own part of it, so a browser does not fetch it. */
function readManifest(): z.infer<typeof manifestSchema> {
  const name = builtFiles().find((file) => /^manifest-.*\.js$/.test(file))
  if (!name) throw new Error('The shop is not built; run "npm run build" first.')
  const json = readFileSync(`${client}/assets/${name}`, 'utf8').replace(/^[^{]*|;?\s*$/g, '')
  return manifestSchema.parse(JSON.parse(json))
}

/**
 * The scripts that a page of these routes loads initially, from the built manifest: the entry, the
 * root, the modules of the routes, and their imports.
 * @param routeIds from the outermost to the innermost route
 */
export function scriptsOf(...routeIds: string[]): string[] {
  const manifest = readManifest()
  const parts = [manifest.entry, ...['root', ...routeIds].map((id) => manifest.routes[id])]
  const urls = parts.flatMap((one) => {
    if (!one) throw new Error(`The manifest has no route of ${routeIds.join(', ')}.`)
    const { clientActionModule: action, clientLoaderModule: loader } = one
    return [one.module, ...one.imports, ...(action ? [action] : []), ...(loader ? [loader] : [])]
  })
  return [...new Set(urls)].map((url) => client + url)
}

/** The files of a lazily loaded module. */
export const lateFiles = (module: string): string[] =>
  builtFiles()
    .filter((name) => name.startsWith(`${module}-`) && name.endsWith('.js'))
    .map((name) => `${client}/assets/${name}`)

/** The style sheet of every page, or the one of the back office. */
export const styleFiles = (sheet: 'app' | 'admin' = 'app'): string[] =>
  builtFiles()
    .filter((name) => name.startsWith(`${sheet}-`) && name.endsWith('.css'))
    .map((name) => `${client}/assets/${name}`)

export const fontFiles = (): string[] =>
  builtFiles()
    .filter((name) => name.endsWith('.woff2'))
    .map((name) => `${client}/assets/${name}`)
