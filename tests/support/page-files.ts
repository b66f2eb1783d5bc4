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

function readManifest(): { file: string; manifest: z.infer<typeof manifestSchema> } {
  const name = builtFiles().find((file) => /^manifest-.*\.js$/.test(file))
  if (!name) throw new Error('The shop is not built; run "npm run build" first.')
  const file = `${client}/assets/${name}`
  const json = readFileSync(file, 'utf8').replace(/^[^{]*|;?\s*$/g, '')
  return { file, manifest: manifestSchema.parse(JSON.parse(json)) }
}

/**
 * The scripts that a page of this route loads at once, as the built manifest has them: the entry, the root, the
 * route's own module and all that they import.
 */
export function scriptsOf(routeId: string): string[] {
  const { file, manifest } = readManifest()
  const parts = [manifest.entry, manifest.routes['root'], manifest.routes[routeId]]
  const urls = parts.flatMap((one) => {
    if (!one) throw new Error(`The manifest has no route ${routeId}.`)
    const { clientActionModule: action, clientLoaderModule: loader } = one
    return [one.module, ...one.imports, ...(action ? [action] : []), ...(loader ? [loader] : [])]
  })
  return [...new Set(urls)].map((url) => client + url).concat(file)
}

/** What a page fetches later, by the name of its module. */
export const lateFiles = (module: string): string[] =>
  builtFiles()
    .filter((name) => name.startsWith(`${module}-`) && name.endsWith('.js'))
    .map((name) => `${client}/assets/${name}`)

/** The styles of every page, the one font file and what else of its kind is built. */
export const styleFiles = (): string[] =>
  builtFiles()
    .filter((name) => name.endsWith('.css'))
    .map((name) => `${client}/assets/${name}`)

export const fontFiles = (): string[] =>
  builtFiles()
    .filter((name) => name.endsWith('.woff2'))
    .map((name) => `${client}/assets/${name}`)
