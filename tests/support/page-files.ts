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

/** The built manifest. A page holds its own part of it; the browser fetches none. */
function readManifest(): z.infer<typeof manifestSchema> {
  const name = builtFiles().find((file) => /^manifest-.*\.js$/.test(file))
  if (!name) throw new Error('The shop is not built; run "npm run build" first.')
  const json = readFileSync(`${client}/assets/${name}`, 'utf8').replace(/^[^{]*|;?\s*$/g, '')
  return manifestSchema.parse(JSON.parse(json))
}

/**
 * The scripts that a page of these routes, from the outer to the inner, loads at once, as the built manifest has them: the entry, the
 * root, the routes' own modules and all that they import.
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

/** What a page fetches later, by the name of its module. */
export const lateFiles = (module: string): string[] =>
  builtFiles()
    .filter((name) => name.startsWith(`${module}-`) && name.endsWith('.js'))
    .map((name) => `${client}/assets/${name}`)

/** The sheet of every page, or that of the back office. */
export const styleFiles = (sheet: 'app' | 'admin' = 'app'): string[] =>
  builtFiles()
    .filter((name) => name.startsWith(`${sheet}-`) && name.endsWith('.css'))
    .map((name) => `${client}/assets/${name}`)

export const fontFiles = (): string[] =>
  builtFiles()
    .filter((name) => name.endsWith('.woff2'))
    .map((name) => `${client}/assets/${name}`)
